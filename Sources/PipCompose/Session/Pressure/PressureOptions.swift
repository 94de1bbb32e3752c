/// A live session's response to heat, power and load.
///
/// A session that draws files as fast as possible ignores pressure: it may take as long as it needs.
public struct PressureOptions: Sendable {
    /// The policy: the mitigations, their order and their timing.
    public var policy = PressurePolicy.balanced
    /// The folder that replaces `/` in the paths of sensors.
    public var root = "/"
    /// A pressure level that overrides the sensors, for trying out a policy; nil follows the sensors.
    public var pinned: PressureLevel?
    /// The interval after which the session tries again to switch a camera on or off.
    package var cameraRetryInterval = Duration.seconds(5)

    /// Creates the default options: the balanced policy, and this machine's sensors.
    public init() {}
}
