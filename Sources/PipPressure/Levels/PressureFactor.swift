/// What presses.
///
/// Source: the factors of `AVCaptureDevice.SystemPressureState`, and what Linux tells besides.
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

    /// Whether it is the amount of work that presses, and nothing that could harm the machine: then no camera is
    /// switched off for it.
    public var isLoad: Bool {
        switch self {
        case .cpuPressure, .memoryPressure, .ioPressure: true
        case .systemTemperature, .gpuTemperature, .cameraTemperature, .peakPower, .batteryStress: false
        }
    }
}
