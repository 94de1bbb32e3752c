internal import PipConcurrency
internal import PipFrames
internal import SystemPackage

/// The loop of a camera's thread: it dequeues frames, checks, stamps and delivers them, and queues free buffers again.
///
/// A frame causes no memory allocation, except for copies for recordings and for compressed video.
final class CaptureLoop: @unchecked Sendable {
    // Thread: any, but one at a time, until `run` is called; then the capture thread only.

    private let link: CameraLink
    private let path: String
    private let calls: any V4L2Calls
    // Optional because the loop releases the device and the buffers when the camera is lost.
    private var device: V4L2Device?
    private var buffers: StreamBuffers?

    private var lifecycle: CameraLifecycle
    private var intake: FrameIntake
    private var relay: FrameRelay
    private var loss: CaptureError?
    private var rateWatch: RateWatch
    private var refusedInARow = 0
    private var emptyInARow = 0
    private var suspension: SuspensionWatch
    /// True between a suspension of the machine and the next frame.
    private var isWaking = false
    private var idle = IdleWatch()
    private var events: DeviceEvents

    /// The number of consecutive unusable frames after which the stream is restarted.
    private static let unusableLimit = 30
    /// The number of consecutive refused buffers after which the stream is restarted.
    private static let refusedLimit = 3
    /// The interval of checks for released frames, while nearly all buffers are in use.
    private static let returnInterval = Duration.milliseconds(5)
    /// The interval of checks for a suspension, while no frames arrive.
    private static let sleepInterval = Duration.milliseconds(250)

    init(
        link: CameraLink, device: V4L2Device, negotiated: NegotiatedFormat, buffers: StreamBuffers, events: DeviceEvents
    ) {
        self.events = events
        self.link = link
        self.device = device
        path = device.path
        self.buffers = buffers
        calls = device.calls
        lifecycle = CameraLifecycle(frameRate: negotiated.format.frameRate)
        intake = FrameIntake(negotiated)
        relay = FrameRelay(negotiated, link, device.calls)
        rateWatch = RateWatch(promised: negotiated.format.frameRate, hint: negotiated.rateHint)
        suspension = SuspensionWatch(device.calls.slept)
    }

    /// Queues all buffers and starts the stream, unless `isEnabled` is false.
    ///
    /// Call this function once, before ``run()``.
    ///
    /// - Parameters:
    ///   - isEnabled: True to start the stream; otherwise it can be started later.
    ///   - makeDecoder: The factory of the decoder, called after the start of the stream, or at once without a stream.
    /// - Throws: ``CaptureError`` when the driver refuses to start the stream.
    func start(isEnabled: Bool, _ makeDecoder: () -> (any DecodingStage)?) throws(CaptureError) {
        guard let device, let buffers else { return }
        guard isEnabled else {
            relay.decode(by: makeDecoder())
            lifecycle.disabled()
            link.publish(.disabled)
            return
        }
        var failure = buffers.start()
        // Only a failure that may be momentary is worth another try.
        if let (errno, _) = failure, errno == .invalidArgument || errno == .ioError { failure = buffers.start() }
        if let (errno, request) = failure {
            _ = buffers.streamOff()
            throw device.error(request, errno, "start streaming")
        }
        relay.decode(by: makeDecoder())
        lifecycle.streamStarted(at: calls.now)
        link.publish(.streaming)
    }

    /// Runs the capture thread until a stop command, or until the camera is lost.
    func run() {
        if events.isCovered { link.report(.covered) }
        while lifecycle.state != .lost {
            switch link.commands.next() {
            case .stop:
                close()
                return
            case .disable(let reply): reply(disable())
            case .enable(let reply): reply(enable())
            case nil: step()
            }
        }
        // The loop has released the device. Publishing the loss releases the link's reference: the last one, unless
        // another thread is using the device.
        link.publish(.lost)
        link.leaveDriver()
        if let loss { link.report(.lost(loss)) }
        refuseCommands()
    }

    // MARK: Frames

