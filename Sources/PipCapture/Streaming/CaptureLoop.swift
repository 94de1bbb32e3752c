internal import PipConcurrency
internal import PipFrames
internal import SystemPackage

/// The work of a camera's thread: wait, take, check, stamp, hand over, queue again.
///
/// A frame costs no allocation and no lock but the outlet's.
final class CaptureLoop: @unchecked Sendable {
    // Made by the thread that opens the camera; used by the capture thread alone once `run` has begun.

    let link: CameraLink
    let calls: any V4L2Calls
    private let colorimetry: Colorimetry
    // The resources are given up early when the camera is lost.
    var device: V4L2Device?
    var buffers: StreamBuffers?
    var decoder: DecoderThread?

    var lifecycle: CameraLifecycle
    var intake: FrameIntake
    private var pacer: Pacer
    var loss: CaptureError?
    var rateWatch: RateWatch
    private var refusedInARow = 0
    var emptyInARow = 0
    /// The time suspended since boot, at the last look.
    var knownSleep: Duration
    /// True after a suspension, until the first frame.
    var isWaking = false
    /// True when `poll` on a stopped stream stays silent until the device is gone.
    var idleIsTold = true

    /// Unusable frames, one after the other, that are worth a restart of the stream.
    private static let unusableLimit = 30
    /// Buffers that the driver refused to take, one after the other, that are worth a restart.
    private static let refusedLimit = 3
    /// While the pipeline holds nearly all buffers, it is asked for them this often.
    private static let returnInterval = Duration.milliseconds(5)
    /// Without frames, the thread looks this often whether the machine has slept.
    private static let sleepInterval = Duration.milliseconds(250)

    init(link: CameraLink, device: V4L2Device, negotiated: NegotiatedFormat, buffers: StreamBuffers) {
        self.link = link
        self.device = device
        self.buffers = buffers
        calls = device.calls
        colorimetry = negotiated.format.colorimetry
        lifecycle = CameraLifecycle(frameRate: negotiated.format.frameRate)
        intake = FrameIntake(negotiated)
        pacer = Pacer(frameRate: negotiated.format.frameRate)
        rateWatch = RateWatch(promised: negotiated.format.frameRate, hint: negotiated.rateHint)
        knownSleep = device.calls.slept
    }

    /// Queues all buffers and starts the stream.
    ///
    /// Called once, before ``run()``.
    ///
    /// - Parameters:
    ///   - isEnabled: True to start the stream; otherwise it can be started later.
    ///   - makeDecoder: Called when the stream can run.
    /// - Throws: ``CaptureError`` when the driver refuses twice.
    func start(isEnabled: Bool, _ makeDecoder: () -> DecoderThread?) throws(CaptureError) {
        guard let device, let buffers else { return }
        guard isEnabled else {
            decoder = makeDecoder()
            lifecycle.disabled()
            link.publish(.disabled)
            return
        }
        var failure = buffers.queueFree().map { ($0, V4L2Request.queueBuffer) }
        if failure == nil { failure = buffers.streamOn().map { ($0, .streamOn) } }
        // A failure of the moment is worth another try; a full bus, a busy or a missing device is not.
        if let (errno, _) = failure, errno == .invalidArgument || errno == .ioError {
            failure = (buffers.queueFree() ?? buffers.streamOn()).map { ($0, .streamOn) }
        }
        if let (errno, request) = failure {
            _ = buffers.streamOff()
            throw device.error(request, errno, "start streaming")
        }
        decoder = makeDecoder()
        lifecycle.streamStarted(at: calls.now)
        link.publish(.streaming)
    }

    /// The thread's body; returns when it is told to stop or the camera is lost.
    func run() {
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
        // Only here has everyone let go of the device.
        link.publish(.lost)
        link.leaveDriver()
        if let loss { link.report(.lost(loss)) }
        refuseCommands()
    }

    // MARK: Frames

