package import Logging
package import PipConcurrency
package import PipFrames
internal import Synchronization

/// A camera's place in a graph, which remains when the camera is lost or replaced.
///
/// The slot owns the mailbox of frames, the counters and the events, so a consumer keeps them when the camera changes.
/// The slot recognizes a lost camera by its identity, and opens it again with the same settings as soon as it is back.
/// The frames may then have another layout.
///
/// The camera stops when the slot's last reference is released.
///
/// Thread: any.
package final class CameraSlot: Sendable {
    let driver: SlotDriver
    private let thread = Mutex<WorkerThread?>(nil)
    private let waits: Bool

    /// Finds and opens a camera.
    ///
    /// The stream starts with ``start(onFrame:)``.
    ///
    /// - Parameters:
    ///   - selector: The reference to the camera.
    ///   - wish: The requested mode and picture settings.
    ///   - isEnabled: False to leave the stream off until ``enable()``.
    ///   - directory: The directory of cameras. Slots that share a directory do not open each other's cameras.
    ///   - waits: True to wait, rather than throw, when the camera may become available later: it is missing, busy or
    ///     not permitted, for example.
    ///   - wantsSharedBuffers: True to export buffers as dma-bufs, if the driver can.
    ///   - logger: The log that receives events; repeated events are logged at intervals only.
    ///   - onEvent: Receives each event, on the threads of the camera and the slot, or on the thread that calls the
    ///     slot; a fault is reported once. The function must not block.
    /// - Throws: ``CaptureError``; then nothing is left open.
    package init(
        _ selector: CameraSelector, wish: CameraWish = CameraWish(), isEnabled: Bool = true,
        in directory: CameraDirectory, waits: Bool = false, wantsSharedBuffers: Bool = false, logger: Logger? = nil,
        onEvent: @escaping @Sendable (CameraEvent) -> Void = { _ in }
    ) throws(CaptureError) {
        driver = try SlotDriver(
            selector, wish: wish, in: directory, wantsSharedBuffers: wantsSharedBuffers,
            reporter: EventReporter(logger, onEvent: onEvent))
        self.waits = waits
        driver.state.withLock { $0.isEnabled = isEnabled }
        try driver.openFirst(waits: waits)
    }

    deinit { requestStop() }

    /// A mailbox that holds the newest frame until the consumer takes it.
    ///
    /// A frame that the consumer keeps occupies one of the driver's or the decoder's buffers.
    package var frames: Mailbox<Frame> { driver.outlet.frames }

    /// The frame counters since the first start, over all openings.
    package var statistics: CameraStatistics { driver.outlet.statistics(now: driver.calls.now) }

    /// The present camera, or the last one while no camera is open; nil before the first camera was opened.
    package var device: CameraDevice? { driver.state.withLock { $0.device } }

    /// The present format, or the last format of a lost camera; nil before the first camera was opened.
    package var format: CameraFormat? { driver.state.withLock { $0.format } }

    /// The transform that turns the newest frames upright.
    package var orientation: Orientation { driver.outlet.orientation }

    /// True when the buffers of the present or last camera are exported as dma-bufs.
    package var sharesBuffers: Bool { driver.state.withLock { $0.sharesBuffers } }

    /// The camera's modes; empty while no camera is open.
    package var modes: [CameraMode] { driver.state.withLock { $0.camera?.modes ?? [] } }

    /// The mode and the picture settings that were requested last.
    package var wish: CameraWish { driver.state.withLock { $0.wish } }

    /// The state of the camera and its stream at the time of the call.
    package var state: CameraState {
        driver.state.withLock { state in
            switch state.machine.state {
            case .opening, .streaming, .stalled: state.camera?.state == .disabled ? .disabled : state.machine.state
            case .closed, .lost, .disabled: state.machine.state
            }
        }
    }

    /// The minimum interval between delivered frames, in addition to ``CameraWish/rateLimit``; nil adds no limit.
    ///
    /// The frames between delivered ones are dropped with the reason `decimated`: before decoding, or after decoding if
    /// the camera sends H.264 or H.265.
    ///
    /// Thread: any, at any time.
    package var pace: Duration? {
        get { driver.outlet.pace > .zero ? driver.outlet.pace : nil }
        set { driver.outlet.pace = newValue ?? .zero }
    }

    /// The expected rate of delivered frames, from the driver's rate and the limits; nil when neither is known.
    package var deliveredRate: FrameRate? {
        let interval = driver.outlet.interval
        guard interval > .zero, let limit = FrameRate(1 / interval.inSeconds) else { return format?.frameRate }
        return format?.frameRate.map { min($0, limit) } ?? limit
    }

    /// Adds a queue that receives undamaged frames from now on, even after the camera is reopened or replaced.
    ///
    /// A frame that is dropped before a necessary decoding does not reach the queue.
    ///
    /// - Parameters:
    ///   - queue: The queue.
    ///   - takesVideo: True to receive compressed video as the driver delivers it, rather than decoded pictures.
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
    /// A driver that does not answer is abandoned after 1.5 seconds at the latest.
    package func stop() async {
        requestStop()
        guard let thread = thread.withLock({ $0 }) else { return driver.shutDown() }
        _ = await thread.joined(within: Self.patience)
    }

    /// The longest wait for the slot's thread, because a driver may hang in `open`, too.
    private static let patience = Duration.milliseconds(1500)

    private func requestStop() {
        driver.commands.queue.close()
        driver.state.withLock { $0.isStopping = true }
        driver.wake()
    }

    /// Stops the stream; format and buffers stay.
    ///
    /// A lost camera that returns stays switched off.
    ///
    /// - Throws: ``CaptureError`` when the driver fails.
    package func disable() async throws(CaptureError) { try await setEnabled(false) }

    /// Starts the stream again.
    ///
    /// - Throws: ``CaptureError`` when the driver refuses the stream, such as on a full bus: then the stream stays off.
    package func enable() async throws(CaptureError) { try await setEnabled(true) }

    private func setEnabled(_ isEnabled: Bool) async throws(CaptureError) {
        let (camera, before) = driver.state.withLock { state in
            defer { state.isEnabled = isEnabled }
            // A camera that does not stream yet takes the new state when it starts.
            let isThere = !state.machine.isWaiting && state.camera?.state != .opening
            return (isThere ? state.camera : nil, state.isEnabled)
        }
        guard let camera else { return }
        do throws(CaptureError) {
            if isEnabled { try await camera.enable() } else { try await camera.disable() }
        } catch {
            // A camera that was just lost takes the new state when it returns.
            if error.kind == .disconnected || camera.state == .lost { return }
            driver.state.withLock { $0.isEnabled = before }
            throw error
        }
    }

    /// True when a pause was requested: frames are dropped although the camera streams.
    package var isPaused: Bool { driver.outlet.isPaused }

    /// The requested setup, without settings that are applied only once.
    package var setup: CameraSetup {
        driver.state.withLock { CameraSetup($0.selector, wish: $0.wish, isEnabled: $0.isEnabled) }
    }

    /// Sets the camera to another mode while it runs, and leaves other cameras alone.
    ///
    /// A lost camera is opened in the new mode when it is back.
    ///
    /// - Parameter wish: The requested mode and picture settings.
    /// - Throws: ``CaptureError`` when the camera refuses; the slot then restores the previous mode. The kind is
    ///   `hanging` when the driver does not answer.
    package func change(to wish: CameraWish) async throws(CaptureError) { try await send(.change(wish)) }

    /// Replaces the running camera by another camera.
    ///
    /// The old camera stops when the new camera has delivered a frame, or before the new camera starts if the bus that
    /// they share cannot carry both. A slot that is switched off waits for no frame. A selector that refers to the
    /// present camera only changes the camera's mode.
    ///
    /// - Throws: ``CaptureError`` when the new camera cannot deliver; the old camera then continues or is opened again.
    package func replace(with selector: CameraSelector, wish: CameraWish) async throws(CaptureError) {
        try await send(.replace(selector, wish))
    }

    /// Checks a change with the driver, and reserves the settings of a camera that stays, but changes no setting.
    ///
    /// The caller must then call ``carryOut()`` and ``settle()``, or ``takeBack()``.
    ///
    /// - Returns: The mode that the camera would be set to; nil when the camera keeps its mode, is absent, or would be
    ///   replaced.
    /// - Throws: ``CaptureError`` when the camera would refuse the change, when no free camera matches a new selector,
    ///   or when the camera is absent and the change has settings to apply once.
    func prepare(_ change: SetupChange) async throws(CaptureError) -> CameraMode? {
        try await send(.prepare(change))
        return driver.state.withLock { $0.prepared?.mode }
    }

    /// The camera that the prepared change switches to; nil when the change keeps the camera.
    var successor: CameraDevice? { driver.state.withLock { $0.prepared?.successor } }

    /// Stops and closes the camera for another slot.
    ///
    /// The caller must then call ``carryOut()`` or ``takeBack()``, which opens a camera again.
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

    /// Makes the prepared change permanent, and ends the reservation of the camera's settings.
    func settle() async { try? await send(.settle) }

    /// Reverts the prepared change, as far as the camera permits.
    func takeBack() async {
        let change = driver.state.withLock { $0.prepared?.change }
        // The slot's thread performs the command once the hanging driver has answered.
        if driver.commands.isHanging {
            driver.commands.queue.add((.takeBack, { _ in }))
            return
        }
        try? await send(.takeBack)
        if let change, change.before.isEnabled != setup.isEnabled { try? await setEnabled(change.before.isEnabled) }
    }

    private func send(_ command: SlotCommand) async throws(CaptureError) {
        // Before the stream starts, the slot has no thread.
        if thread.withLock({ $0 != nil }) { return try await driver.commands.send(command, to: driver) }
        if let failure = driver.perform(command) { throw failure }
    }
}
