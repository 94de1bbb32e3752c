/// The cause of pressure, from which a user learns whether to cool the machine, power it or reduce its work.
///
/// Source: the factors of `AVCaptureDevice.SystemPressureState`, and further ones that Linux reports.
public enum PressureFactor: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// The processor or the board is hot, or heat makes the processor slow itself down.
    case systemTemperature
    /// The GPU is hot, or heat makes the GPU slow itself down.
    case gpuTemperature
    /// A camera's sensor is hot.
    case cameraTemperature
    /// Power is short: the supply's voltage is too low, or the GPU has reached its power limit.
    case peakPower
    /// The battery is nearly empty, or hot.
    case batteryStress
    /// The processor has more work than it can do in time.
    case cpuPressure
    /// Memory is short, so that processes wait for it.
    case memoryPressure
    /// Disks are too slow for the processes that wait for them.
    case ioPressure

    public var description: String { rawValue }

    /// True for causes of load, in contrast to heat and power.
    ///
    /// Load cannot harm the machine, so load never switches a camera off.
    package var isLoad: Bool {
        switch self {
        case .cpuPressure, .memoryPressure, .ioPressure: true
        case .systemTemperature, .gpuTemperature, .cameraTemperature, .peakPower, .batteryStress: false
        }
    }
}
