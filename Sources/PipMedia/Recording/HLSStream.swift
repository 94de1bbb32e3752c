#if Media
public import PipCompose
internal import PipSinks

/// A live stream as files that any web server delivers: HTTP Live Streaming.
///
/// ```swift
/// let live = picture --> HLSStream("/var/www/live/index.m3u8")
/// ```
///
/// Beside the list lie its files, MPEG transport streams that each begin with a key frame; the list is replaced in one
/// step. When the output ends, the list says so.
public struct HLSStream: Sink {
    public let label: String
    private let length: Int?
    private let movie: MovieFile

    /// - Parameters:
    ///   - path: The list, as `live/index.m3u8`; its files are named after it.
    ///   - encoding: How it is compressed: H.264 or H.265.
    ///   - sound: Its sound: a mixer, or one input of it; nil for none.
    ///   - segment: How long a file is.
    ///   - length: Files in the list; as many older ones stay for those who have an older list. Nil keeps all.
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
