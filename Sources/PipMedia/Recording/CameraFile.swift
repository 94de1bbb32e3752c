#if Media
public import PipCompose
public import PipFrames
internal import PipSinks

/// A recording of every frame of a camera, as the camera's driver delivers it.
///
/// Connect a recording to a ``/PipCompose/CameraSource`` to keep the camera's own pictures beside the composed picture.
///
/// ```swift
/// let road = CameraSource("C920")
/// let everyFrame = road --> CameraFile("road.mp4")
/// let composed = picture --> MovieFile("drive.mp4")
/// ```
///
/// Frames have the driver's timestamps, whatever the session's frame rate. MP4, QuickTime and Matroska files contain
/// the JPEG pictures of an MJPEG camera byte for byte. A camera's H.264 or H.265 is not encoded
/// again, unless `encoding` is given or the file is WebM. Frames that the camera sends as pixels are encoded.
///
/// While the camera is unplugged, the file has a gap. The output's statistics count the frames that the machine was too
/// busy to record. The recording delays neither the camera nor the composed picture.
public struct CameraFile: Sendable {
    /// The path of the file, as the caller gave it.
    public let label: String
    private let movie: MovieFile
    private let followsCamera: Bool
    private let takesVideo: Bool

    /// Creates a recording.
    ///
    /// - Parameters:
    ///   - path: The path of the file, whose extension decides the container. Fields of `strftime` and `%05d` are
    ///     replaced as in a ``MovieFile``.
    ///   - container: The container. Nil takes the container of the extension.
    ///   - encoding: The encoding of frames that the camera sends as pixels or video. Nil takes the container's usual
    ///     codec for pixels, and records video as it is if the container holds H.264 and H.265.
    ///   - sound: The sound tracks: a mixer, or single inputs.
    ///   - soundEncoding: The encoding of sound. Nil takes the container's usual codec.
    ///   - texts: The track of texts, which MP4, QuickTime and Matroska files can hold; nil for none.
    ///   - segments: The length of each file. No frame is lost between files or stored twice. Nil for one file.
    ///   - clips: The length of a clip around each marked moment; nothing else is recorded then. Nil records
    ///     everything.
    ///   - keep: The amount of old files to keep. Nil keeps all.
    ///   - overwrites: True to replace an existing file. Of several files, only the first replaces an existing file.
    ///   - onFull: The behaviour when the disk is full or failing.
    ///   - orientation: The orientation in which players show the pictures. Nil takes the camera's orientation. Only
    ///     MP4 and QuickTime files can store an orientation.
    public init(
        _ path: String, container: MovieContainer? = nil, encoding: VideoEncoding? = nil,
        sound: [any AudioProducer] = [], soundEncoding: AudioEncoding? = nil,
        texts: TextTrack? = nil, segments: SegmentLimit? = nil, clips: ClipWindow? = nil, keep: Retention? = nil,
        overwrites: Bool = false, onFull: DiskPolicy = .stop, orientation: Orientation? = nil
    ) {
        label = path
        followsCamera = orientation == nil
        takesVideo = encoding == nil
        movie = MovieFile(
            path, container: container, encoding: encoding, sound: sound, soundEncoding: soundEncoding,
            texts: texts, segments: segments, clips: clips, keep: keep, overwrites: overwrites, onFull: onFull,
            orientation: orientation ?? .identity)
    }

    /// The sink that a session opens for the recording.
    fileprivate var sink: CameraFileSink {
        CameraFileSink(movie: movie, followsCamera: followsCamera, takesVideo: takesVideo)
    }
}

/// Records every frame of a camera, as the camera's driver delivers it.
///
/// - Returns: The output, which pauses, splits and stops the recording, and has its statistics.
@discardableResult
public func --> (camera: CameraSource, file: CameraFile) -> Output { camera.record(file.sink) }

/// The sink of a camera's recording, which gets no composed frames.
private struct CameraFileSink: Sink {
    let movie: MovieFile
    let followsCamera: Bool
    let takesVideo: Bool

    var label: String { movie.label }
    var destination: SinkDestination? { movie.destination }

    var opening: SinkOpening {
        SinkOpening(
            request: { () throws(SinkError) in
                _ = try movie.checked()
                return SinkRequest(format: .i420)
            },
            takesCamera: true, inputs: SoundInputs(movie.sound),
            open: { context throws(SinkError) in
                let checked = try movie.checked()
                guard var camera = context.camera else {
                    throw SinkError(
                        label, "open", .invalidOptions, "it records only a camera's own frames: connect it to a camera")
                }
                var plan = checked.plan
                plan.title = MovieTags.title(context.cameraNames)
                plan.clock = context.clock
                camera.takesVideo = takesVideo && plan.container.holds(.h264) && plan.container.holds(.h265)
                if followsCamera { plan.orientation = camera.orientation }
                try movie.check(plan, codec: try codec(of: camera, checked.encoding, plan.container))
                return CameraRecorder(
                    camera, encoding: checked.encoding, tracks: try movie.openTracks(checked.sound, context),
                    plan: plan, context: context)
            })
    }

    /// Returns the codec of the camera's own pictures, or of the encoding.
    ///
    /// - Throws: ``PipSinks/SinkError`` when the container cannot hold a camera's JPEG pictures, or when no encoder for
    ///   the encoding is installed.
    private func codec(
        of camera: CameraFeed, _ encoding: VideoEncoding, _ container: MovieContainer
    ) throws(SinkError) -> VideoCodec {
        guard camera.sendsJPEG != true else {
            guard container.holds(.mjpeg) else { throw container.refusal(of: .mjpeg, in: label) }
            return .mjpeg
        }
        if camera.takesVideo, let video = camera.deviceFourCC.flatMap({ AnnexB($0) }) { return video.codec }
        do throws(MediaError) { _ = try EncoderChoice.format(encoding) } catch {
            throw SinkError(label, "open", .cannotCreate, error.reason)
        }
        return encoding.codec
    }
}
#endif
