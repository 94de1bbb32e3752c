#if Media
internal import PipSinks

/// The files that movies are kept in.
public enum MovieContainer: String, Sendable, CaseIterable {
    /// MP4: written in fragments, so that it plays after a crash, and made an ordinary one at the end.
    case mp4
    /// QuickTime, written like ``mp4``.
    case mov
    /// Matroska.
    case mkv
    /// WebM.
    case webm
    /// An MPEG transport stream.
    case ts

    /// The container that a file's name asks for; nil when its ending is none of a movie's.
    public init?(path: String) {
        guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return nil }
        let ending = path[path.index(after: dot)...].lowercased()
        let others: [String: MovieContainer] = ["m4v": .mp4, "qt": .mov, "m2ts": .ts, "mts": .ts]
        guard let container = MovieContainer(rawValue: ending) ?? others[ending] else { return nil }
        self = container
    }

    /// What may be in it, the usual one first.
    public var codecs: [VideoCodec] {
        switch self {
        case .mp4: [.h264, .h265, .av1, .vp9]
        case .mov: [.h264, .h265]
        case .mkv: [.h264, .h265, .av1, .vp8, .vp9, .mjpeg]
        case .webm: [.vp8, .vp9, .av1]
        case .ts: [.h264, .h265]
        }
    }

    /// True when packets of a codec may be in it, made here or by a camera.
    func holds(_ codec: VideoCodec) -> Bool {
        codecs.contains(codec) || codec == .mjpeg && (self == .mp4 || self == .mov)
    }

    /// The error of a file that is to hold what a camera sends, and cannot.
    func refusal(of codec: VideoCodec, in sink: String) -> SinkError {
        let able = MovieContainer.allCases.filter { $0.holds(codec) }.map { ".\($0.rawValue)" }
        return SinkError(
            sink, "open", .invalidOptions,
            "a .\(rawValue) file cannot hold the \(codec.name) pictures that the camera sends; "
                + "\(able.joined(separator: ", ")) can")
    }

    /// What sound may be in it as, the usual one first.
    public var audioCodecs: [AudioEncoding.Codec] {
        switch self {
        // Of Opus in MP4 players make different beginnings.
        case .mp4, .mov, .ts: [.aac]
        case .mkv: [.aac, .opus]
        case .webm: [.opus]
        }
    }

    /// Packets of sound of which each is to have another size; 1 where sizes do not matter.
    ///
    /// The muxer leaves the size of a fragment's last packet out where it is that of the first (GStreamer 1.22,
    /// `atom_traf_add_samples`), and after a crash nothing would play. A fragment has fewer packets than these.
    var distinctSizes: Int {
        switch self {
        case .mp4, .mov: 32
        case .mkv, .webm, .ts: 1
        }
    }

    /// The way of pictures into the element that writes the file.
    var picturePad: String {
        switch self {
        case .mp4, .mov, .mkv, .webm: "mux.video_%u"
        case .ts: "mux."
        }
    }

    /// The way of sound into that element.
    var soundPad: String {
        switch self {
        case .mp4, .mov, .mkv, .webm: "mux.audio_%u"
        case .ts: "aacparse ! audio/mpeg,stream-format=adts ! mux."
        }
    }

    /// The element that writes it, with its properties.
    ///
    /// - Parameter codec: Of the picture: JPEG pictures are a QuickTime track, in an MP4 file, too.
    /// - Returns: The element's description.
    func muxer(of codec: VideoCodec) -> String {
        // 90 kHz: the moments of frames as they were, to 11 µs.
        let fragments = "fragment-duration=500 fragment-mode=first-moov-then-finalise trak-timescale=90000"
        return switch self {
        case .mp4 where codec != .mjpeg: "mp4mux name=mux \(fragments)"
        case .mp4, .mov: "qtmux name=mux \(fragments)"
        case .mkv: "matroskamux name=mux min-cluster-duration=200000000 max-cluster-duration=500000000"
        case .webm: "webmmux name=mux min-cluster-duration=200000000 max-cluster-duration=500000000"
        case .ts: "mpegtsmux name=mux"
        }
    }
}
#endif
