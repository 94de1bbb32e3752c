/// A live session's response to heat, power and load.
///
/// A session that runs files as fast as possible is not governed: it takes as long as it takes.
public struct PressureOptions: Sendable {
    /// The policy: the mitigations, their order and their timing.
    public var policy = PressurePolicy.balanced
    /// The folder that replaces `/` in the paths of sensors.
    public var root = "/"
    /// A level that overrides the sensors, to try a policy out.
    ///
    /// Nil follows them.
    public var pinned: PressureLevel?
    /// The interval after which a camera that could not be switched is tried again.
    package var cameraRetryInterval = Duration.seconds(5)

    /// The default options: the balanced policy, by this machine's sensors.
    public init() {}
}
