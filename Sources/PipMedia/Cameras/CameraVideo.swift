#if Media
internal import CGStreamer
internal import PipCapture
public import PipCompose
internal import PipFrames
internal import Synchronization

extension SessionOptions {
    /// Decodes what cameras send as H.264 or H.265, by the media engine.
    ///
    /// Such a format is used where a camera is asked for it, as in `CameraWish(format: CameraWish.format(named:
    /// "h264"))`, or has no other one.
    public mutating func decodeCameraVideo() { videoDecoding = CameraVideo() }
}

/// Decodes cameras' video by the media engine, on a device where one can.
struct CameraVideo: VideoDecoding {
    func makeDecoder(of format: FourCC, _ size: PixelSize) throws(VideoDecodingError) -> any VideoDecoder {
        guard let coding = AnnexB(format) else { throw VideoDecodingError("it cannot be decoded here") }
        do throws(MediaError) { return try CameraVideoDecoder(coding, size) } catch {
            throw VideoDecodingError(error.reason)
        }
    }
}

/// A pipeline that decodes one camera's video.
final class CameraVideoDecoder: VideoDecoder {
    private let coding: AnnexB
    private let format: PacketFormat
    private let pipeline: Pipeline
    private let inlet: Inlet
    /// Used by the thread that waits.
    private let pictures: Mutex<PictureOutlet>
    /// True until a picture that the decoder can begin with.
    private let waitsForKey = Atomic<Bool>(true)

    /// Pictures that wait to be decoded, at most: a second of them is of no use any more.
    private static let mostWaiting = 15

    /// Begins to wait for the first picture.
    ///
    /// - Throws: ``MediaError`` when no decoder is installed.
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
        // Whatever was left out is missing until a picture that needs nothing.
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

    func next(within patience: Duration) -> DecodedVideo {
        switch pictures.withLock({ $0.next(within: patience) }) {
        case .picture(let picture):
            guard let time = picture.time else { return .nothing }
            return .picture(
                picture.layout, picture.format.colorimetry, picture.memory,
                time: Timestamp(nanoseconds: time.nanoseconds))
        case .nothing: return .nothing
        case .ended: return .failed("its decoder has ended")
        case .failed(let error): return .failed(error.reason)
        }
    }

    func stop() { pipeline.stop() }
}
#endif
