package import Logging
package import PipConcurrency
package import PipFrames
internal import Synchronization

/// A camera's place in a graph: the same wherever the camera goes.
///
/// It owns what a consumer holds on to: the mailbox of frames, the counters, the events. A camera that is lost is
/// looked for by what it says of itself, opened with the same wish and controls as soon as it is back, and goes on
/// where it left off. Its frames may then have another layout. Any thread may use it. When the last reference goes, it
/// stops by itself.
package final class CameraSlot: Sendable {
    private let driver: SlotDriver
    private let thread = Mutex<WorkerThread?>(nil)
    private let waits: Bool

    /// Finds and opens a camera; nothing streams yet.
    ///
    /// - Parameters:
    ///   - selector: The camera.
    ///   - wish: Size, rate, pixel format and controls.
    ///   - isEnabled: False for one that is switched on later.
    ///   - directory: The discovery; slots that share one do not take each other's cameras.
    ///   - waits: True to wait for a camera that is missing, busy or not permitted, rather than throw.
    ///   - wantsSharedBuffers: True to export buffers as dma-bufs, where the driver can.
    ///   - logger: Receives the events too, repetitions at intervals only.
    ///   - onEvent: Called on the camera's threads with each event, once a fault. It must not block.
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

    /// Where the newest frame lies until it is taken.
    ///
    /// A frame that is kept keeps one of the driver's buffers.
    package var frames: Mailbox<Frame> { driver.outlet.frames }

    /// Numbers since the first start, all openings together.
    package var statistics: CameraStatistics { driver.outlet.statistics(now: driver.calls.now) }

    /// The camera, as it was found last; nil while there has been none.
    package var device: CameraDevice? { driver.state.withLock { $0.device } }

    /// The present format, or the last one; nil before the first camera.
    package var format: CameraFormat? { driver.state.withLock { $0.format } }

    /// The transform that shows the newest frames upright.
    package var orientation: Orientation { driver.outlet.orientation }

    /// True when buffers are, or were last, exported as dma-bufs.
    package var sharesBuffers: Bool { driver.state.withLock { $0.sharesBuffers } }

    /// The camera's modes; empty while there is none.
    package var modes: [CameraMode] { driver.state.withLock { $0.camera?.modes ?? [] } }

    /// The wish of the last change.
    package var wish: CameraWish { driver.state.withLock { $0.wish } }

    /// Where the camera stands.
    package var state: CameraState {
        driver.state.withLock { state in
            switch state.machine.state {
            case .opening, .streaming, .stalled: state.camera?.state == .disabled ? .disabled : state.machine.state
            case .closed, .lost, .disabled: state.machine.state
            }
        }
    }

    /// The least time between two delivered frames beside what is wished; nil delivers all of those.
    ///
    /// Others are dropped as decimated before they are decoded. It can be set at any time, from any thread.
    package var pace: Duration? {
        get { driver.outlet.pace > .zero ? driver.outlet.pace : nil }
        set { driver.outlet.pace = newValue ?? .zero }
    }

    /// The rate of the frames that are delivered, as the driver and the limits promise it; nil where nobody does.
    package var deliveredRate: FrameRate? {
        let interval = driver.outlet.interval
        guard interval > .zero, let limit = FrameRate(1 / interval.inSeconds) else { return format?.frameRate }
        return format?.frameRate.map { min($0, limit) } ?? limit
    }

    /// Gives every good frame to a queue from now on, as its driver delivers it; also those of a camera that comes back
    /// or follows.
    package func subscribe(_ queue: CountedQueue<CapturedFrame>, takesVideo: Bool = false) {
        driver.outlet.subscribe(queue, takesVideo: takesVideo)
    }

    /// Gives a queue no more frames.
    package func unsubscribe(_ queue: CountedQueue<CapturedFrame>) { driver.outlet.unsubscribe(queue) }

    /// Starts the stream.
    ///
    /// - Parameter onFrame: Called on the camera's thread after each frame that was put in ``frames``. It must not
    ///   block.
    /// - Throws: ``CaptureError`` when it cannot stream, and is not waited for.
    package func start(onFrame: @escaping @Sendable () -> Void = {}) throws(CaptureError) {
        driver.outlet.setOnFrame(onFrame)
        try driver.startFirst(waits: waits)
        thread.withLock {
            $0 = WorkerThread(name: "camera slot", clock: driver.calls.clock) { [driver] in driver.run() }
        }
    }

    /// Stops the stream for good and closes the device.
    ///
    /// A driver that does not answer is left behind after a second.
    package func stop() async {
        requestStop()
        guard let thread = thread.withLock({ $0 }) else { return driver.shutDown() }
        _ = await thread.joined(within: Self.patience)
    }

    /// The limit of stopping: a driver may hang in `open`, too.
    private static let patience = Duration.milliseconds(1500)

    private func requestStop() {
        driver.state.withLock { $0.isStopping = true }
        driver.wake()
    }

    /// Switches the camera off without giving up its format or its buffers; one that is lost comes back switched off.
    ///
    /// - Throws: ``CaptureError`` when the driver fails.
    package func disable() async throws(CaptureError) { try await setEnabled(false) }

    /// Switches it on again.
    ///
    /// - Throws: ``CaptureError`` when the bus is full by now: then it stays off.
    package func enable() async throws(CaptureError) { try await setEnabled(true) }

    private func setEnabled(_ isEnabled: Bool) async throws(CaptureError) {
        let (camera, before) = driver.state.withLock { state in
            defer { state.isEnabled = isEnabled }
            // One that does not stream yet starts as it is wanted.
            let isThere = !state.machine.isWaiting && state.camera?.state != .opening
            return (isThere ? state.camera : nil, state.isEnabled)
        }
        guard let camera else { return }
        do throws(CaptureError) {
            if isEnabled { try await camera.enable() } else { try await camera.disable() }
        } catch {
            // One that was lost just now comes back as it is wanted.
            if error.kind == .disconnected || camera.state == .lost { return }
            driver.state.withLock { $0.isEnabled = before }
            throw error
        }
    }

    /// The camera's settings with their present values.
    ///
    /// - Throws: ``CaptureError`` when there is no camera.
    package func controls() throws(CaptureError) -> [CameraControl] { try present.controls() }

    /// True while its frames are left out though it streams.
    package var isPaused: Bool { driver.outlet.isPaused }

    /// What of a zoom it makes itself, or did while it was there: by its lens, and then by a part of its sensor.
    ///
    /// The camera is asked once.
    ///
    /// - Parameter factor: What is asked for.
    /// - Returns: The factor that it makes.
    package func ownZoom(of factor: Double) -> Double {
        let (device, known, sensor) = driver.state.withLock { ($0.device, $0.lensZoom, $0.sensorZoom) }
        if let known, known.device == device { return min(factor, known.factor) * sensor }
        guard let device, let lens = try? present.lensZoom() else { return min(factor, known?.factor ?? 1) * sensor }
        driver.state.withLock { $0.lensZoom = (device, lens) }
        return min(factor, lens) * sensor
    }

    /// Sets controls together by the names that `v4l2-ctl` has for them, all or none; the camera gets them again
    /// whenever it is opened again.
    ///
    /// - Parameter settings: Names and values, in the order in which they are set.
    /// - Returns: The values that the camera made of them.
    /// - Throws: ``CaptureError``, kind `invalidSetting`, before the camera is asked when it would not take a value.
    @discardableResult
    package func set(_ settings: [(name: String, value: Int)]) throws(CaptureError) -> [Int] {
        let result = try present.set(settings)
        driver.state.withLock { $0.keep(settings) }
        return result
    }

    /// Makes the picture what was asked for by meaning; the camera is made so again whenever it is opened again.
    ///
    /// - Returns: The names and values of the controls that were set.
    /// - Throws: ``CaptureError`` for what the camera cannot do; then nothing is set.
    @discardableResult
    package func adjust(_ wish: CameraAdjustments) throws(CaptureError) -> [(name: String, value: Int)] {
        let torch = driver.outlet.torch
        // Nothing lights it again behind what is set now.
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

    /// Lights its flash, or else its torch, for a picture.
    ///
    /// - Returns: What ``putOut(_:)`` puts out.
    /// - Throws: ``CaptureError`` when it has no light, or is not there; nothing is lit then.
    package func lightFlash() throws(CaptureError) -> FlashLight {
        let plan = try present.lightFlash()
        return FlashLight(start: driver.calls.now.advanced(by: plan.settling), ending: plan.ending)
    }

    /// Puts a light out, as far as the camera takes that.
    package func putOut(_ light: FlashLight) {
        driver.present?.restore(light.ending)
        driver.outlet.torch?.begin()
    }

    /// What is asked of it now.
    package var setup: CameraSetup {
        driver.state.withLock { CameraSetup($0.selector, wish: $0.wish, isEnabled: $0.isEnabled) }
    }

    /// What the camera is deciding once, and has not decided yet.
    package var adjusting: Set<CameraAdjustments.Automatic> { driver.state.withLock { $0.once.pending } }

    /// Sets a control back when the camera is closed, on its own thread.
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

    /// Sets the camera to another mode while it runs; no other camera is touched.
    ///
    /// One that is lost is opened so when it is back.
    ///
    /// - Parameter wish: Size, rate and pixel format; its controls are set, too.
    /// - Throws: ``CaptureError`` when the camera does not take it: then it goes on as before.
    package func change(to wish: CameraWish) async throws(CaptureError) { try await send(.change(wish)) }

    /// Takes another camera in the place of this one, while it runs.
    ///
    /// The new one delivers before the old one is stopped, where their bus has room for both.
    ///
    /// - Throws: ``CaptureError`` when the new one cannot deliver: then the old one goes on.
    package func replace(with selector: CameraSelector, wish: CameraWish) async throws(CaptureError) {
        try await send(.replace(selector, wish))
    }

    /// Checks a change by what the driver says to it, and keeps other programs from setting the camera; nothing is set.
    ///
    /// - Returns: The mode that the camera would be set to; nil when it keeps its own, or is not there.
    /// - Throws: ``CaptureError`` when it would not take the change.
    func prepare(_ change: SetupChange) async throws(CaptureError) -> CameraMode? {
        try await send(.prepare(change))
        return driver.state.withLock { $0.prepared?.mode }
    }

    /// The camera that is to take the place by the change that was prepared; nil for none.
    var successor: CameraDevice? { driver.state.withLock { $0.prepared?.successor } }

    /// Stops and closes the camera, for another place that takes it; ``carryOut()`` or ``takeBack()`` opens one again.
    ///
    /// - Throws: ``CaptureError`` when its driver does not answer.
    func vacate() async throws(CaptureError) { try await send(.vacate) }

    /// Makes the change that was prepared.
    ///
    /// - Throws: ``CaptureError`` when it does not take it; ``takeBack()`` sets back what was changed before that.
    func carryOut() async throws(CaptureError) {
        let change = driver.state.withLock { $0.prepared?.change }
        try await send(.carryOut)
        guard let change, change.before.isEnabled != change.after.isEnabled else { return }
        try await setEnabled(change.after.isEnabled)
    }

    /// Ends a change: it stays.
    func settle() async { try? await send(.settle) }

    /// Ends a change: the camera is made what it was before, as far as it takes that.
    func takeBack() async {
        let (change, isHanging) = driver.state.withLock { ($0.prepared?.change, $0.isHanging) }
        // A driver that answers after all hears of it then.
        guard !isHanging else { return driver.state.withLock { $0.commands.append((.takeBack, { _ in })) } }
        try? await send(.takeBack)
        if let change, change.before.isEnabled != setup.isEnabled { try? await setEnabled(change.before.isEnabled) }
    }

    private func send(_ command: SlotDriver.Command) async throws(CaptureError) {
        // Its thread begins with the stream.
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

    /// The limit for a driver to carry out a command: opening takes seconds, and a successor's first frame three more.
    private static let commandPatience = Duration.seconds(10)
}

/// The answer to a command, given once, to whoever waits for it.
private final class CommandAnswer: Sendable {
    private let waiting = Mutex<CheckedContinuation<CaptureError?, Never>?>(nil)

    func await(_ continuation: CheckedContinuation<CaptureError?, Never>) { waiting.withLock { $0 = continuation } }

    /// - Returns: False when it was given before.
    @discardableResult
    func give(_ error: CaptureError?) -> Bool {
        guard let continuation = waiting.withLock({ $0.take() }) else { return false }
        continuation.resume(returning: error)
        return true
    }
}
