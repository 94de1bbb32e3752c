package import Logging
internal import PipCodecs
package import PipConcurrency
package import PipFrames
internal import Synchronization

/// An open camera, whose thread delivers the newest frame.
///
/// The camera stops when its last reference is released.
///
/// Thread: any.
package final class Camera: Sendable {
    package let device: CameraDevice
    /// The mode, layout and colour encoding of the camera's frames.
    ///
    /// Negotiation sets the format when the camera is opened; the format is constant afterwards.
    package let format: CameraFormat

    /// True when the driver's buffers are exported as dma-bufs.
    let sharesBuffers: Bool

    /// True when the privacy shutter was closed at the time the camera was opened.
    let beginsCovered: Bool

    /// The zoom factor of the sensor crop that was set at opening; 1 without a crop.
    let sensorZoom: Double

    /// The camera's modes, in the driver's order of formats.
    package let modes: [CameraMode]

    private let link: CameraLink
    private let calls: any V4L2Calls
    private let thread = Mutex<Phase>(.stopped)

    private enum Phase {
        case opened(CaptureLoop, NegotiatedFormat, VideoStage.Video?)
        case running(WorkerThread)
        case stopped
    }

    /// Opens a camera and sets it to the mode nearest to `wish`.
    ///
    /// Blocks while the driver answers. ``start(onFrame:)`` starts the stream.
    ///
    /// - Parameters:
    ///   - device: The camera.
    ///   - wish: The requested settings.
    ///   - calls: The kernel, or a test's fake.
    ///   - logger: The log that receives every event.
    ///   - onEvent: Receives each event on the camera's threads; a fault is reported once. The function must not block.
    /// - Throws: ``CaptureError``; then nothing is left open.
    package convenience init(
        _ device: CameraDevice, wish: CameraWish = CameraWish(), calls: any V4L2Calls = KernelCalls(),
        logger: Logger? = nil, onEvent: @escaping @Sendable (CameraEvent) -> Void = { _ in }
    ) throws(CaptureError) {
        let path = device.path
        try self.init(device, wish: wish, calls: calls, slot: nil) { event in
            logger?.log(level: event.isTrouble ? .warning : .info, "\(path): \(event)")
            onEvent(event)
        }
        logger?.info("\(path): opened as \(format.mode)")
    }

    /// Opens a camera that delivers its frames to a slot's outlet.
    ///
    /// - Parameters:
    ///   - device: The camera.
    ///   - wish: The requested settings.
    ///   - calls: The kernel, or a test's fake.
    ///   - slot: The slot that the camera delivers to; nil for a camera by itself.
    ///   - report: Receives each event on the camera's threads; a fault is reported once. The function must not block.
    /// - Throws: ``CaptureError``; then nothing is left open.
    init(
        _ device: CameraDevice, wish: CameraWish, calls: any V4L2Calls, slot: SlotConnection?,
        report: @escaping @Sendable (CameraEvent) -> Void
    ) throws(CaptureError) {
        let node = try V4L2Device(path: device.path, calls: calls)
        let identity = try NodeIdentity(node)
        let isVirtual = identity.driver == NodeIdentity.loopbackDriver
        let negotiated = try Negotiation(device: node, bufferType: identity.bufferType, isVirtual: isVirtual).run(
            wish, onRefusedControl: slot?.onRefusedControl)
        let video = try Self.video(negotiated, device.path, slot?.videoDecoding)
        let buffers = try StreamBuffers(
            node, negotiated, export: BufferExport(isWanted: slot?.wantsSharedBuffers ?? false, for: device))
        let commands = try CaptureCommands(device: device.path, calls: calls)
        self.device = device
        self.calls = calls
        format = negotiated.format
        sharesBuffers = buffers.isShared
        modes = negotiated.modes
        sensorZoom = negotiated.sensorZoom
        let slot = slot ?? SlotConnection(outlet: FrameOutlet(onEvent: report), ticket: 0)
        link = CameraLink(device: node, commands: commands, slot: slot, report: report)
        let events = DeviceEvents(node)
        beginsCovered = events.isCovered
        let loop = CaptureLoop(link: link, device: node, negotiated: negotiated, buffers: buffers, events: events)
        thread.withLock { $0 = .opened(loop, negotiated, video) }
    }

    deinit { _ = link.commands.send(.stop) }

    /// A mailbox that holds the newest frame until the consumer takes it.
    ///
    /// A frame that the consumer keeps occupies one of the driver's or the decoder's buffers.
    package var frames: Mailbox<Frame> { link.outlet.frames }

    /// The state of the camera and its stream at the time of the call.
    package var state: CameraState { link.cameraState }

    /// The open device; nil once the camera is closed or lost.
    var openNode: V4L2Device? { link.device }

    /// The frame counters since the start.
    package var statistics: CameraStatistics { link.outlet.statistics(now: calls.now) }

    /// The minimum interval between delivered frames; nil delivers all frames.
    ///
    /// The frames between delivered ones are dropped with the reason `decimated`: before decoding, or after decoding if
    /// the camera sends H.264 or H.265.
    ///
    /// Thread: any, at any time.
    package var pace: Duration? {
        get { link.outlet.pace > .zero ? link.outlet.pace : nil }
        set { link.outlet.pace = newValue ?? .zero }
    }

    /// A request for the mode to try next on a bus without bandwidth: MJPEG, then a lower rate, then a smaller size.
    ///
    /// Nil when no such mode exists. The request names a size, a rate and a pixel format only.
    package var lighterWish: CameraWish? {
        chooseLighterMode(than: format.mode, among: modes).map {
            CameraWish(size: $0.size, frameRate: $0.frameRate, format: $0.format)
        }
    }

    /// Starts the stream.
    ///
    /// - Parameter onFrame: The function to call on the camera's thread after each new frame in ``frames``. It must not
    ///   block.
    /// - Throws: ``CaptureError`` when the driver refuses the stream (kind `noBandwidth` for a full bus, `busy` for
    ///   another program's stream), and when this camera was started or stopped before (kind `failed`).
    package func start(onFrame: @escaping @Sendable () -> Void = {}) throws(CaptureError) {
        link.outlet.setOnFrame(onFrame)
        try start(isEnabled: true)
    }

    /// Starts the camera's thread, and also the stream if `isEnabled` is true.
    func start(isEnabled: Bool) throws(CaptureError) {
        try thread.withLock { (phase) throws(CaptureError) in
            guard case .opened(let loop, let negotiated, let video) = phase else {
                throw CaptureError(
                    .failed, device: device.path, operation: "start streaming",
                    reason: "the camera was started or stopped before: open it again")
            }
            try loop.start(isEnabled: isEnabled) { makeDecoder(negotiated, video) }
            phase = .running(WorkerThread(name: threadName("cam"), clock: calls.clock) { loop.run() })
        }
    }

    /// Stops the stream for good and closes the device, even when no frames come.
    ///
    /// The call waits without limit for a driver that does not answer. A frame that the consumer has not taken counts
    /// as late. Frames that the consumer still holds stay valid.
    package func stop() async {
        await takeThread()?.joined()
        link.outlet.endPeriod(.late, by: link.ticket, at: calls.now)
        link.publish(state == .lost ? .lost : .closed)
    }

    /// Stops the stream for good and closes the device, unless the driver does not answer.
    ///
    /// Blocks the calling thread. The consumer may still take the newest frame.
    ///
    /// - Parameter deadline: The end of the wait. After it, the camera's thread is abandoned with all that it holds.
    /// - Returns: True when the device is closed.
    func close(until deadline: Timestamp) -> Bool {
        guard let running = takeThread() else {
            link.publish(state == .lost ? .lost : .closed)
            return true
        }
        return running.join(until: deadline)
    }

    private func takeThread() -> WorkerThread? {
        let running = thread.withLock { phase -> WorkerThread? in
            defer { phase = .stopped }
            guard case .running(let thread) = phase else { return nil }
            return thread
        }
        _ = link.commands.send(.stop)
        return running
    }

    /// The time at which the camera's thread entered a driver call that a dead device may never answer.
    ///
    /// Nil outside of such calls.
    var inDriverSince: Timestamp? { link.inDriverSince }

    /// Stops the stream with `VIDIOC_STREAMOFF` alone, and keeps the format and the buffers.
    ///
    /// - Throws: ``CaptureError`` when the camera was not started, or is closed or lost. A camera whose stream cannot
    ///   be stopped is lost.
    package func disable() async throws(CaptureError) { try await setEnabled(false) }

    /// Queues all free buffers and starts the stream again with `VIDIOC_STREAMON`.
    ///
    /// - Throws: ``CaptureError`` when the camera was not started, is closed or lost, or when the driver refuses the
    ///   stream, such as on a full bus: then the stream stays off.
    package func enable() async throws(CaptureError) { try await setEnabled(true) }

    private func setEnabled(_ isEnabled: Bool) async throws(CaptureError) {
        let failure = await withCheckedContinuation { continuation in
            setEnabled(isEnabled) { continuation.resume(returning: $0) }
        }
        if let failure { throw failure }
    }

    /// Switches the stream on or off, and calls `reply` with the failure, if any.
    ///
    /// `reply` runs on the camera's thread, or at once on the caller's thread when the camera does not run.
    func setEnabled(_ isEnabled: Bool, _ reply: @escaping @Sendable (CaptureError?) -> Void) {
        let isRunning = thread.withLock { if case .running = $0 { true } else { false } }
        if !isRunning || !link.commands.send(isEnabled ? .enable(reply) : .disable(reply)) { reply(notRunning) }
    }

    private var notRunning: CaptureError {
        CaptureError(
            .failed, device: device.path, operation: "be switched on or off",
            reason: "the camera is not running: start it first")
    }

    /// Makes the video decoder before the stream starts, so that an undecodable format fails early.
    ///
    /// Nil for formats other than H.264 and H.265.
    private static func video(
        _ negotiated: NegotiatedFormat, _ device: String, _ decoding: (any VideoDecoding)?
    ) throws(CaptureError) -> VideoStage.Video? {
        guard negotiated.deviceFormat == .video else { return nil }
        do throws(VideoDecodingError) {
            guard let decoding else { throw VideoDecodingError("this program has no decoder for cameras' video") }
            return try VideoStage.Video(negotiated.format, decoding)
        } catch {
            throw CaptureError(
                .unsupported, device: device, operation: "use its \(negotiated.format.deviceFourCC)",
                reason: error.reason,
                hint: "request another format, if the camera has one")
        }
    }

    private func makeDecoder(_ negotiated: NegotiatedFormat, _ video: VideoStage.Video?) -> (any DecodingStage)? {
        let pixelFormat = negotiated.pixelFormat
        var recording: RecordedRate?
        let make: @Sendable () -> (any FrameDecoder)?
        switch negotiated.deviceFormat {
        case .native: return nil
        case .video:
            let path = device.path
            return video.map { video in
                VideoStage(name: threadName("dec"), video, outlet: link.outlet, calls: calls) {
                    [report = link.report] reason in
                    report(
                        .restarted(CaptureError(.failed, device: path, operation: "decode its video", reason: reason)))
                }
            }
        case .jpeg: make = { try? JPEGDecoder() }
        case .deep(let samples):
            let stride = negotiated.memory[0].strideInBytes
            recording = RecordedRate(rate: format.frameRate)
            make = { DeepDecoder(samples, stride: stride) }
        case .interlaced(let pixelFormat, let interlacing):
            let source = NativeLayout.layout(pixelFormat, format.layout.size, negotiated.memory, memoryPlanes: 1)
            recording = RecordedRate(rate: format.frameRate)
            make = { Deinterlacer(source, interlacing) }
        case .convertible:
            recording = RecordedRate(rate: format.frameRate)
            make = { [weak node = link.device] in node.flatMap { LibraryDecoder($0, pixelFormat) } }
        }
        return DecoderThread(
            name: threadName("dec"),
            DecodedFormat(layout: format.layout, colorimetry: format.colorimetry, recording: recording),
            outlet: link.outlet, calls: calls, makeDecoder: make)
    }

    private func threadName(_ prefix: String) -> String {
        "\(prefix) \(device.path.split(separator: "/").last ?? "")"
    }
}
