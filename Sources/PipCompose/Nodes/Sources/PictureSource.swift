/// Pictures from files: one that is shown for ever, an animation, or files that follow each other.
///
/// PNG, APNG, JPEG, WebP, GIF, BMP, TIFF, AVIF and HEIC; the files' content decides, not their names. Each picture is
/// decoded on a thread of its own before it is due, and uploaded when it is shown. Files of several sizes are fitted
/// into the place of the first.
///
/// ```swift
/// Layer(PictureSource(overlay: "logo.png")).placed(.bottomRight, width: 0.12, margin: 24).faded(to: 0.7)
/// Layer(PictureSource(overlay: "party.gif")).placed(.right)
/// ```
public final class PictureSource: FrameProducer {
    public let node: GraphNode

    /// - Parameters:
    ///   - path: A file; a folder, for all pictures in it by their names; or names with a field for their number,
    ///     `frames/%03d.png`.
    ///   - frameRate: Pictures a second; nil takes an animation's own times, and 12 a second for several files.
    ///   - ending: The frames behind the last picture.
    public convenience init(_ path: String, frameRate: FrameRate? = nil, ending: PictureEnding = .loops) {
        self.init(path, isOverlay: false, frameRate, ending)
    }

    /// Pictures that lie over others, such as a logo; larger ones than 8192 pixels a side, or 64 MB once decoded, are
    /// refused.
    ///
    /// - Parameters:
    ///   - path: The picture's file.
    ///   - frameRate: Pictures a second; nil as above.
    ///   - ending: The frames behind the last picture.
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
