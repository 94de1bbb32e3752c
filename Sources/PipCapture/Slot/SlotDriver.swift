internal import PipConcurrency
internal import PipFrames
internal import Synchronization

/// The work of a slot's thread: the state machine's actions and the owner's commands.
final class SlotDriver: Sendable {
    struct State {
        var machine = CameraSlotState()
        var selector: CameraSelector
        var wish: CameraWish
        /// The controls that were set after opening, or requested of an absent camera, in the order of setting.
        var settings: [(name: String, value: Int)] = []
        /// The one-time decisions that the camera has not finished.
        var once: OneShot
        /// The rotation of the camera's pictures; nil before the first camera.
        var turn: PictureTurn?
        /// The control values to set when the slot is closed.
        var restoredAtEnd: [(name: String, value: Int)] = []
        var isEnabled = true
        var camera: Camera?
        /// The number of the present camera, which distinguishes its events from those of other cameras.
        var ticket = -1
        /// The present camera, or the lost camera for which the slot waits; nil before the first camera was opened.
        var device: CameraDevice?
        /// The zoom control's largest factor, with the camera that was queried last; nil before the first query.
        var lensZoom: (device: CameraDevice, factor: Double)?
        /// True while the privacy shutter is closed, according to the latest report to the owner.
        var isCovered = false
        /// The zoom factor of the sensor crop that was set; 1 without a crop.
        var sensorZoom = 1.0
        var format: CameraFormat?
        var sharesBuffers = false
        /// The start of the camera's absence or stall; nil while it delivers.
        var absentSince: Timestamp?
        var hasDelivered = false
        var lastRefusal: CaptureError?
        /// The progress of the camera that is about to replace the present camera; nil without a replacement in
        /// progress.
        var successor: (ticket: Int, hasDelivered: Bool, loss: CaptureError?)?
        /// The change that can still be reverted.
        var prepared: PreparedChange?
        /// True once the owner has started the stream.
        var isStarted = false
        var isStopping = false
        /// True once the thread has ended.
        var isOver = false
    }

    let directory: CameraDirectory
    let calls: any V4L2Calls
    let outlet: FrameOutlet
    let state: Mutex<State>
    let commands = SlotCommands()
    let wantsSharedBuffers: Bool
    private let reporter: EventReporter
    private let wakeUp: CInt

    /// The longest time for a driver to stop or close a device.
    static let driverPatience = Duration.seconds(1)

    init(
        _ selector: CameraSelector, wish: CameraWish, in directory: CameraDirectory, wantsSharedBuffers: Bool,
        reporter: EventReporter
    ) throws(CaptureError) {
        self.directory = directory
        self.wantsSharedBuffers = wantsSharedBuffers
        self.reporter = reporter
        calls = directory.calls
        outlet = FrameOutlet(onEvent: reporter.onEvent)
        state = Mutex(State(selector: selector, wish: wish, once: OneShot(wish.adjustments.singleDecisions)))
        wakeUp = try calls.makeWakeUp(for: "\(selector)")
    }

    deinit { endThread() }

    /// Closes the thread's wake-up descriptor, and releases the claim on the camera.
    private func endThread() {
        let isFirst = state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        if isFirst { calls.close(wakeUp) }
        directory.claims.set(nil, of: self)
    }

    /// Ends a wait of the slot's thread; without effect once the thread has ended.
    func wake() { state.withLock { if !$0.isOver { calls.wake(wakeUp) } } }

    /// The present camera; nil while the slot has no camera open, or waits for a lost camera.
    var present: Camera? { state.withLock { $0.machine.isWaiting ? nil : $0.camera } }

    // MARK: The slot's thread

    /// Runs the thread until ``State/isStopping`` is set, and closes the camera.
    func run() {
        var watch: (any DeviceWatch)?
        while !state.withLock({ $0.isStopping }) {
            let isWaiting = state.withLock { $0.machine.isWaiting }
            if !isWaiting { watch = nil } else if watch == nil { watch = calls.watchDevices() }
            step(watch)
        }
        shutDown()
    }

