/// The severity of pressure by heat, power or load.
///
/// Compare levels to decide on less work.
///
/// Source: the levels of `AVCaptureDevice.SystemPressureState`.
public enum PressureLevel: Int, Sendable, Hashable, Comparable, CaseIterable, CustomStringConvertible {
    /// No pressure.
    case nominal
    /// Slightly raised, without a need to act.
    case fair
    /// Clearly raised: the machine may slow down by itself. Less work is advised.
    case serious
    /// The picture suffers. Much less work is advised.
    case critical
    /// Work has to stop before the machine stops it.
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

    /// The level with a name; nil when there is no such level.
    public init?(name: String) {
        guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = level
    }

    public var description: String { name }
}
