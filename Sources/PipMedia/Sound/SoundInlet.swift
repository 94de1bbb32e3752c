#if Media
/// A way into a pipeline for sound, which may be in a list, or be missing.
final class SoundInlet: Sendable {
    let inlet: Inlet

    /// - Parameters:
    ///   - name: The `appsrc` as the pipeline's description names it.
    ///   - pipeline: The pipeline.
    ///   - format: The sound's format.
    init(_ name: String, of pipeline: Pipeline, _ format: PacketFormat) {
        inlet = Inlet(name, of: pipeline)
        inlet.use(format)
    }
}
#endif
