#if Media
internal import CGStreamer
internal import PipCapture
public import PipCompose
internal import PipFrames
internal import Synchronization

extension SessionOptions {
    /// Lets the session use cameras that send H.264 or H.265: the media engine decodes their video.
    ///
    /// Without this call, the session refuses such formats. A session chooses such a format where a camera has no
    /// other, or where the camera's settings name the format: `CameraWish(format: CameraWish.format(named: "h264"))`.
    public mutating func decodeCameraVideo() { videoDecoding = CameraVideo() }
}

/// Makes decoders for the H.264 and H.265 video of cameras, in the media engine.
///
/// A decoder runs on video hardware where there is any.
struct CameraVideo: VideoDecoding {
    func makeDecoder(of format: FourCC, _ size: PixelSize) throws(VideoDecodingError) -> any VideoDecoder {
        guard let coding = AnnexB(format) else {
            throw VideoDecodingError("\(format) cannot be decoded; only H.264 and HEVC can")
        }
        do throws(MediaError) { return try CameraVideoDecoder(coding, size) } catch {
            throw VideoDecodingError(error.reason)
        }
    }
}

/// A pipeline that decodes the compressed video of one camera.
final class CameraVideoDecoder: VideoDecoder {
    private let coding: AnnexB
    private let format: PacketFormat
    private let pipeline: Pipeline
    private let inlet: Inlet
    /// The decoded pictures.
    ///
    /// Thread: only the thread that calls `next(within:)`.
    private let pictures: Mutex<PictureOutlet>
    /// True until a key picture arrives, and again after a dropped picture: pictures before a key picture cannot be
    /// decoded.
    private let waitsForKey = Atomic<Bool>(true)

    /// The largest number of pictures that wait to be decoded; further pictures are dropped up to a key picture.
    private static let mostWaiting = 15

    /// Starts a decoder, which produces nothing before its first key picture.
    ///
    /// - Throws: ``MediaError`` when no decoder is installed, or the pipeline cannot start.
    init(_ coding: AnnexB, _ size: PixelSize) throws(MediaError) {
        self.coding = coding
        pipeline = try Pipeline(
            "appsrc name=in is-live=true ! \(coding.name)parse ! decodebin name=decode ! \(PictureOutlet.elements)")
        format = PacketFormat(
            parsing: "video/x-\(coding.name),stream-format=byte-stream,alignment=au,width=\(size.width),"
                + "height=\(size.height)")
        guard unsafe StreamMedium.video.isDecoded(format.caps) else {
            throw GStreamer.missing(["avdec_\(coding.name)"])
        }
        inlet = Inlet("in", of: pipeline)
        inlet.use(format)
        pictures = Mutex(PictureOutlet(pipeline, capacity: 4, drops: false))
        try pipeline.play()
    }

    deinit { pipeline.stop() }

    @unsafe func push(_ bytes: UnsafeRawBufferPointer, at time: Timestamp) -> Bool {
        // A picture that refers to a dropped one cannot be decoded: the decoder starts again at a key picture.
        if inlet.level >= Self.mostWaiting { waitsForKey.store(true, ordering: .relaxed) }
        if waitsForKey.load(ordering: .relaxed) {
            guard inlet.level < Self.mostWaiting, unsafe coding.isKey(bytes) else { return false }
            waitsForKey.store(false, ordering: .relaxed)
        }
        guard let buffer = unsafe gst_buffer_new_allocate(nil, gsize(bytes.count), nil) else { return false }
        unsafe gst_buffer_fill(buffer, 0, bytes.baseAddress, gsize(bytes.count))
        unsafe buffer.pointee.pts = GstClockTime(max(0, time.nanoseconds))
        unsafe buffer.pointee.dts = unsafe buffer.pointee.pts
        return unsafe inlet.push(buffer)
    }

    func next(within timeout: Duration) -> DecodedVideo {
        switch pictures.withLock({ $0.next(within: timeout) }) {
        case .picture(let picture):
            guard let time = picture.time else { return .nothing }
            return .picture(
                picture.layout, picture.format.colorimetry, picture.memory,
                time: Timestamp(nanoseconds: time.nanoseconds))
        case .nothing: return .nothing
        case .ended: return .failed("the camera's video decoder has ended")
        case .failed(let error): return .failed(error.reason)
        }
    }

    func stop() { pipeline.stop() }
}
#endif
