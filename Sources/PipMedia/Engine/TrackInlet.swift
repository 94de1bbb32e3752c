#if Media
/// An inlet for sound or texts: a class, so that an inlet can be optional or in an array.
final class TrackInlet: Sendable {
    let inlet: Inlet

    /// Creates the inlet of an `appsrc`.
    ///
    /// - Parameters:
    ///   - name: The name of the `appsrc` in the pipeline's description.
    ///   - pipeline: The pipeline.
    ///   - format: The format of the packets.
    init(_ name: String, of pipeline: Pipeline, _ format: PacketFormat) {
        inlet = Inlet(name, of: pipeline)
        inlet.use(format)
    }
}
#endif
