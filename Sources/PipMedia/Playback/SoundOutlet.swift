#if Media
internal import PipFrames
internal import PipSound

/// The end of a pipeline where a stream's decoded sound comes out.
final class SoundOutlet: Sendable {
    /// The elements before it.
    static let elements =
        "audioconvert name=sound ! audio/x-raw,format=F32LE,layout=interleaved,channels=[1,2] ! appsink name=heard"

    private let outlet: Outlet

    /// - Parameters:
    ///   - pipeline: Its description ends with ``elements``.
    ///   - drops: Whether what is not taken in time is thrown away; else the decoder waits.
    init(_ pipeline: Pipeline, drops: Bool) {
        outlet = Outlet("heard", of: pipeline)
        pipeline.set("max-buffers", of: "heard", to: "200")
        pipeline.set("drop", of: "heard", to: drops ? "true" : "false")
    }

    /// Takes what has come.
    func next() -> (block: AudioBlock, runningTime: Duration)? {
        outlet.pull(within: .zero)?.sound.map { ($0.block, $0.time) }
    }
}
#endif
