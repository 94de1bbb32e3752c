#if Media
internal import PipConcurrency
internal import PipFrames
internal import PipSinks
internal import Synchronization

/// The loop of the thread that turns a camera's frames into packets.
///
/// JPEG pictures and video become packets as they are; pixels are encoded.
final class CameraPackets: @unchecked Sendable {
    /// The counts and the error of frames on their way to the file.
    struct Counts {
        var drops = DropCounts()
        var error: SinkError?
        /// The end of the latest frame that came while the recording was neither paused nor failed.
        var end = Timestamp.zero
        var encoder: String?
    }

    /// Makes an encoder for frames with the format and rate of a given frame.
    typealias EncoderMaker = @Sendable (FrameInfo, FrameRate) throws(MediaError) -> VideoEncoder

    private static let interval = Duration.milliseconds(100)
    /// The frame rate when the driver does not state one.
    private static let usualRate = FrameRate(30)

    /// The queues and functions between a camera and a recording's files.
    struct Route: Sendable {
        /// The output's name in messages.
        let label: String
        let frames: CountedQueue<CapturedFrame>
        let feed: PacketFeed
        let tracks: [any TrackTap]
        let parts: RecordingParts
        /// Returns the number of bytes of pictures in the current file.
        let fileBytes: @Sendable () -> Int
        let makeEncoder: EncoderMaker
        let onError: @Sendable (SinkError) -> Void
    }

    // Only the thread that calls `run()` uses the properties, except those that are locked or constant.
    private let route: Route
    private let clock = MonotonicClock()
    private var encoder: (encoder: VideoEncoder, layout: FrameLayout, colorimetry: Colorimetry)?
    private var video = VideoPackets()
    private var pictures: (format: PacketFormat, size: PixelSize, rate: FrameRate)?
    /// The time at which the thread stops waiting for the encoder.
    let deadline = Monitor(Timestamp.distantFuture)
    let counts = Mutex(Counts())
    let isPaused = Atomic<Bool>(false)

    init(_ route: Route) { self.route = route }

    func run() {
        while !route.frames.isFinished {
            if let frame = route.frames.pop(until: clock.now.advanced(by: Self.interval)) { take(frame) }
            let drops = route.frames.takeDrops()
            if drops > 0 {
                drop(.late, drops)
                video.interrupt()
            }
        }
        // No picture follows: sound and texts end with the last picture.
        let end = counts.withLock { $0.end }
        for track in route.tracks { track.end(at: end) }
        drainEncoder()
        route.feed.end()
    }

    private func take(_ frame: CapturedFrame) {
        if isPaused.load(ordering: .relaxed) { return }
        guard counts.withLock({ $0.error }) == nil else { return drop(.disabled) }
        let time = frame.info.timestamp
        let rate = frame.rate ?? Self.usualRate
        let end = time.advanced(by: rate.interval)
        counts.withLock { $0.end = end }
        for track in route.tracks { track.reach(from: time, to: end) }
        let begins = route.parts.beginsPart(at: time, after: route.fileBytes)
        let isTaken =
            switch frame.payload {
            case .video(let bytes, let format): write(bytes, format, of: frame.info, rate, beginsPart: begins)
            case .jpeg(let bytes): write(bytes, of: frame.info, rate, beginsPart: begins)
            case .pixels(let buffer): encode(Frame(info: frame.info, buffer: buffer), rate, beginsPart: begins)
            }
        if isTaken, begins { route.parts.noteBeginning(at: time) }
    }

    // MARK: JPEG pictures

    private func write(_ bytes: [UInt8], of info: FrameInfo, _ rate: FrameRate, beginsPart: Bool) -> Bool {
        drainEncoder()
        // Players detect other damage themselves, but find no picture without a start marker.
        guard bytes.starts(with: [0xff, 0xd8]) else {
            drop(.corrupted)
            return false
        }
        let size = info.layout.size
        if pictures?.size != size || pictures?.rate != rate {
            pictures = (PacketFormat(jpeg: size, rate), size, rate)
        }
        guard let format = pictures?.format,
            let packet = Packet(bytes, format, at: info.timestamp, duration: rate.interval)
        else {
            drop(.late)
            return false
        }
        route.feed.handOver(packet, beginsPart: beginsPart)
        return true
    }

    // MARK: Video

    /// Writes a picture of compressed video.
    ///
    /// A new file must begin with a key picture: the old file continues until one comes.
    ///
    /// - Returns: True when a new file may have begun with the picture.
    private func write(
        _ bytes: [UInt8], _ format: FourCC, of info: FrameInfo, _ rate: FrameRate, beginsPart: Bool
    ) -> Bool {
        drainEncoder()
        guard let packet = video.packet(bytes, in: format, of: info, rate: rate) else {
            drop(.corrupted)
            return false
        }
        let isTaken = route.feed.handOver(packet, beginsPart: beginsPart && packet.isKey)
        if !isTaken { video.interrupt() }
        return isTaken && packet.isKey
    }

    // MARK: Pixels

    private func encode(_ frame: Frame, _ rate: FrameRate, beginsPart: Bool) -> Bool {
        let (layout, colorimetry) = (frame.layout, frame.info.colorimetry)
        if let encoder, encoder.layout != layout || encoder.colorimetry != colorimetry { drainEncoder() }
        do throws(MediaError) {
            let encoder =
                if let encoder { encoder.encoder } else { try beginEncoder(frame, rate) }
            return try offer(frame, to: encoder, beginsPart: beginsPart)
        } catch {
            fail(SinkError(route.label, "encode the camera's frames", .failed, error.reason))
            drop(.disabled)
            return false
        }
    }

    private func beginEncoder(_ frame: Frame, _ rate: FrameRate) throws(MediaError) -> VideoEncoder {
        let made = try route.makeEncoder(frame.info, rate)
        made.add(route.feed)
        encoder = (made, frame.layout, frame.info.colorimetry)
        return made
    }

    /// Encodes a frame, and waits until the encoder has room; meanwhile frames wait in the queue.
    private func offer(_ frame: Frame, to encoder: VideoEncoder, beginsPart: Bool) throws(MediaError) -> Bool {
        while true {
            encoder.expect(frame, for: route.feed, beginsPart: beginsPart)
            switch encoder.offer(frame, for: route.feed, waits: true) {
            case .taken:
                counts.withLock { $0.encoder = encoder.name ?? $0.encoder }
                return true
            case .full where clock.now < deadline.read({ $0 }):
                encoder.waitForRoom(until: clock.now.advanced(by: .milliseconds(5)))
            case .full, .dropped:
                drop(.late)
                return false
            case .failed(let error): throw error
            }
        }
    }

    /// Waits until the encoder has returned all packets, for at most 5 seconds, and then releases the encoder.
    private func drainEncoder() {
        guard let left = encoder?.encoder else { return }
        encoder = nil
        let limit = clock.now.advanced(by: .seconds(5))
        left.release(route.feed, by: min(limit, deadline.read { $0 }))
    }

    // MARK: Counts

    private func drop(_ reason: DropReason, _ count: Int = 1) { counts.withLock { $0.drops[reason] += count } }

    private func fail(_ error: SinkError) {
        counts.withLock { $0.error = error }
        route.onError(error)
    }
}
#endif
