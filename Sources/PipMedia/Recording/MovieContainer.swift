#if Media
internal import PipFrames
internal import PipSinks

/// The file formats of movies.
///
/// Outputs choose the format by the file's extension, unless a container is given.
public enum MovieContainer: String, Sendable, CaseIterable {
    /// MP4, written in fragments, so that the file plays after a crash. At the recording's end, the file becomes an
    /// ordinary MP4 file.
    case mp4
    /// QuickTime, written in fragments like ``mp4``.
    case mov
    case mkv
    case webm
    /// An MPEG transport stream.
    case ts

    /// The container for a file's extension; nil for an unsupported extension, and for a path without an extension.
    public init?(path: String) {
        guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return nil }
        let ending = path[path.index(after: dot)...].lowercased()
        let others: [String: MovieContainer] = ["m4v": .mp4, "qt": .mov, "m2ts": .ts, "mts": .ts]
        guard let container = MovieContainer(rawValue: ending) ?? others[ending] else { return nil }
        self = container
    }

    /// The text of the error for a file whose extension is not a movie's.
    static var unknownExtension: String {
        "its extension must be one of \(allCases.map { ".\($0.rawValue)" }.joined(separator: ", "))"
    }

    /// The codecs to which a recording in this container can be encoded, the default one first.
    ///
    /// MP4 and QuickTime also hold a camera's own Motion JPEG, which this list leaves out.
    public var codecs: [VideoCodec] {
        switch self {
        case .mp4: [.h264, .h265, .av1, .vp9]
        case .mov: [.h264, .h265]
        case .mkv: [.h264, .h265, .av1, .vp8, .vp9, .mjpeg]
        case .webm: [.vp8, .vp9, .av1]
        case .ts: [.h264, .h265]
        }
    }

    /// True when the container can hold packets of a codec, from an encoder or from a camera.
    func holds(_ codec: VideoCodec) -> Bool {
        codecs.contains(codec) || codec == .mjpeg && (self == .mp4 || self == .mov)
    }

    /// Makes the error for a container that cannot hold the pictures that a camera sends.
    func refusal(of codec: VideoCodec, in sink: String) -> SinkError {
        let able = MovieContainer.allCases.filter { $0.holds(codec) }.map { ".\($0.rawValue)" }
        return SinkError(
            sink, "open", .invalidOptions,
            "a .\(rawValue) file cannot hold the \(codec.name) pictures that the camera sends; "
                + "\(able.joined(separator: ", ")) can")
    }

    /// The codecs of sound that the container can hold, the default one first.
    public var audioCodecs: [AudioEncoding.Codec] {
        switch self {
        // Players disagree about where Opus sound in an MP4 file begins.
        case .mp4, .mov, .ts: [.aac]
        case .mkv: [.aac, .opus]
        case .webm: [.opus]
        }
    }

    /// The number of consecutive sound packets that must have different sizes; 1 where sizes do not matter.
    ///
    /// The muxer omits the size of a fragment's last packet if it equals the first packet's (GStreamer 1.22,
    /// `atom_traf_add_samples`). After a crash, such a file would not play. A fragment has fewer packets than this
    /// number.
    var distinctSizes: Int {
        switch self {
        case .mp4, .mov: 32
        case .mkv, .webm, .ts: 1
        }
    }

    /// True when a file can begin before the first picture that players show, by an edit list.
    var hasEdits: Bool { self == .mp4 || self == .mov }

    /// The play time of the fragments of MP4 and QuickTime files.
    static let usualFragment = Duration.milliseconds(500)

    /// The muxer's pad for the picture, in the notation of `gst-launch-1.0`.
    var picturePad: String {
        switch self {
        case .mp4, .mov, .mkv, .webm: "mux.video_%u"
        case .ts: "mux."
        }
    }

    /// The elements and the muxer's pad for a sound track, in the notation of `gst-launch-1.0`.
    var soundPad: String {
        switch self {
        case .mp4, .mov, .mkv, .webm: "mux.audio_%u"
        case .ts: "aacparse ! audio/mpeg,stream-format=adts ! mux."
        }
    }

    /// The muxer's pad for a track of texts, in the notation of `gst-launch-1.0`.
    var textPad: String { "mux.subtitle_%u" }

    /// True when the container can hold a track of texts.
    var holdsTexts: Bool {
        switch self {
        case .mp4, .mov, .mkv: true
        case .webm, .ts: false
        }
    }

    /// Returns the muxer with its properties, in the notation of `gst-launch-1.0`.
    ///
    /// - Parameters:
    ///   - codec: The picture's codec. JPEG pictures need a QuickTime track, even in an MP4 file.
    ///   - fragment: The play time of each fragment of an MP4 or QuickTime file. Fragments have at least one picture.
    /// - Returns: The description of the element, which is named `mux`.
    func muxer(of codec: VideoCodec, fragment: Duration = usualFragment) -> String {
        // A time scale of 90 kHz keeps the frames' timestamps exact to 11 µs.
        let fragments =
            "fragment-duration=\(fragment.nanoseconds / 1_000_000) fragment-mode=first-moov-then-finalise "
            + "trak-timescale=90000"
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
