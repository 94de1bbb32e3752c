internal import PipConcurrency
internal import PipFrames

/// Copies a camera's frames for recordings of every frame.
///
/// Each frame is copied once, however many recordings receive the copy. Copying never waits for a recording.
///
/// Thread: any, but one at a time.
struct FrameCopier: ~Copyable {
    private let rate: FrameRate?
    private let format: DeviceFormat
    /// The V4L2 code of the driver's format; nil for decoded frames.
    private let deviceFourCC: FourCC?
    private var pool: FramePool

    /// The most uncompressed pictures that recordings may hold at once.
    ///
    /// While recordings hold that many, further pictures are dropped and counted.
    private static let poolLimit = 24

    /// Makes a copier for frames as a driver delivers them.
    init(_ negotiated: NegotiatedFormat) {
        self.init(
            negotiated.deviceFormat, negotiated.format.deviceFourCC, negotiated.format.layout,
            rate: negotiated.format.frameRate)
    }

    /// Makes a copier for decoded frames of a camera with the given frame rate.
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
    /// Frames that need conversion are left out: ``copy(_:to:)`` copies the converted frames.
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
        case .jpeg: offer(.jpeg(bytes(of: frame, payload)), frame.info, to: subscribers)
        case .video:
            if let deviceFourCC { offer(.video(bytes(of: frame, payload), deviceFourCC), frame.info, to: subscribers) }
        case .convertible, .deep, .interlaced: break
        }
    }

    /// True for compressed video, whose pictures depend on earlier pictures.
    var isOfVideo: Bool { format == .video }

    private func bytes(of frame: Frame, _ payload: FilledBuffer.Plane) -> [UInt8] {
        unsafe Array(frame.buffer.bytes(ofPlane: 0)[payload.offset..<payload.offset + payload.byteCount])
    }

    private func offer(
        _ payload: CapturedFrame.Payload, _ info: FrameInfo, to subscribers: [CountedQueue<CapturedFrame>]
    ) {
        let captured = CapturedFrame(info: info, rate: rate, payload: payload)
        for subscriber in subscribers { subscriber.offer(captured) }
    }

    /// Copies a picture to all subscribers, or counts it as dropped for each while no memory is free.
    mutating func copy(_ frame: Frame, to subscribers: [CountedQueue<CapturedFrame>]) {
        guard let buffer = pool.next() else {
            for subscriber in subscribers { subscriber.countDrop() }
            return
        }
        let copy = frame.copied(into: buffer, pool.layout)
        offer(.pixels(buffer), copy.info, to: subscribers)
    }
}
