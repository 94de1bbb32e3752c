#if Media
internal import PipCompose
public import PipFrames
public import PipGraph
internal import PipSources

/// The meaning of transparency in a movie.
///
/// VP8 and VP9 in WebM, QuickTime Animation, PNG and ProRes 4444 can have it. Set it on a ``MovieSource`` only where a
/// file's own statement is missing or wrong.
public enum MovieAlpha: Sendable, Hashable {
    /// The meaning that the file states; a file that states none has straight alpha.
    case automatic
    /// The colours are those of the opaque picture.
    case straight
    /// The colours are multiplied by alpha already.
    case premultiplied
    /// The picture is drawn opaque.
    case ignored

    /// The sentence about movies whose transparency cannot be decoded here; nil when all can.
    package static var obstacle: String? {
        guard (try? GStreamer.start()) != nil else { return nil }
        let missing = ["vp8alphadecodebin", "vp9alphadecodebin"].filter { !GStreamer.has($0) }
        return missing.isEmpty ? nil : GStreamer.missing(missing).reason
    }
}

/// A movie file: MP4, QuickTime, Matroska, WebM, AVI, an MPEG stream, and other formats with a decoder plug-in.
///
/// ```swift
/// let clip = MovieSource("clip.mp4", loops: true, from: .seconds(10), to: .seconds(70))
/// ```
///
/// Use this source for recordings beside live sources, or alone to render offline. It decodes the file's first video
/// stream, on a device where one can. Frames have the times that the file gives them: an output made offline shows each
/// frame once, and frames of a variable rate appear when they are due. A movie that joins a running session begins with
/// its first frame. The source deinterlaces, scales to square pixels, and turns the pictures as the file states.
/// ``MovieSound`` plays the sound.
public final class MovieSource: FrameProducer {
    public let node: GraphNode
    let path: String
    let options: MovieReader.Options
    /// The timing of the frames, which the movie's sound follows.
    let timing: MovieTiming

    /// - Parameters:
    ///   - path: The file's path. A pipe does not work, since the file is searched.
    ///   - loops: True to play the file again and again, without a gap.
    ///   - from: The beginning: the first frame at this time or later.
    ///   - to: The end: the first frame that is not shown any more. Nil plays to the file's end.
    ///   - frameRate: The frame rate that an output takes over. Nil takes the file's.
    ///   - alpha: The meaning of transparency in the pictures.
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
