#if Media
internal import PipCompose
public import PipFrames
public import PipGraph
internal import PipSources

/// A movie file: MP4, QuickTime, Matroska, WebM, AVI, an MPEG stream, and whatever else the plug-ins decode.
///
/// ```swift
/// let clip = MovieSource("clip.mp4", loops: true, from: .seconds(10), to: .seconds(70))
/// ```
///
/// Of its streams the first video is decoded, by a device where there is one. Frames have the moments that the file
/// gives them: in a file made offline each is shown once, and one of variable frame rate when it is due. A movie that
/// joins a running session begins with its first frame. Interlaced pictures are deinterlaced, pixels that are not
/// square are scaled to square ones, and a turn that the file asks for is made. ``MovieSound`` is its sound.
public final class MovieSource: FrameProducer {
    public let node: GraphNode
    let path: String
    let options: MovieReader.Options
    /// For the sound that goes with its pictures.
    let timing: MovieTiming

    /// - Parameters:
    ///   - path: The file; a pipe cannot be searched.
    ///   - loops: Whether it begins again at its end, for ever, without a gap.
    ///   - from: Where it begins: the first frame that is not before this.
    ///   - to: Where it ends: the first frame that is not shown any more; nil for the file's end.
    ///   - frameRate: The rate that an output takes over from it; nil takes the file's.
    public init(
        _ path: String, loops: Bool = false, from: Duration = .zero, to: Duration? = nil, frameRate: FrameRate? = nil
    ) {
        let options = MovieReader.Options(from: max(.zero, from), to: to, loops: loops, rate: frameRate)
        let timing = MovieTiming()
        (self.path, self.options, self.timing) = (path, options, timing)
        node = GraphNode(
            .source(
                ReaderSpecification(timed: path) { () throws(SourceError) in
                    try MovieReader(path: path, options, timing)
                }))
    }
}
#endif
