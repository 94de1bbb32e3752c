internal import PipConcurrency
internal import PipFrames

/// Copies a camera's frames for recordings of every frame.
///
/// A frame costs one copy, however many recordings share it, and never blocks.
///
/// Thread: one at a time.
struct FrameCopier: ~Copyable {
    private let rate: FrameRate?
    private let format: DeviceFormat
    /// The driver's format; nil for decoded frames.
    private let deviceFourCC: FourCC?
    private var pool: FramePool

    /// The most pictures that recordings may hold at once.
    ///
    /// Beyond them, frames are dropped and counted.
    private static let poolLimit = 24

    /// Makes a copier for frames as a driver delivers them.
    init(_ negotiated: NegotiatedFormat) {
        self.init(
            negotiated.deviceFormat, negotiated.format.deviceFourCC, negotiated.format.layout,
            rate: negotiated.format.frameRate)
    }

    /// Makes a copier for decoded frames, at the rate that the driver promises.
    init(decoded layout: FrameLayout, rate: FrameRate?) {
        self.init(.native(layout.format, memoryPlanes: 1), nil, layout, rate: rate)
    }

    private init(_ format: DeviceFormat, _ device: FourCC?, _ layout: FrameLayout, rate: FrameRate?) {
        self.format = format
        deviceFourCC = device
        self.rate = rate
        pool = FramePool(FrameLayout(layout.format, layout.size), limit: Self.poolLimit)
    }

    /// Copies a frame from the driver to all subscribers.
    ///
    /// Frames that need conversion are skipped, and copied once converted.
    ///
    /// - Parameters:
    ///   - frame: The frame. A compressed picture has the layout of its decoded form.
    ///   - payload: The range of a compressed picture's bytes.
    ///   - subscribers: The receiving queues.
    mutating func copy(
        _ frame: Frame, _ payload: FilledBuffer.Plane, to subscribers: [CountedQueue<CapturedFrame>]
    ) {
        switch format {
        case .native: copy(frame, to: subscribers)
        case .jpeg:
            let captured = unsafe CapturedFrame(
                info: frame.info, rate: rate, payload: .jpeg(Array(bytes(of: frame, payload))))
            for subscriber in subscribers { subscriber.offer(captured) }
        case .video:
            guard let deviceFourCC else { return }
            let captured = unsafe CapturedFrame(
                info: frame.info, rate: rate, payload: .video(Array(bytes(of: frame, payload)), deviceFourCC))
            for subscriber in subscribers { subscriber.offer(captured) }
        case .convertible, .deep, .interlaced: break
        }
    }

    /// True for video, whose pictures depend on others.
    var isOfVideo: Bool { format == .video }

    @unsafe private func bytes(of frame: Frame, _ payload: FilledBuffer.Plane) -> Slice<UnsafeRawBufferPointer> {
        unsafe frame.buffer.bytes(ofPlane: 0)[payload.offset..<payload.offset + payload.byteCount]
    }

    /// Copies a picture to all subscribers.
    mutating func copy(_ frame: Frame, to subscribers: [CountedQueue<CapturedFrame>]) {
        guard let buffer = pool.next() else {
            for subscriber in subscribers { subscriber.countDrop() }
            return
        }
        let copy = frame.copied(into: buffer, pool.layout)
        let captured = CapturedFrame(info: copy.info, rate: rate, payload: .pixels(buffer))
        for subscriber in subscribers { subscriber.offer(captured) }
    }
}
