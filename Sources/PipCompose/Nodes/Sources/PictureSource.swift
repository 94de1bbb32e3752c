/// Pictures from files: a single picture, an animation, or a sequence of files.
///
/// Reads PNG, APNG, JPEG, WebP, GIF, BMP, TIFF, AVIF and HEIC, recognised by the files' content instead of their names.
/// A separate thread decodes each picture before it is due. Pictures of another size are fitted into the size of the
/// first.
///
/// ```swift
/// Layer(PictureSource(overlay: "logo.png")).placed(.bottomRight, width: 0.12, margin: 24).faded(to: 0.7)
/// Layer(PictureSource(overlay: "party.gif")).placed(.right)
/// ```
public final class PictureSource: FrameProducer {
    public let node: GraphNode

    /// - Parameters:
    ///   - path: A file, a folder, or a pattern such as `frames/%03d.png`. A folder gives all its pictures, in the
    ///     order of their names.
    ///   - frameRate: Pictures a second. Nil takes an animation's own delays, and 12 a second for several files.
    ///   - ending: The behaviour after the last picture.
    public convenience init(_ path: String, frameRate: FrameRate? = nil, ending: PictureEnding = .loops) {
        self.init(path, isOverlay: false, frameRate, ending)
    }

    /// Creates the source of a picture that is drawn over others, such as a logo.
    ///
    /// Pictures larger than 8192 pixels a side, or than 64 MB once decoded, are refused.
    ///
    /// - Parameters:
    ///   - path: The picture's file.
    ///   - frameRate: Pictures a second. Nil takes an animation's own delays, and 12 a second for several files.
    ///   - ending: The behaviour after the last picture.
    public convenience init(overlay path: String, frameRate: FrameRate? = nil, ending: PictureEnding = .loops) {
        self.init(path, isOverlay: true, frameRate, ending)
    }

    private init(_ path: String, isOverlay: Bool, _ rate: FrameRate?, _ ending: PictureEnding) {
        node = GraphNode(
            .source(
                ReaderSpecification(timed: path) { () throws(SourceError) in
                    try PictureReader(path: path, isOverlay: isOverlay, rate: rate, ending: ending)
                }))
    }
}
