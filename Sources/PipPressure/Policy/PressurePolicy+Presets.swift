internal import PipFrames

extension PressurePolicy {
    /// Reduces the inset's frame rate first, then effects, encoding and the output's frame rate, and then switches the
    /// inset off: the main picture stays sharp for as long as possible.
    public static let balanced = PressurePolicy(
        unchecked: [
            PressureStep(at: .fair, .insetRate(FrameRate(15))),
            PressureStep(at: .serious, .effects(.reduced)),
            PressureStep(at: .serious, .insetRate(FrameRate(10))),
            PressureStep(at: .serious, .fastEncoding),
            PressureStep(at: .serious, .bitRate(0.75)),
            PressureStep(at: .serious, .effects(.cheap)),
            PressureStep(at: .serious, .mainRate(FrameRate(20))),
            PressureStep(at: .critical, .bitRate(0.5)),
            PressureStep(at: .critical, .effects(.none)),
            PressureStep(at: .critical, .mainRate(FrameRate(15))),
            PressureStep(at: .critical, .insetOff),
            PressureStep(at: .critical, .insetResolution(PixelSize(640, 480)), after: .seconds(20)),
            PressureStep(at: .critical, .mainResolution(.hd720), after: .seconds(20)),
            PressureStep(at: .shutdown, .stop),
        ], "balanced")

    /// Keeps the output's frame rate for as long as possible: effects, encoding, insets and resolution are reduced
    /// first.
    public static let keepFrameRate = PressurePolicy(
        unchecked: [
            PressureStep(at: .fair, .effects(.reduced)),
            PressureStep(at: .serious, .effects(.cheap)),
            PressureStep(at: .serious, .fastEncoding),
            PressureStep(at: .serious, .insetRate(FrameRate(15))),
            PressureStep(at: .serious, .effects(.none)),
            PressureStep(at: .critical, .insetResolution(PixelSize(640, 480))),
            PressureStep(at: .critical, .insetOff),
            PressureStep(at: .critical, .mainResolution(.hd720)),
            PressureStep(at: .critical, .mainRate(FrameRate(20)), after: .seconds(20)),
            PressureStep(at: .shutdown, .stop),
        ], "keep-fps")

    /// Keeps every camera's mode: frame rates and effects are reduced, and then inset cameras are switched off.
    public static let keepResolution = PressurePolicy(
        unchecked: [
            PressureStep(at: .fair, .insetRate(FrameRate(15))),
            PressureStep(at: .serious, .insetRate(FrameRate(10))),
            PressureStep(at: .serious, .fastEncoding),
            PressureStep(at: .serious, .mainRate(FrameRate(20))),
            PressureStep(at: .serious, .effects(.cheap)),
            PressureStep(at: .critical, .mainRate(FrameRate(10))),
            PressureStep(at: .critical, .effects(.none)),
            PressureStep(at: .critical, .insetOff),
            PressureStep(at: .shutdown, .stop),
        ], "keep-resolution")

    /// Keeps all cameras until the session ends: frame rates and resolution are reduced further instead.
    public static let keepBothCameras = PressurePolicy(
        unchecked: [
            PressureStep(at: .fair, .insetRate(FrameRate(15))),
            PressureStep(at: .serious, .effects(.reduced)),
            PressureStep(at: .serious, .insetRate(FrameRate(10))),
            PressureStep(at: .serious, .fastEncoding),
            PressureStep(at: .serious, .bitRate(0.75)),
            PressureStep(at: .serious, .effects(.cheap)),
            PressureStep(at: .serious, .mainRate(FrameRate(20))),
            PressureStep(at: .critical, .bitRate(0.5)),
            PressureStep(at: .critical, .effects(.none)),
            PressureStep(at: .critical, .insetRate(FrameRate(5))),
            PressureStep(at: .critical, .mainRate(FrameRate(10))),
            PressureStep(at: .critical, .insetResolution(PixelSize(640, 480))),
            PressureStep(at: .critical, .mainResolution(.hd720), after: .seconds(20)),
            PressureStep(at: .shutdown, .stop),
        ], "keep-both-cameras")

    /// Reports pressure and applies no mitigation.
    public static let off = PressurePolicy(unchecked: [], "off")

    /// All predefined policies, including ``off``.
    public static let presets = [balanced, keepFrameRate, keepResolution, keepBothCameras, off]

    /// The policy with ``PressureMitigation/pause`` in place of every ``PressureMitigation/stop``.
    ///
    /// The session pauses instead of ending, and resumes after the pressure has fallen.
    public var waitingAtShutdown: PressurePolicy {
        var policy = self
        for index in policy.steps.indices where policy.steps[index].mitigation == .stop {
            policy.steps[index].mitigation = .pause
        }
        return policy
    }
}