    private func step(_ watch: (any DeviceWatch)?) {
        retireLost()
        let now = calls.now
        if let (command, reply) = commands.queue.next() { return reply(perform(command)) }
        if let since = state.withLock({ $0.camera?.inDriverSince }), since.duration(to: now) >= Self.driverPatience {
            return abandon()
        }
        let (action, isLookDue, isTurnDue) = state.withLock { state in
            (
                state.machine.take(.tick, at: now), state.once.deadline.map { $0 <= now } ?? false,
                state.turn?.deadline.map { $0 <= now } ?? false
            )
        }
        guard action == .none else { return execute(action) }
        if isTurnDue { followDevice() }
        followLight()
        if isLookDue { return watchDecisions() }
        let ready = calls.wait(device: watch?.descriptor, wakeUp: wakeUp, timeout: timeout(now))
        guard ready.contains(.readable), let watch, watch.drain() else { return }
        execute(state.withLock { $0.machine.take(.devicesChanged, at: calls.now) })
    }

    private func execute(_ action: CameraSlotState.Action) {
        switch action {
        case .open: attempt()
        case .reopen: if closeCamera() { attempt() }
        case .none: return
        }
    }

    private func timeout(_ now: Timestamp) -> Duration? {
        let deadline = state.withLock { state -> Timestamp? in
            let risk = state.camera?.inDriverSince?.advanced(by: Self.driverPatience)
            return [risk, state.machine.deadline, state.once.deadline, state.turn?.deadline].compactMap(\.self).min()
        }
        return deadline.map { max(.zero, now.duration(to: $0)) }
    }

    /// Reads the progress of one-time decisions, and fixes their results.
    private func watchDecisions() {
        guard let camera = state.withLock({ $0.camera }) else { return state.withLock { $0.once.pause() } }
        do throws(CaptureError) {
            if state.withLock({ $0.once.needsControls }) {
                let controls = try camera.controls()
                state.withLock { $0.once.selectControls(from: controls, at: calls.now) }
            }
            let values = try camera.values(of: state.withLock { $0.once.watchedControls })
            for outcome in state.withLock({ $0.once.evaluate(values, at: calls.now) }) { finish(outcome, of: camera) }
        } catch {
            // The camera is gone. Pending decisions restart when the camera delivers again.
            state.withLock { $0.once.pause() }
        }
    }

    private func finish(_ outcome: OneShot.Outcome, of camera: Camera) {
        do throws(CaptureError) {
            try camera.set(outcome.settings)
            state.withLock { $0.keep(outcome.settings) }
            guard outcome.hasFailed else {
                let values = Dictionary(outcome.settings.map { ($0.name, $0.value) }) { $1 }
                return report(.settled(outcome.subject, values))
            }
            throw CaptureError(
                .failed, device: state.withLock { $0.device?.path } ?? "camera",
                operation: "set the \(outcome.subject.words) once",
                reason: "the camera has found no value, and keeps the present value")
        } catch {
            report(.settingRefused(error))
        }
    }

    /// Waits until ``wake()`` is called or the deadline has passed.
    func wait(until deadline: Timestamp) {
        _ = calls.wait(device: nil, wakeUp: wakeUp, timeout: max(.zero, calls.now.duration(to: deadline)))
    }

    /// Closes a camera that has reported its loss.
    private func retireLost() {
        guard state.withLock({ $0.machine.isWaiting && $0.camera != nil }) else { return }
        _ = closeCamera()
    }

    /// Stops and closes the present camera, within a second.
    ///
    /// - Returns: False when the driver did not answer and was abandoned.
    func closeCamera() -> Bool {
        guard let camera = state.withLock({ $0.camera }) else { return true }
        if !state.withLock({ $0.machine.isWaiting }) { putOutTorch(of: camera) }
        guard camera.close(until: calls.clock.now.advanced(by: Self.driverPatience)) else {
            abandon()
            return false
        }
        state.withLock { $0.camera = nil }
        return true
    }

