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

/// Video as a stream of bytes in which units begin with 00 00 01.
///
/// Source: ITU-T H.264 and H.265, Annex B.
enum AnnexB {
    case h264
    case h265

    /// The video of a driver's format; nil for another format.
    init?(_ format: FourCC) {
        switch format {
        case FourCC("H264"): self = .h264
        case FourCC("HEVC"): self = .h265
        default: return nil
        }
    }

    var name: String { self == .h264 ? "h264" : "h265" }

    /// True for a picture that a decoder can begin with: its own parameters go before it, or it refers to no other.
    func isKey(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var zeros = 0
        for index in bytes.indices {
            let byte = unsafe bytes[index]
            if byte == 1, zeros >= 2, index + 1 < bytes.count, unsafe beginsKey(bytes[index + 1]) { return true }
            zeros = byte == 0 ? zeros + 1 : 0
        }
        return false
    }

    /// True for the first byte of a key picture's unit, or of a sequence's parameters.
    private func beginsKey(_ header: UInt8) -> Bool {
        switch self {
        case .h264: [5, 7].contains(header & 0x1f)
        case .h265: (16...21).contains(header >> 1 & 0x3f) || header >> 1 & 0x3f == 33
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
