#if Media
internal import PipCompose
public import PipFrames
public import PipGraph
internal import PipSources

/// The meaning of transparency in a movie: VP8 and VP9 in WebM, QuickTime Animation, PNG and ProRes 4444 have it.
public enum MovieAlpha: Sendable, Hashable {
    /// The file's own meaning, and straight where it says nothing.
    case automatic
    /// Colours are those of the opaque picture.
    case straight
    /// Alpha is multiplied into the colours already.
    case premultiplied
    /// The picture is opaque.
    case ignored

    /// The sentence about kinds of movies whose transparency cannot be decoded here; nil when all can.
    package static var obstacle: String? {
        guard (try? GStreamer.start()) != nil else { return nil }
        let missing = ["vp8alphadecodebin", "vp9alphadecodebin"].filter { !GStreamer.has($0) }
        return missing.isEmpty ? nil : GStreamer.missing(missing).reason
    }
}

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
    ///   - alpha: The meaning of transparency in its pictures.
    public init(
        _ path: String, loops: Bool = false, from: Duration = .zero, to: Duration? = nil, frameRate: FrameRate? = nil,
        alpha: MovieAlpha = .automatic
    ) {
        let options = MovieReader.Options(
            from: max(.zero, from), to: to, loops: loops, rate: frameRate, alpha: alpha)
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
