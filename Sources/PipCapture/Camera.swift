package import Logging
internal import PipCodecs
package import PipConcurrency
package import PipFrames
internal import Synchronization

/// An open camera: one thread that delivers its newest frame.
///
/// Any thread may use it. When the last reference goes, the camera stops by itself.
package final class Camera: Sendable {
    package let device: CameraDevice
    /// Mode, layout and colour encoding of its frames.
    ///
    /// Negotiated when the camera is opened, and constant afterwards.
    package let format: CameraFormat

    /// True when its buffers are exported as dma-bufs.
    let sharesBuffers: Bool

    /// True when a shutter was closed when it was opened.
    let beginsCovered: Bool

    /// The factor by which it zooms by a part of its sensor, as it was opened.
    let sensorZoom: Double

    /// The modes that it offers, in the driver's order.
    package let modes: [CameraMode]

    private let link: CameraLink
    private let calls: any V4L2Calls
    private let thread = Mutex<Phase>(.stopped)

    private enum Phase {
        case opened(CaptureLoop, NegotiatedFormat, VideoStart?)
        case running(WorkerThread)
        case stopped
    }

    /// Video, and the decoder that waits for its first picture.
    private struct VideoStart {
        let video: VideoStage.Video
        let decoder: any VideoDecoder
    }

    /// Opens a camera and sets it to the mode nearest to a wish.
    ///
    /// Takes as long as the driver does; nothing streams yet.
    ///
    /// - Parameters:
    ///   - device: The camera.
    ///   - wish: The requested settings.
    ///   - calls: The kernel, or a fake of it.
    ///   - logger: Receives the events too.
    ///   - onEvent: Called on the camera's threads with each event, once a fault. It must not block.
    /// - Throws: ``CaptureError``; then nothing is left open.
    package convenience init(
        _ device: CameraDevice, wish: CameraWish = CameraWish(), calls: any V4L2Calls = KernelCalls(),
        logger: Logger? = nil, onEvent: @escaping @Sendable (CameraEvent) -> Void = { _ in }
    ) throws(CaptureError) {
        try self.init(device, wish: wish, calls: calls, logger: logger, place: nil, onEvent: onEvent)
    }

    /// Opens a camera that delivers to a slot's outlet.
    ///
    /// - Parameters:
    ///   - device: The camera.
    ///   - wish: The requested settings.
    ///   - calls: The kernel, or a fake of it.
    ///   - logger: Receives the events too.
    ///   - place: Settings that a slot hands from one camera to its successor; nil for a camera by itself.
    ///   - onEvent: Called on the camera's threads with each event, once a fault. It must not block.
    /// - Throws: ``CaptureError``; then nothing is left open.
    init(
        _ device: CameraDevice, wish: CameraWish, calls: any V4L2Calls, logger: Logger?, place: CameraPlace?,
        onEvent: @escaping @Sendable (CameraEvent) -> Void
    ) throws(CaptureError) {
        let node = try V4L2Device(path: device.path, calls: calls)
        let identity = try NodeIdentity(node)
        let isVirtual = identity.driver == NodeIdentity.loopbackDriver
        let negotiated = try Negotiation(device: node, bufferType: identity.bufferType, isVirtual: isVirtual).run(
            wish, onRefusedControl: place?.onRefusedControl)
        let video = try Self.videoStart(negotiated, device.path, place?.videoDecoding)
        let buffers = try StreamBuffers(
            node, negotiated, export: BufferExport(isWanted: place?.wantsSharedBuffers ?? false, for: device))
        let commands = try CaptureCommands(device: device.path, calls: calls)
        self.device = device
        self.calls = calls
        format = negotiated.format
        sharesBuffers = buffers.isShared
        modes = negotiated.modes
        sensorZoom = negotiated.sensorZoom
        let path = device.path
        let report: @Sendable (CameraEvent) -> Void = { event in
            logger?.log(level: event.isTrouble ? .warning : .info, "\(path): \(event)")
            onEvent(event)
        }
        let place = place ?? CameraPlace(outlet: FrameOutlet(onEvent: report), ticket: 0)
        link = CameraLink(
            device: node, commands: commands, outlet: place.outlet, ticket: place.ticket, onRisk: place.onRisk,
            report: report)
        let events = DeviceEvents(node)
        beginsCovered = events.isCovered
        let loop = CaptureLoop(link: link, device: node, negotiated: negotiated, buffers: buffers, events: events)
        thread.withLock { $0 = .opened(loop, negotiated, video) }
        logger?.info("\(path): opened as \(format.mode)")
    }

    deinit { _ = link.commands.send(.stop) }

    /// Where the newest frame lies until it is taken.
    ///
    /// A frame that is kept keeps one of the driver's buffers.
    package var frames: Mailbox<Frame> { link.outlet.frames }

    /// Where the camera stands.
    package var state: CameraState { link.cameraState }

    /// The open device; nil when it is closed.
    var openNode: V4L2Device? { link.device }

    /// Numbers since the start.
    package var statistics: CameraStatistics { link.outlet.statistics(now: calls.now) }

    /// The least time between two delivered frames; nil delivers all.
    ///
    /// Others are dropped as decimated before they are decoded. It can be set at any time, from any thread.
    package var pace: Duration? {
        get { link.outlet.pace > .zero ? link.outlet.pace : nil }
        set { link.outlet.pace = newValue ?? .zero }
    }

    /// The next lighter mode, for a bus without room for this one: MJPEG, then a lower rate, then a smaller size.
    ///
    /// nil when there is none. It carries no controls.
    package var lighterWish: CameraWish? {
        chooseLighterMode(than: format.mode, among: modes).map {
            CameraWish(size: $0.size, frameRate: $0.frameRate, format: $0.format)
        }
    }

    /// Starts the stream.
    ///
    /// - Parameter onFrame: Called on the camera's thread after each frame that was put in ``frames``. It must not
    ///   block.
    /// - Throws: ``CaptureError``: kind `noBandwidth` when the bus is full, `busy` when another program was faster.
    package func start(onFrame: @escaping @Sendable () -> Void = {}) throws(CaptureError) {
        link.outlet.setOnFrame(onFrame)
        try start(isEnabled: true)
    }

    /// Starts its thread, and the stream unless the camera is to be switched on later.
    func start(isEnabled: Bool) throws(CaptureError) {
        try thread.withLock { (phase) throws(CaptureError) in
            guard case .opened(let loop, let negotiated, let video) = phase else {
                throw CaptureError(
                    .failed, device: device.path, operation: "start streaming", reason: "it was started before")
            }
            try loop.start(isEnabled: isEnabled) { makeDecoder(negotiated, video) }
            phase = .running(WorkerThread(name: threadName("cam"), clock: calls.clock) { loop.run() })
        }
    }

    /// Stops the stream for good and closes the device; returns within 100 ms, even when no frames come.
    ///
    /// A frame that was not taken counts as late; frames that are still held stay valid.
    package func stop() async {
        let running = takeThread()
        await running?.joined()
        finishStopping()
    }

    /// Stops the stream for good and closes the device, unless the driver does not answer.
    ///
    /// Blocks the calling thread. A frame that was not taken may still be taken.
    ///
    /// - Parameter deadline: The end of the wait; the camera's thread is then left behind with what it holds.
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

    private func finishStopping() {
        link.outlet.endPeriod(.late, by: link.ticket, at: calls.now)
        link.publish(state == .lost ? .lost : .closed)
    }

    /// Since when the camera's thread has been in a call that a dead device may never answer; nil while it is in none.
    var inDriverSince: Timestamp? { link.inDriverSince }

    /// Switches the camera off without giving up its format or its buffers: `VIDIOC_STREAMOFF`, and nothing else.
    ///
    /// - Throws: ``CaptureError`` when the camera is lost or closed.
    package func disable() async throws(CaptureError) { try await setEnabled(false) }

    /// Switches it on again: all free buffers are queued, then `VIDIOC_STREAMON`.
    ///
    /// - Throws: ``CaptureError`` when the camera is lost or closed, or the bus is full by now: then it stays off.
    package func enable() async throws(CaptureError) { try await setEnabled(true) }

    private func setEnabled(_ isEnabled: Bool) async throws(CaptureError) {
        let failure = await withCheckedContinuation { continuation in
            setEnabled(isEnabled) { continuation.resume(returning: $0) }
        }
        if let failure { throw failure }
    }

    /// Switches it off or on; `reply` is called with the failure, if any, from the camera's thread or at once.
    func setEnabled(_ isEnabled: Bool, _ reply: @escaping @Sendable (CaptureError?) -> Void) {
        let isRunning = thread.withLock { if case .running = $0 { true } else { false } }
        if !isRunning || !link.commands.send(isEnabled ? .enable(reply) : .disable(reply)) { reply(notRunning) }
    }

    private var notRunning: CaptureError {
        CaptureError(.failed, device: device.path, operation: "switch it on or off", reason: "it is not streaming")
    }

    /// Makes sure that video can be decoded, before anything streams.
    private static func videoStart(
        _ negotiated: NegotiatedFormat, _ device: String, _ decoding: (any VideoDecoding)?
    ) throws(CaptureError) -> VideoStart? {
        guard negotiated.deviceFormat == .video else { return nil }
        let format = negotiated.format.deviceFourCC
        do throws(VideoDecodingError) {
            guard let decoding else { throw VideoDecodingError("this program has no decoder for what cameras encode") }
            let video = VideoStage.Video(format: format, size: negotiated.format.mode.size, decoding: decoding)
            return VideoStart(video: video, decoder: try video.makeDecoder())
        } catch {
            throw CaptureError(
                .unsupported, device: device, operation: "use its \(format)", reason: error.reason,
                hint: "ask for another format, if it has one")
        }
    }

    private func makeDecoder(_ negotiated: NegotiatedFormat, _ video: VideoStart?) -> (any DecodingStage)? {
        let pixelFormat = negotiated.pixelFormat
        var recording: RecordedRate?
        let make: @Sendable () -> (any FrameDecoder)?
        switch negotiated.deviceFormat {
        case .native: return nil
        case .video:
            let path = device.path
            return video.map { start in
                VideoStage(
                    name: threadName("dec"), start.video, start.decoder, rate: format.frameRate, outlet: link.outlet,
                    calls: calls
                ) { [report = link.report] reason in
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
            name: threadName("dec"), layout: format.layout, colorimetry: format.colorimetry, outlet: link.outlet,
            calls: calls, recording: recording, makeDecoder: make)
    }

    private func threadName(_ prefix: String) -> String {
        "\(prefix) \(device.path.split(separator: "/").last ?? "")"
    }
}
