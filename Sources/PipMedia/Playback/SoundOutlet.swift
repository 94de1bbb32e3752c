#if Media
internal import PipFrames
internal import PipSound

/// The output of a pipeline that decodes the sound of a stream.
final class SoundOutlet: Sendable {
    /// The elements at the end of the pipeline, which make interleaved 32-bit floats.
    static let elements =
        "audioconvert name=sound ! audio/x-raw,format=F32LE,layout=interleaved,channels=[1,2] ! appsink name=heard"

    private let outlet: Outlet

    /// Sets up the elements at the end of a pipeline.
    ///
    /// - Parameters:
    ///   - pipeline: A pipeline whose description ends with ``elements``.
    ///   - drops: True to discard the oldest waiting sound when the queue is full; false to let the decoder wait.
    init(_ pipeline: Pipeline, drops: Bool) {
        outlet = Outlet("heard", of: pipeline)
        pipeline.set("max-buffers", of: "heard", to: "200")
        pipeline.set("drop", of: "heard", to: drops ? "true" : "false")
    }

    /// Returns the next block that has arrived, with its running time, without waiting; nil when none has.
    func next() -> (block: AudioBlock, runningTime: Duration)? {
        outlet.pull(within: .zero)?.sound.map { ($0.block, $0.time) }
    }
}
#endif
