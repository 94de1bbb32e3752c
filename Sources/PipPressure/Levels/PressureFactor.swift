/// The cause of pressure.
///
/// Source: the factors of `AVCaptureDevice.SystemPressureState`, and those that Linux reports besides.
public enum PressureFactor: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// The processor or the board is hot, or slowed down because of it.
    case systemTemperature
    /// The GPU is hot, or slowed down because of it.
    case gpuTemperature
    /// A camera's sensor is hot.
    case cameraTemperature
    /// The supply does not keep up: under-voltage, a power limit.
    case peakPower
    /// The battery runs out.
    case batteryStress
    /// There is more work than the processor can do in time.
    case cpuPressure
    /// Memory runs out.
    case memoryPressure
    /// Disks do not keep up.
    case ioPressure

    public var description: String { rawValue }

    /// True for load, as opposed to heat and power, which can harm the machine: load never switches a camera off.
    package var isLoad: Bool {
        switch self {
        case .cpuPressure, .memoryPressure, .ioPressure: true
        case .systemTemperature, .gpuTemperature, .cameraTemperature, .peakPower, .batteryStress: false
        }
    }
}