    private func step() {
        guard let device, let buffers else { return }
        guard lifecycle.isRunning else {
            let (loss, hasEvents) = idle.wait(for: device, wakeUp: link.commands.wakeUp)
            if let loss { return lose(loss) }
            guard hasEvents else { return }
            let events = takeEvents(device)
            if events.isSignalChanged { return lose(DeviceEvents.signalError(device.path)) }
            if events.count == 0 { idle.probeOnly() }
            return
        }
        queueFree(buffers)
        guard lifecycle.state != .lost else { return }
        let isWatching = buffers.queuedCount > 0 && emptyInARow < Self.refusedLimit
        let ready = calls.wait(
            device: isWatching ? device.descriptor : nil, wakeUp: link.commands.wakeUp, timeout: timeout(buffers))
        if let slept = suspension.newSuspension(calls.slept) { return wakeUp(after: slept) }
        // A camera without free buffers cannot deliver, and so does not count as stalled.
        if !isWatching {
            emptyInARow = 0
            lifecycle.driverAnswered(at: calls.now)
        }
        if ready.contains(.event), takeEvents(device).isSignalChanged {
            return fail(DeviceEvents.signalError(device.path))
        }
        if let news = events.controlReport(at: calls.now) { link.report(news) }
        if !ready.isDisjoint(with: [.readable, .failed]) { drain(device, buffers, ready) }
        guard let silence = lifecycle.silence(at: calls.now) else { return }
        if isWaking {
            return lose(
                CaptureError(
                    .failed, device: device.path, operation: "go on after the machine has slept",
                    reason: "the camera has delivered no frame for \(silence)"))
        }
        link.publish(.stalled)
        link.report(.stalled(after: silence))
        if let error = restartStream() { lose(error) }
    }

    /// Reads the device's events, and reports the events that must not wait.
    ///
    /// - Returns: The number of events, and whether the input's signal has changed.
    private func takeEvents(_ device: V4L2Device) -> (count: Int, isSignalChanged: Bool) {
        let taken = events.take(from: device)
        for event in taken.news { link.report(event) }
        return (taken.count, taken.isSignalChanged)
    }

    private func timeout(_ buffers: StreamBuffers) -> Duration {
        let now = calls.now
        let isImpatient = buffers.queuedCount < 2 || emptyInARow >= Self.refusedLimit
        let longest = isImpatient ? Self.returnInterval : Self.sleepInterval
        return lifecycle.deadline.map { min(longest, max(.zero, now.duration(to: $0))) } ?? longest
    }

    private func queueFree(_ buffers: StreamBuffers) {
        guard let errno = buffers.queueFree() else {
            refusedInARow = 0
            return
        }
        refusedInARow += 1
        // The driver usually accepts a refused buffer the next time.
        guard errno == .noDevice || refusedInARow >= Self.refusedLimit else { return }
        refusedInARow = 0
        fail(error(.queueBuffer, errno, "give a buffer back"))
    }

    /// Dequeues all filled buffers, and passes on the newest frame.
    private func drain(_ device: V4L2Device, _ buffers: StreamBuffers, _ ready: Readiness) {
        var count = 0
        var failure: CaptureError?
        // The driver cannot fill more buffers than exist, whatever it reports.
        taking: while count < buffers.count {
            switch buffers.dequeue() {
            case .filled(let filled):
                count += 1
                take(filled, buffers)
            case .empty:
                emptyInARow = count == 0 ? emptyInARow + 1 : 0
                if count == 0 && ready.contains(.failed) {
                    failure = CaptureError(
                        device: device.path, operation: "wait for a frame", call: "poll", errno: .ioError)
                }
                break taking
            case .failed(let errno):
                failure = error(.dequeueBuffer, errno, "read a frame")
                break taking
            case .nonsense:
                failure = CaptureError(
                    .failed, device: device.path, operation: "read a frame",
                    reason: "the driver returned a buffer that was not queued, or more bytes than the buffer holds")
                break taking
            }
        }
        relay.passNewest(buffers)
        if failure == nil && intake.unusableInARow >= Self.unusableLimit {
            failure = CaptureError(
                .failed, device: device.path, operation: "use its frames",
                reason: "\(intake.unusableInARow) frames in a row were damaged or too short")
        }
        if let failure { fail(failure) }
    }

