package import Logging
package import PipConcurrency
package import PipFrames
internal import Synchronization

/// A camera's place in a graph, which outlives the camera itself.
///
/// The slot owns the mailbox of frames, the counters and the events, so a consumer keeps them when the camera changes.
/// The slot looks for a lost camera by its identity, and opens it with the same wish and controls as soon as it is
/// back. Its frames may then have another layout.
///
/// The camera stops when the slot's last reference is released.
///
/// Thread: any.
package final class CameraSlot: Sendable {
    private let driver: SlotDriver
    private let thread = Mutex<WorkerThread?>(nil)
    private let waits: Bool

    /// Finds and opens a camera.
    ///
    /// The stream starts with ``start(onFrame:)``.
    ///
    /// - Parameters:
    ///   - selector: The camera.
    ///   - wish: Size, rate, pixel format and controls.
    ///   - isEnabled: False to leave the stream off until ``enable()``.
    ///   - directory: The directory of cameras. Slots that share one do not take each other's cameras.
    ///   - waits: True to wait for a camera that is missing, busy or not permitted, rather than throw.
    ///   - wantsSharedBuffers: True to export buffers as dma-bufs, where the driver can.
    ///   - logger: The log that receives events; repetitions appear at intervals only.
    ///   - onEvent: Receives each event on the camera's threads, once a fault. The function must not block.
    /// - Throws: ``CaptureError``; then nothing is left open.
    package init(
        _ selector: CameraSelector, wish: CameraWish = CameraWish(), isEnabled: Bool = true,
        in directory: CameraDirectory, waits: Bool = false, wantsSharedBuffers: Bool = false, logger: Logger? = nil,
        onEvent: @escaping @Sendable (CameraEvent) -> Void = { _ in }
    ) throws(CaptureError) {
        driver = try SlotDriver(
            selector, wish, directory, wantsSharedBuffers: wantsSharedBuffers, logger: logger, onEvent: onEvent)
        self.waits = waits
        driver.state.withLock { $0.isEnabled = isEnabled }
        try driver.openFirst(waits: waits)
    }

    deinit { requestStop() }

    /// A mailbox that holds the newest frame until the consumer takes it.
    ///
    /// A frame that the consumer keeps occupies one of the driver's buffers.
    package var frames: Mailbox<Frame> { driver.outlet.frames }

    /// The frame counters since the first start, over all openings.
    package var statistics: CameraStatistics { driver.outlet.statistics(now: driver.calls.now) }

    /// The camera, as it was found last; nil before the first.
    package var device: CameraDevice? { driver.state.withLock { $0.device } }

    /// The present format, or the last one; nil before the first camera.
    package var format: CameraFormat? { driver.state.withLock { $0.format } }

    /// The transform that shows the newest frames upright.
    package var orientation: Orientation { driver.outlet.orientation }

    /// True when buffers are, or were last, exported as dma-bufs.
    package var sharesBuffers: Bool { driver.state.withLock { $0.sharesBuffers } }

    /// The camera's modes; empty while no camera is open.
    package var modes: [CameraMode] { driver.state.withLock { $0.camera?.modes ?? [] } }

    /// The wish of the last change.
    package var wish: CameraWish { driver.state.withLock { $0.wish } }

    /// The present state, which ``CameraEvent`` announces changes of.
    package var state: CameraState {
        driver.state.withLock { state in
            switch state.machine.state {
            case .opening, .streaming, .stalled: state.camera?.state == .disabled ? .disabled : state.machine.state
            case .closed, .lost, .disabled: state.machine.state
            }
        }
    }

    /// The minimum interval between delivered frames, in addition to the wish's limit; nil delivers all frames of the
    /// wish.
    ///
    /// Frames in between are dropped as decimated, before decoding.
    ///
    /// Thread: any, at any time.
    package var pace: Duration? {
        get { driver.outlet.pace > .zero ? driver.outlet.pace : nil }
        set { driver.outlet.pace = newValue ?? .zero }
    }

    /// The rate of delivered frames, by the driver's promise and the limits; nil when unknown.
    package var deliveredRate: FrameRate? {
        let interval = driver.outlet.interval
        guard interval > .zero, let limit = FrameRate(1 / interval.inSeconds) else { return format?.frameRate }
        return format?.frameRate.map { min($0, limit) } ?? limit
    }

    /// Adds a queue that receives every good frame from now on as the driver delivers it, across reopened and
    /// succeeding cameras.
    package func subscribe(_ queue: CountedQueue<CapturedFrame>, takesVideo: Bool = false) {
        driver.outlet.subscribe(queue, takesVideo: takesVideo)
    }

    /// Removes a queue from the receivers.
    package func unsubscribe(_ queue: CountedQueue<CapturedFrame>) { driver.outlet.unsubscribe(queue) }

    /// Starts the stream.
    ///
    /// - Parameter onFrame: The function to call on the camera's thread after each new frame in ``frames``. It must not
    ///   block.
    /// - Throws: ``CaptureError`` when the camera cannot stream, unless the slot waits for it.
    package func start(onFrame: @escaping @Sendable () -> Void = {}) throws(CaptureError) {
        driver.outlet.setOnFrame(onFrame)
        try driver.startFirst(waits: waits)
        thread.withLock {
            $0 = WorkerThread(name: "camera slot", clock: driver.calls.clock) { [driver] in driver.run() }
        }
    }

    /// Stops the stream for good and closes the device.
    ///
    /// A driver that does not answer is abandoned after a second.
    package func stop() async {
        requestStop()
        guard let thread = thread.withLock({ $0 }) else { return driver.shutDown() }
        _ = await thread.joined(within: Self.patience)
    }

    /// The longest time to stop, because a driver may hang in `open`, too.
    private static let patience = Duration.milliseconds(1500)

    private func requestStop() {
        driver.state.withLock { $0.isStopping = true }
        driver.wake()
    }

    /// Stops the stream; format and buffers stay.
    ///
    /// A lost camera comes back switched off.
    ///
    /// - Throws: ``CaptureError`` when the driver fails.
    package func disable() async throws(CaptureError) { try await setEnabled(false) }

    /// Starts the stream again.
    ///
    /// - Throws: ``CaptureError`` when the bus is full by now: then the stream stays off.
    package func enable() async throws(CaptureError) { try await setEnabled(true) }

    private func setEnabled(_ isEnabled: Bool) async throws(CaptureError) {
        let (camera, before) = driver.state.withLock { state in
            defer { state.isEnabled = isEnabled }
            // A camera that does not stream yet starts in the wanted state.
            let isThere = !state.machine.isWaiting && state.camera?.state != .opening
            return (isThere ? state.camera : nil, state.isEnabled)
        }
        guard let camera else { return }
        do throws(CaptureError) {
            if isEnabled { try await camera.enable() } else { try await camera.disable() }
        } catch {
            // A camera that was lost just now comes back in the wanted state.
            if error.kind == .disconnected || camera.state == .lost { return }
            driver.state.withLock { $0.isEnabled = before }
            throw error
        }
    }

    /// The camera's controls with their present values.
    ///
    /// - Throws: ``CaptureError`` when there is no camera.
    package func controls() throws(CaptureError) -> [CameraControl] { try present.controls() }

    /// True while frames are dropped though the camera streams.
    package var isPaused: Bool { driver.outlet.isPaused }

    /// The part of a zoom factor that the camera's lens and sensor crop provide.
    ///
    /// An absent camera's values are remembered.
    ///
    /// The camera's lens is queried once.
    ///
    /// - Parameter factor: The requested zoom factor.
    /// - Returns: The camera's own zoom factor.
    package func ownZoom(of factor: Double) -> Double {
        let (device, known, sensor) = driver.state.withLock { ($0.device, $0.lensZoom, $0.sensorZoom) }
        if let known, known.device == device { return min(factor, known.factor) * sensor }
        guard let device, let lens = try? present.lensZoom() else { return min(factor, known?.factor ?? 1) * sensor }
        driver.state.withLock { $0.lensZoom = (device, lens) }
        return min(factor, lens) * sensor
    }

    /// Sets controls together, all or none, by their `v4l2-ctl` names.
    ///
    /// The camera gets them again whenever it is reopened.
    ///
    /// - Parameter settings: Names and values, in the order of setting.
    /// - Returns: The values that the camera has set in their place.
    /// - Throws: ``CaptureError``. The kind is `invalidSetting` for a value outside of a control's range, which the
    ///   camera is not asked about.
    @discardableResult
    package func set(_ settings: [(name: String, value: Int)]) throws(CaptureError) -> [Int] {
        let result = try present.set(settings)
        driver.state.withLock { $0.keep(settings) }
        return result
    }

    /// Applies adjustments by meaning.
    ///
    /// The camera gets them again whenever it is reopened.
    ///
    /// - Returns: The names and values of the controls that were set.
    /// - Throws: ``CaptureError`` for an unsupported adjustment; then nothing is set.
    @discardableResult
    package func adjust(_ wish: CameraAdjustments) throws(CaptureError) -> [(name: String, value: Int)] {
        let torch = driver.outlet.torch
        // The new setting ends an automatic torch first, which might otherwise switch the light again.
        driver.follow(wish.torch)
        let settings: [(name: String, value: Int)]
        do throws(CaptureError) { settings = try present.adjust(wish) } catch {
            driver.outlet.torch = torch
            throw error
        }
        driver.state.withLock { state in
            state.keep(settings)
            state.once.leaveOut(wish.saidAutomatics)
            state.once.ask(wish.onces, at: driver.calls.now)
        }
        driver.wake()
        return settings
    }

    /// Fires the camera's flash, or else lights its torch, for a picture.
    ///
    /// - Returns: The light, for ``putOut(_:)``.
    /// - Throws: ``CaptureError`` when the camera has no light or is absent; then nothing is lit.
    package func lightFlash() throws(CaptureError) -> FlashLight {
        let plan = try present.lightFlash()
        return FlashLight(start: driver.calls.now.advanced(by: plan.settling), ending: plan.ending)
    }

    /// Puts a light out, and ignores refusals.
    package func putOut(_ light: FlashLight) {
        driver.present?.restore(light.ending)
        driver.outlet.torch?.begin()
    }

    /// The present setup.
    package var setup: CameraSetup {
        driver.state.withLock { CameraSetup($0.selector, wish: $0.wish, isEnabled: $0.isEnabled) }
    }

    /// The properties that the camera is deciding once.
    package var adjusting: Set<CameraAdjustments.Automatic> { driver.state.withLock { $0.once.pending } }

    /// Restores a control when the slot is closed.
    ///
    /// Thread: the slot's own.
    func restoreAtEnd(_ control: String, to value: Int) {
        driver.state.withLock { state in
            if !state.restored.contains(where: { $0.name == control }) { state.restored.append((control, value)) }
        }
    }

    private var present: Camera {
        get throws(CaptureError) {
            if let camera = driver.state.withLock({ $0.camera }) { return camera }
            throw driver.absent
        }
    }

    /// Sets the camera to another mode while it runs, without touching other cameras.
    ///
    /// A lost camera is opened in the new mode when it is back.
    ///
    /// - Parameter wish: The requested size, rate, pixel format and controls.
    /// - Throws: ``CaptureError`` when the camera refuses; then it continues as before.
    package func change(to wish: CameraWish) async throws(CaptureError) { try await send(.change(wish)) }

    /// Replaces the camera by another one while it runs.
    ///
    /// The new camera delivers before the old one is stopped, where their bus has room for both.
    ///
    /// - Throws: ``CaptureError`` when the new camera cannot deliver; then the old one continues.
    package func replace(with selector: CameraSelector, wish: CameraWish) async throws(CaptureError) {
        try await send(.replace(selector, wish))
    }

    /// Checks a change with the driver, and reserves the camera's settings.
    ///
    /// Sets nothing.
    ///
    /// - Returns: The mode that the camera would be set to; nil when it keeps its own, or is absent.
    /// - Throws: ``CaptureError`` when the camera would refuse the change.
    func prepare(_ change: SetupChange) async throws(CaptureError) -> CameraMode? {
        try await send(.prepare(change))
        return driver.state.withLock { $0.prepared?.mode }
    }

    /// The successor by the prepared change; nil when the camera stays.
    var successor: CameraDevice? { driver.state.withLock { $0.prepared?.successor } }

    /// Stops and closes the camera for another slot.
    ///
    /// Then ``carryOut()`` or ``takeBack()`` must open one again.
    ///
    /// - Throws: ``CaptureError`` when the driver does not answer.
    func vacate() async throws(CaptureError) { try await send(.vacate) }

    /// Carries out the prepared change.
    ///
    /// - Throws: ``CaptureError`` when the camera refuses; then call ``takeBack()`` to restore the settings that were
    ///   changed already.
    func carryOut() async throws(CaptureError) {
        let change = driver.state.withLock { $0.prepared?.change }
        try await send(.carryOut)
        guard let change, change.before.isEnabled != change.after.isEnabled else { return }
        try await setEnabled(change.after.isEnabled)
    }

    /// Makes the change permanent.
    func settle() async { try? await send(.settle) }

    /// Reverts the change, as far as the camera permits.
    func takeBack() async {
        let (change, isHanging) = driver.state.withLock { ($0.prepared?.change, $0.isHanging) }
        // A hanging driver receives the command once it answers again.
        guard !isHanging else { return driver.state.withLock { $0.commands.append((.takeBack, { _ in })) } }
        try? await send(.takeBack)
        if let change, change.before.isEnabled != setup.isEnabled { try? await setEnabled(change.before.isEnabled) }
    }

    private func send(_ command: SlotDriver.Command) async throws(CaptureError) {
        // The slot's thread starts with the stream.
        guard thread.withLock({ $0 != nil }) else {
            if let failure = driver.perform(command) { throw failure }
            return
        }
        let answer = CommandAnswer()
        let timer = Task { [driver] in
            guard (try? await driver.calls.clock.sleep(for: Self.commandPatience)) != nil else { return }
            if answer.give(driver.hanging) { driver.state.withLock { $0.isHanging = true } }
        }
        let failure = await withCheckedContinuation { continuation in
            answer.await(continuation)
            let isAccepted = driver.state.withLock { state in
                guard !state.isStopping, !state.isOver else { return false }
                state.commands.append(
                    (
                        command,
                        { [weak driver] error in
                            driver?.state.withLock { $0.isHanging = false }
                            answer.give(error)
                        }
                    ))
                return true
            }
            if !isAccepted { answer.give(driver.stopped) }
            driver.wake()
        }
        timer.cancel()
        if let failure { throw failure }
    }

    /// The longest time for a command: opening takes seconds, and a successor's first frame three more.
    private static let commandPatience = Duration.seconds(10)
}

/// The single answer to a command, for its caller.
private final class CommandAnswer: Sendable {
    private let waiting = Mutex<CheckedContinuation<CaptureError?, Never>?>(nil)

    func await(_ continuation: CheckedContinuation<CaptureError?, Never>) { waiting.withLock { $0 = continuation } }

    /// Resumes the caller with the answer.
    ///
    /// - Returns: False when the answer was given before.
    @discardableResult
    func give(_ error: CaptureError?) -> Bool {
        guard let continuation = waiting.withLock({ $0.take() }) else { return false }
        continuation.resume(returning: error)
        return true
    }
}