    private func step() {
        guard let device, let buffers else { return }
        guard lifecycle.isRunning else { return stepIdle() }
        queueFree(buffers)
        guard lifecycle.state != .lost else { return }
        let isWatching = buffers.queuedCount > 0 && emptyInARow < Self.refusedLimit
        let ready = calls.wait(
            device: isWatching ? device.descriptor : nil, wakeUp: link.commands.wakeUp, timeout: timeout(buffers))
        if let slept = hasSlept() { return wakeUp(after: slept) }
        // Without a buffer the camera cannot deliver: that is no stall.
        if !isWatching {
            emptyInARow = 0
            lifecycle.showedLife(at: calls.now)
        }
        if ready.contains(.event), SourceChange.isPending(device) {
            return fail(SourceChange.error(device.path))
        }
        if !ready.isDisjoint(with: [.readable, .failed]) { drain(device, buffers, ready) }
        guard let silence = lifecycle.silence(at: calls.now) else { return }
        if isWaking {
            return lose(
                CaptureError(
                    .failed, device: device.path, operation: "go on after the machine has slept",
                    reason: "it has delivered nothing for \(silence)"))
        }
        link.publish(.stalled)
        link.report(.stalled(after: silence))
        if let error = restartStream() { lose(error) }
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
        // A buffer that was refused once is usually taken the next time.
        guard errno == .noDevice || refusedInARow >= Self.refusedLimit else { return }
        refusedInARow = 0
        fail(error(.queueBuffer, errno, "give a buffer back"))
    }

    /// Takes all that is ready and hands over the newest.
    private func drain(_ device: V4L2Device, _ buffers: StreamBuffers, _ ready: Readiness) {
        var newest: FrameIntake.Taken?
        var count = 0
        var failure: CaptureError?
        // There cannot be more than there are buffers, whatever the driver says.
        taking: while count < buffers.count {
            switch buffers.dequeue() {
            case .filled(let filled):
                count += 1
                take(filled, &newest)
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
                    reason: "the driver returned a buffer that it did not have, or more than it holds")
                break taking
            }
        }
        if let newest { handOver(newest, buffers) }
        if failure == nil && intake.unusableInARow >= Self.unusableLimit {
            failure = CaptureError(
                .failed, device: device.path, operation: "use its frames",
                reason: "\(intake.unusableInARow) in a row were damaged or too short")
        }
        if let failure { fail(failure) }
    }

    private func take(_ filled: FilledBuffer, _ newest: inout FrameIntake.Taken?) {
        let now = calls.now
        lifecycle.showedLife(at: now)
        guard let taken = intake.take(filled, now: now, link) else { return }
        if let problem = intake.timestampNews() { link.report(.timestampsEstimated(problem)) }
        if taken.sequence != nil {
            if newest != nil { link.outlet.drop(.late, at: now) }
            newest = taken
        }
        isWaking = false
        if let event = rateWatch.frameArrived(lost: taken.lost, at: now) { link.report(event) }
        if let event = lifecycle.frameArrived(at: now) {
            link.publish(.streaming)
            link.report(event)
        }
    }

    private func handOver(_ taken: FrameIntake.Taken, _ buffers: StreamBuffers) {
        guard let sequence = taken.sequence else { return }
        guard pacer.admits(taken.timestamp, every: link.outlet.pace) else {
            link.outlet.drop(.decimated, at: calls.now)
            return
        }
        let memory = buffers.memory(of: taken.filled)
        let period = link.outlet.period
        if let decoder {
            let plane = taken.filled.planes[0]
            let frame = UndecodedFrame(
                buffer: memory, offset: plane.offset, byteCount: plane.byteCount, timestamp: taken.timestamp,
                isTimestampEstimated: taken.isEstimated, sequence: sequence, period: period)
            decoder.submit(frame, now: calls.now)
            return
        }
        let info = FrameInfo(
            layout: intake.layout(of: taken.filled), colorimetry: colorimetry, timestamp: taken.timestamp,
            isTimestampEstimated: taken.isEstimated, sequence: sequence)
        link.outlet.deliver(Frame(info: info, buffer: memory), period: period, now: calls.now)
    }
}