    private func take(_ filled: FilledBuffer, _ buffers: StreamBuffers) {
        let now = calls.now
        lifecycle.driverAnswered(at: now)
        guard let taken = intake.take(filled, now: now, link) else { return }
        if let problem = intake.newTimestampProblem() { link.report(.timestampsEstimated(problem)) }
        relay.take(taken, buffers)
        isWaking = false
        if let event = rateWatch.frameArrived(lost: taken.lost, at: now) { link.report(event) }
        if let event = lifecycle.frameArrived(at: now) {
            link.publish(.streaming)
            link.report(event)
        }
    }

    // MARK: Failures

    private func fail(_ error: CaptureError) {
        if error.kind == .disconnected || error.kind == .noSignal { return lose(error) }
        switch lifecycle.failed(at: calls.now) {
        case .giveUp: lose(error)
        case .restart:
            if let failure = restartStream() { return lose(failure) }
            lifecycle.streamStarted(at: calls.now)
            link.report(.restarted(error))
        }
    }

    /// Stops and starts the stream; returns nil for success.
    private func restartStream() -> CaptureError? {
        guard let buffers else { return nil }
        link.enterDriver(at: calls.now)
        defer { link.leaveDriver() }
        if let errno = buffers.streamOff() { return error(.streamOff, errno, "restart the stream") }
        return startStream(buffers, to: "restart the stream")
    }

    private func startStream(_ buffers: StreamBuffers, to operation: String) -> CaptureError? {
        intake.streamRestarted()
        rateWatch.streamRestarted()
        emptyInARow = 0
        return buffers.start().map { error($0.request, $0.errno, operation) }
    }

    private var gone: CaptureError {
        CaptureError(
            .disconnected, device: path, operation: "be switched on or off", reason: "the camera is closed or lost")
    }

    private func error(_ request: V4L2Request, _ errno: Errno, _ operation: String) -> CaptureError {
        guard let device else { return gone }
        return device.error(request, errno, operation)
    }

    /// Ends the loop with an error: stops the stream, and releases the device and the buffers.
    ///
    /// A buffer stays mapped until its last frame is released.
    private func lose(_ error: CaptureError) {
        guard lifecycle.state != .lost else { return }
        lifecycle.lost()
        loss = error
        link.enterDriver(at: calls.now)
        release()
    }

    /// Restarts the stream after a suspension, because the driver's filled buffers are outdated.
    ///
    /// Many cameras deliver no frames after a suspension until the stream restarts. A camera that delivers no frame
    /// after the restart counts as lost, not as stalled, so that the slot reopens it.
    private func wakeUp(after duration: Duration) {
        link.outlet.endPeriod(.late, by: link.ticket, at: calls.now)
        relay.discard(.late)
        if let failure = restartStream() { return lose(failure) }
        lifecycle.streamStarted(at: calls.now)
        link.publish(.streaming)
        isWaking = true
        link.report(.slept(duration))
    }

    // MARK: Commands

    private func disable() -> CaptureError? {
        guard lifecycle.isRunning, let buffers else { return nil }
        link.enterDriver(at: calls.now)
        let failure = buffers.streamOff()
        link.leaveDriver()
        if let errno = failure {
            let error = error(.streamOff, errno, "switch the camera off")
            lose(error)
            return error
        }
        link.outlet.endPeriod(.disabled, by: link.ticket, at: calls.now)
        relay.discard(.disabled)
        lifecycle.disabled()
        link.publish(.disabled)
        link.report(.disabled)
        return nil
    }

    private func enable() -> CaptureError? {
        guard lifecycle.state == .disabled, let buffers else { return nil }
        if let error = startStream(buffers, to: "switch the camera on") {
            if error.kind == .disconnected { lose(error) }
            return error
        }
        lifecycle.streamStarted(at: calls.now)
        // The stream needs no restart for a suspension while the camera was off.
        _ = suspension.newSuspension(calls.slept)
        link.publish(.streaming)
        link.report(.enabled)
        return nil
    }

    private func close() {
        link.enterDriver(at: calls.now)
        lifecycle.closed()
        release()
        link.publish(.closed)
        link.leaveDriver()
        refuseCommands()
    }

    private func release() {
        relay.end()
        buffers?.giveUp()
        buffers = nil
        device = nil
    }

    private func refuseCommands() {
        for command in link.commands.finish() {
            switch command {
            case .stop: break
            case .disable(let reply), .enable(let reply): reply(gone)
            }
        }
    }
}
