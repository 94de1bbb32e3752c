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
    let driver: SlotDriver
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
            selector, wish: wish, in: directory, wantsSharedBuffers: wantsSharedBuffers,
            reporter: EventReporter(logger, onEvent: onEvent))
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
        driver.commands.queue.close()
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

    /// True while frames are dropped though the camera streams.
    package var isPaused: Bool { driver.outlet.isPaused }

    /// The present setup.
    package var setup: CameraSetup {
        driver.state.withLock { CameraSetup($0.selector, wish: $0.wish, isEnabled: $0.isEnabled) }
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
        let change = driver.state.withLock { $0.prepared?.change }
        // A hanging driver receives the command once it answers again.
        if driver.commands.isHanging {
            driver.commands.queue.add((.takeBack, { _ in }))
            return
        }
        try? await send(.takeBack)
        if let change, change.before.isEnabled != setup.isEnabled { try? await setEnabled(change.before.isEnabled) }
    }

    private func send(_ command: SlotCommand) async throws(CaptureError) {
        // The slot's thread starts with the stream.
        if thread.withLock({ $0 != nil }) { return try await driver.commands.send(command, to: driver) }
        if let failure = driver.perform(command) { throw failure }
    }
}
