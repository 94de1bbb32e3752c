/// The severity of pressure from heat, power or load.
///
/// Compare levels to decide how much work to do.
///
/// Source: the levels of `AVCaptureDevice.SystemPressureState`.
public enum PressureLevel: Int, Sendable, Hashable, Comparable, CaseIterable, CustomStringConvertible {
    /// There is no pressure.
    case nominal
    /// Pressure is slightly raised.
    case fair
    /// Pressure is clearly raised: the machine may slow itself down. Less work is advised.
    case serious
    /// Pressure is high, and may impair the picture. Much less work is advised.
    case critical
    /// The machine is about to switch itself off, so work must stop before.
    case shutdown

    public static func < (left: PressureLevel, right: PressureLevel) -> Bool { left.rawValue < right.rawValue }

    /// The level's name on the command line and in files.
    public var name: String {
        switch self {
        case .nominal: "nominal"
        case .fair: "fair"
        case .serious: "serious"
        case .critical: "critical"
        case .shutdown: "shutdown"
        }
    }

    /// Creates the level with a name; nil when no level has that name.
    public init?(name: String) {
        guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = level
    }

    public var description: String { name }
}
