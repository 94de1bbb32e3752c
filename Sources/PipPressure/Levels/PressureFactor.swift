/// The cause of pressure, to tell a user whether to cool the machine, power it or give it less work.
///
/// Source: the factors of `AVCaptureDevice.SystemPressureState`, and further ones that Linux reports.
public enum PressureFactor: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// The processor or the board is hot, or slows itself down because of heat.
    case systemTemperature
    /// The GPU is hot, or slows itself down because of heat.
    case gpuTemperature
    /// A camera's sensor is hot.
    case cameraTemperature
    /// The supply delivers too little power: under-voltage, or a power limit.
    case peakPower
    /// The battery runs out.
    case batteryStress
    /// There is more work than the processor can do in time.
    case cpuPressure
    /// Memory is running out.
    case memoryPressure
    /// Disks are too slow for the work.
    case ioPressure

    public var description: String { rawValue }

    /// True for load.
    ///
    /// Unlike heat and power it cannot harm the machine, so load never switches a camera off.
    package var isLoad: Bool {
        switch self {
        case .cpuPressure, .memoryPressure, .ioPressure: true
        case .systemTemperature, .gpuTemperature, .cameraTemperature, .peakPower, .batteryStress: false
        }
    }
}
