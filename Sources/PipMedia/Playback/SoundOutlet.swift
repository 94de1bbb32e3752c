#if Media
internal import PipFrames
internal import PipSound

/// The output of a pipeline that decodes a stream's sound.
final class SoundOutlet: Sendable {
    /// The elements before the output.
    static let elements =
        "audioconvert name=sound ! audio/x-raw,format=F32LE,layout=interleaved,channels=[1,2] ! appsink name=heard"

    private let outlet: Outlet

    /// - Parameters:
    ///   - pipeline: A pipeline whose description ends with ``elements``.
    ///   - drops: True when the oldest waiting sound is discarded, false when the decoder waits.
    init(_ pipeline: Pipeline, drops: Bool) {
        outlet = Outlet("heard", of: pipeline)
        pipeline.set("max-buffers", of: "heard", to: "200")
        pipeline.set("drop", of: "heard", to: drops ? "true" : "false")
    }

    /// The next block that has arrived; nil for none.
    func next() -> (block: AudioBlock, runningTime: Duration)? {
        outlet.pull(within: .zero)?.sound.map { ($0.block, $0.time) }
    }
}
#endif
