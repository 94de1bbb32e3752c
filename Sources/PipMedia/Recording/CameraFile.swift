#if Media
public import PipCompose
public import PipFrames
internal import PipSinks

/// A recording of every frame of a camera, as its driver delivers it.
///
/// ```swift
/// let road = CameraSource("C920")
/// let everyFrame = road --> CameraFile("road.mp4")
/// let composed = picture --> MovieFile("drive.mp4")
/// ```
///
/// Frames have the driver's timestamps, whatever rate the session composes at. JPEG pictures of a camera that sends
/// MJPEG are written byte for byte, into MP4, QuickTime or Matroska, and so is H.264 or H.265 of a camera, unless an
/// encoding is asked for; frames of a camera that sends pixels are encoded.
/// While the camera is away, the file has a gap. Frames that the machine has no time for are counted in the output's
/// statistics, and hold up neither the camera nor what is composed.
public struct CameraFile: Sendable {
    /// The file's path, as it was given.
    public let label: String
    private let movie: MovieFile
    private let followsCamera: Bool
    private let takesVideo: Bool

    /// - Parameters:
    ///   - path: The file, whose ending says the container. Fields of `strftime` and `%05d` are filled in as those of a
    ///     ``MovieFile`` are.
    ///   - container: The container; nil goes by the ending.
    ///   - encoding: How frames are compressed that the camera sends as pixels, or as video; nil takes the container's
    ///     usual codec, and video as it is.
    ///   - sound: Its tracks of sound: a mixer, or inputs of one each for themselves.
    ///   - soundEncoding: How sound is compressed; nil takes the container's usual codec.
    ///   - segments: When it goes on in another file; no frame is lost or twice.
    ///   - keep: How much stays; nil keeps everything.
    ///   - overwrites: Whether a file of the name is replaced.
    ///   - onFull: The behaviour when the disk is full or failing.
    ///   - orientation: How players are to turn the pictures; nil as the camera is turned. MP4 and QuickTime files say
    ///     it.
    public init(
        _ path: String, container: MovieContainer? = nil, encoding: VideoEncoding? = nil,
        sound: [any AudioProducer] = [], soundEncoding: AudioEncoding? = nil,
        segments: SegmentLimit? = nil, keep: Retention? = nil, overwrites: Bool = false, onFull: DiskPolicy = .stop,
        orientation: Orientation? = nil
    ) {
        label = path
        followsCamera = orientation == nil
        takesVideo = encoding == nil
        movie = MovieFile(
            path, container: container, encoding: encoding, sound: sound, soundEncoding: soundEncoding,
            segments: segments, keep: keep, overwrites: overwrites, onFull: onFull,
            orientation: orientation ?? .identity)
    }

    /// The sink that it is connected as.
    fileprivate var sink: CameraFileSink {
        CameraFileSink(movie: movie, followsCamera: followsCamera, takesVideo: takesVideo)
    }
}

/// Records every frame of a camera, as its driver delivers it.
///
/// - Returns: The handle by which the recording is paused, split, stopped and asked.
@discardableResult
public func --> (camera: CameraSource, file: CameraFile) -> Output { camera.record(file.sink) }

/// A camera's file as a sink, for which nothing is drawn.
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
            takesCamera: true,
            open: { context throws(SinkError) in
                let checked = try movie.checked()
                guard var camera = context.camera else {
                    throw SinkError(label, "open", .invalidOptions, "it records a camera's frames, and gets others")
                }
                var plan = checked.plan
                plan.title = MovieTags.title(context.cameraNames)
                plan.clock = context.clock
                camera.takesVideo = takesVideo && plan.container.holds(.h264) && plan.container.holds(.h265)
                if followsCamera { plan.orientation = camera.orientation }
                try movie.check(plan, codec: try codec(of: camera, checked.encoding, plan.container))
                return CameraRecorder(
                    camera, checked.encoding, try movie.openSound(checked.sound, context), plan,
                    movie.segments, context)
            })
    }

    /// The codec of what the camera sends, or is encoded as.
    ///
    /// - Throws: ``PipSinks/SinkError`` when the container cannot hold it, or no encoder makes it.
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