    /// Abandons a camera whose driver does not answer.
    ///
    /// The camera's thread ends when the driver answers. The camera's events are ignored.
    private func abandon() {
        let (device, isGivenUp) = state.withLock { state in
            state.camera = nil
            state.ticket = -1
            state.absentSince = state.absentSince ?? calls.now
            _ = state.machine.take(.abandoned, at: calls.now)
            return (state.device, state.machine.isGivenUp)
        }
        claimClosed()
        report(
            .lost(
                CaptureError(
                    .hanging, device: device?.path ?? "camera", operation: "close the camera",
                    reason: "its driver has not answered for \(Self.driverPatience)",
                    hint: isGivenUp
                        ? "the camera is not opened again: restart this program" : "the camera was abandoned")))
    }

    /// Restores controls, closes the camera for good, and answers the commands that are left.
    func shutDown() {
        let (camera, restored) = state.withLock { ($0.camera, $0.restoredAtEnd) }
        // Refusals are ignored, because the camera is being closed.
        for (name, value) in restored { _ = try? camera?.set([(name, value)]) }
        _ = closeCamera()
        state.withLock { _ = $0.machine.take(.closed, at: calls.now) }
        let unanswered = commands.queue.finish()
        outlet.endPeriod(.late, by: state.withLock { $0.ticket }, at: calls.now)
        endThread()
        for (_, reply) in unanswered { reply(stopped) }
    }

    /// The error of a command after the slot was closed.
    var stopped: CaptureError {
        CaptureError(.failed, device: subject, operation: "change the camera", reason: "the camera was closed")
    }

    /// The error of a setting for an absent camera.
    var absent: CaptureError {
        CaptureError(
            .disconnected, device: subject, operation: "use its controls", reason: "the camera is absent or lost")
    }

    /// The error of a command to which the driver does not answer.
    var hanging: CaptureError {
        CaptureError(
            .hanging, device: subject, operation: "change the camera", reason: "its driver does not answer",
            hint: "unplug the camera, or restart this program")
    }

    /// The camera's name in messages: its path, or the selector before the first camera was found.
    private var subject: String { state.withLock { $0.device?.path ?? "\($0.selector)" } }

    // MARK: Cameras of this and other slots

    /// The cameras that other slots use or wait for.
    var otherClaims: [CameraClaims.Claim] { directory.claims.others(than: self) }

    /// Tells other slots which camera this slot uses or waits for.
    func claim(_ device: CameraDevice, isOpen: Bool) {
        directory.claims.set(CameraClaims.Claim(device: device, isOpen: isOpen), of: self)
    }

    /// Tells other slots that this slot's camera is not open.
    func claimClosed() {
        if let device = state.withLock({ $0.device }) { claim(device, isOpen: false) }
    }

    /// Finds the camera that `selector` refers to.
    ///
    /// - Throws: ``CaptureError``: kind `busy` when another slot has the camera open and `freedPaths` lacks its path,
    ///   and the errors of ``CameraDirectory/camera(matching:)``.
    func find(_ selector: CameraSelector, freedPaths: Set<String> = []) throws(CaptureError) -> CameraDevice {
        let device = try directory.camera(matching: selector)
        guard
            freedPaths.contains(device.path)
                || !otherClaims.contains(where: { $0.isOpen && $0.device.path == device.path })
        else {
            throw CaptureError(
                .busy, device: device.path, operation: "open the camera",
                reason: "another source of this program uses the camera")
        }
        return device
    }

    /// Finds the lost camera again, among the cameras that no other slot has open.
    func find(again known: CameraDevice) throws(CaptureError) -> CameraDevice {
        try directory.camera(like: known, besides: otherClaims)
    }

    // MARK: Events

    /// Reports an event to the owner, and to the log at intervals.
    func report(_ event: CameraEvent) { reporter.report(event, of: subject, at: calls.now) }
}
