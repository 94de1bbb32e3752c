#if Media
public import PipCompose
internal import PipSinks

/// A live stream as files for any web server, in HTTP Live Streaming.
///
/// Use this sink for many viewers who accept some seconds of delay.
///
/// ```swift
/// let live = picture --> HLSStream("/var/www/live/index.m3u8")
/// ```
///
/// The segments are MPEG transport streams beside the playlist, each of which begins with a key frame. The output
/// replaces the playlist in one step. At the stream's end, the playlist states that no segments follow.
public struct HLSStream: Sink {
    public let label: String
    private let length: Int?
    private let movie: MovieFile

    /// Creates a stream.
    ///
    /// - Parameters:
    ///   - path: The path of the playlist, such as `live/index.m3u8`. Segments are named after the playlist.
    ///   - encoding: The encoding: H.264 or H.265.
    ///   - sound: The sound: a mixer, or a single input. Nil for a stream without sound.
    ///   - segment: The duration of a segment.
    ///   - length: The number of segments in the playlist; a number below 3 counts as 3, because players begin three
    ///     segments before the end. As many older segments stay on the disk, for clients with an older playlist. Nil
    ///     keeps all segments.
    public init(
        _ path: String, encoding: VideoEncoding = VideoEncoding(), sound: (any AudioProducer)? = nil,
        segment: Duration = .seconds(2), length: Int? = 6
    ) {
        label = path
        self.length = length
        let dot = path.lastIndex(of: ".") ?? path.endIndex
        let stem = path[..<dot].split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
        movie = MovieFile(
            "\(stem)-%05d.ts", container: .ts, encoding: encoding,
            sound: sound.map { [$0] } ?? [], segments: .duration(segment), overwrites: true)
    }

    public var destination: SinkDestination? { .file(label) }

    public var opening: SinkOpening {
        movie.opening(playlist: HLSPlaylist(path: label, length: length.map { max(3, $0) }))
    }
}
#endif
