/// A WebP animation or a sequence of pictures: a sticker that moves.
///
/// At most 512 pictures of one size, and 64 MB once decoded. They are decoded before they are due, on a thread of their
/// own, and uploaded when the one that is shown changes; which one that is goes by the output's time, so that files
/// made offline are right.
public final class AnimatedSource: FrameProducer {
    public let node: GraphNode

    /// - Parameters:
    ///   - path: A WebP file; files with a field for their number, `frames/%03d.png`; or a folder, for all PNG and WebP
    ///     files in it by their names.
    ///   - frameRate: Pictures a second; nil takes a WebP file's own durations, and 12 a second for sequences.
    ///   - loops: True to begin again at the end; otherwise the last picture stays.
    public init(_ path: String, frameRate: FrameRate? = nil, loops: Bool = true) {
        node = GraphNode(
            .source(
                LivePictureSpecification(label: path) { reports throws(SourceError) in
                    try AnimatedPicture(path, rate: frameRate, loops: loops, clock: reports.clock, fail: reports.fail)
                }))
    }
}
