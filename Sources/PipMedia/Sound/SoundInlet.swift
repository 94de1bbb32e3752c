#if Media
/// An inlet for sound, as an object, so that it can be in an array or be nil.
final class SoundInlet: Sendable {
    let inlet: Inlet

    /// - Parameters:
    ///   - name: The name of the `appsrc` in the pipeline's description.
    ///   - pipeline: The pipeline.
    ///   - format: The format of the sound.
    init(_ name: String, of pipeline: Pipeline, _ format: PacketFormat) {
        inlet = Inlet(name, of: pipeline)
        inlet.use(format)
    }
}
#endif
