#if Media
internal import PipCompose
public import PipFrames
public import PipGraph
internal import PipSources

/// The meaning of alpha in the pictures of a movie.
///
/// VP8 and VP9 in WebM, QuickTime Animation, PNG and ProRes 4444 can have alpha. Set the meaning on a ``MovieSource``
/// only where a file's own statement is missing or wrong.
public enum MovieAlpha: Sendable, Hashable {
    /// The meaning that the file states; a file that states none has straight alpha.
    case automatic
    /// The colours are not multiplied by alpha.
    case straight
    /// The colours are already multiplied by alpha.
    case premultiplied
    /// Alpha is ignored: the picture is opaque.
    case ignored

    /// A sentence that names the elements missing to decode the alpha of VP8 and VP9.
    ///
    /// Nil when none is missing, and when GStreamer does not start.
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
/// Use this source for recordings beside live sources, or alone to render offline. The source decodes the file's first
/// video stream, in hardware where possible.
///
/// Frames have the file's timestamps. An offline output of the same frame rate shows each frame once, and frames of a
/// variable rate appear when they are due. A movie that joins a running session starts with its first frame.
///
/// The source deinterlaces, scales to square pixels, and turns the pictures as the file states. ``MovieSound`` plays
/// the sound.
public final class MovieSource: FrameProducer {
    public let node: GraphNode
    let path: String
    let options: MovieReader.Options
    /// The progress of the frames, which the movie's sound follows.
    let timing: MovieTiming

    /// Creates a source, which opens the file when its session opens.
    ///
    /// - Parameters:
    ///   - path: The path of the file. A pipe does not work, because the source seeks in the file.
    ///   - loops: True to play the file again and again, without a gap.
    ///   - from: The beginning: the first frame at or after this time in the file.
    ///   - to: The end: frames from this time in the file on are not shown. Nil to play to the file's end.
    ///   - frameRate: The frame rate that the source reports to an output without a rate of its own. Nil reports the
    ///     file's rate.
    ///   - alpha: The meaning of alpha in the pictures.
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
