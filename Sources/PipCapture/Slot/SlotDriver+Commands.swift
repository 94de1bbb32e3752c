internal import PipConcurrency
internal import PipFrames
internal import Synchronization

extension SlotDriver {
    /// The longest wait for a new camera's first frame.
    private static let successorPatience = Duration.seconds(3)

    /// Performs a command of the slot's owner.
    ///
    /// - Returns: The error; nil for success.
    func perform(_ command: SlotCommand) -> CaptureError? {
        do throws(CaptureError) {
            switch command {
            case .change(let wish): try change(to: wish)
            case .replace(let selector, let wish): try replace(with: selector, wish)
            case .prepare(let change):
                let prepared = try PreparedChange(change, of: self)
                state.withLock { $0.prepared = prepared }
            case .carryOut: try state.withLock { $0.prepared }?.carryOut(on: self)
            case .settle: state.withLock { $0.prepared.take() }?.settle(self)
            case .vacate: try vacate()
            case .takeBack: state.withLock { $0.prepared.take() }?.takeBack(on: self)
            }
            return nil
        } catch {
            return error
        }
    }

    /// Reopens the camera in another mode, or in the previous mode when the new mode fails.
    func change(to wish: CameraWish) throws(CaptureError) {
        let (before, once, isThere) = state.withLock { state in
            (state.wish, state.once, state.camera != nil && !state.machine.isWaiting)
        }
        state.withLock { state in
            state.wish = wish
            state.once.add(wish.adjustments.singleDecisions.subtracting(before.adjustments.singleDecisions))
        }
        let torch = outlet.torch
        follow(wish.adjustments.torch, after: before.adjustments.torch)
        // An absent camera is opened in the new mode when it returns.
        guard isThere else { return }
        let isClosed = closeCamera()
        do throws(CaptureError) {
            guard isClosed else { throw hanging }
            try bringUp(state.withLock { $0.fullWish })
        } catch {
            state.withLock { ($0.wish, $0.once) = (before, once) }
            outlet.torch = torch
            // The slot opens an abandoned camera again by itself, after a delay.
            if isClosed { attempt() }
            throw error
        }
    }

    /// Stops and closes the camera, and releases it for other slots.
    private func vacate() throws(CaptureError) {
        guard state.withLock({ !$0.machine.isWaiting }) else { return }
        guard closeCamera() else { throw hanging }
        claimClosed()
    }

    /// Starts another camera, and then stops the present camera, unless their bus has no bandwidth for both.
    ///
    /// A selector that refers to the present camera only changes the camera's mode.
    func replace(with selector: CameraSelector, _ wish: CameraWish) throws(CaptureError) {
        let device = try find(selector)
        let (present, isThere) = state.withLock { ($0.device, $0.camera != nil && !$0.machine.isWaiting) }
        if isThere, device.path == present?.path {
            try change(to: wish)
            return state.withLock { $0.selector = selector }
        }
        do throws(CaptureError) {
            try succeed(try open(device, wish, isAgain: false))
        } catch {
            guard error.kind == .noBandwidth, isThere else { throw error }
            try breakThenMake(device, wish)
        }
        state.withLock { state in
            (state.selector, state.wish, state.settings) = (selector, wish, [])
            state.once = OneShot(wish.adjustments.singleDecisions)
            state.once.restart(at: calls.now)
        }
        follow(wish.adjustments.torch ?? .off)
    }

    /// Starts a camera beside the present camera, waits for the new camera's first frame, and closes the former camera.
    ///
    /// While the slot is switched off, there is no frame to wait for.
    private func succeed(_ opened: Opened) throws(CaptureError) {
        let isEnabled = state.withLock { state in
            state.successor = (opened.ticket, false, nil)
            return state.isEnabled
        }
        defer { state.withLock { $0.successor = nil } }
        do throws(CaptureError) {
            try opened.camera.start(isEnabled: isEnabled)
            if isEnabled { try awaitFirstFrame(of: opened) }
        } catch {
            _ = opened.camera.close(until: calls.clock.now.advanced(by: Self.driverPatience))
            throw error
        }
        let old = state.withLock { $0.camera }
        install(opened)
        state.withLock { state in
            _ = state.machine.take(.opened, at: calls.now)
            if isEnabled { _ = state.machine.take(.delivered, at: calls.now) }
            (state.absentSince, state.lastRefusal) = (nil, nil)
            state.hasDelivered = true
        }
        putOutTorch(of: old)
        // A former camera that hangs is abandoned, because the slot no longer needs it.
        _ = old?.close(until: calls.clock.now.advanced(by: Self.driverPatience))
    }

    private func awaitFirstFrame(of opened: Opened) throws(CaptureError) {
        let deadline = calls.now.advanced(by: Self.successorPatience)
        while true {
            let (successor, isStopping) = state.withLock { ($0.successor, $0.isStopping) }
            if successor?.hasDelivered == true { return }
            if isStopping { throw stopped }
            if let loss = successor?.loss { throw loss }
            guard calls.now < deadline else {
                throw CaptureError(
                    .failed, device: opened.device.path, operation: "switch to the camera",
                    reason: "the new camera delivered no frame for \(Self.successorPatience)")
            }
            wait(until: deadline)
        }
    }

    /// Stops the present camera before the new camera starts, because their bus has no bandwidth for both.
    ///
    /// When the new camera fails, the former camera is reopened.
    private func breakThenMake(_ device: CameraDevice, _ wish: CameraWish) throws(CaptureError) {
        guard closeCamera() else { throw hanging }
        do throws(CaptureError) {
            try succeed(try open(device, wish, isAgain: false))
        } catch {
            attempt()
            throw error
        }
    }
}
