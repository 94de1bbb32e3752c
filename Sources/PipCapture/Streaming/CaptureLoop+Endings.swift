internal import PipFrames
internal import SystemPackage

extension CaptureLoop {
    func fail(_ error: CaptureError) {
        if error.kind == .disconnected || error.kind == .noSignal { return lose(error) }
        switch lifecycle.failed(at: calls.now) {
        case .giveUp: lose(error)
        case .restart:
            if let failure = restartStream() { return lose(failure) }
            lifecycle.streamStarted(at: calls.now)
            link.report(.restarted(error))
        }
    }

    /// Stops and starts the stream.
    func restartStream() -> CaptureError? {
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
        if let errno = buffers.queueFree() { return error(.queueBuffer, errno, operation) }
        return buffers.streamOn().map { error(.streamOn, $0, operation) }
    }

    func error(_ request: V4L2Request, _ errno: Errno, _ operation: String) -> CaptureError {
        guard let device else { return Self.gone }
        return device.error(request, errno, operation)
    }

    /// Gives everything up: the descriptor is closed at once, the memory is unmapped when the last frame is gone.
    func lose(_ error: CaptureError) {
        guard lifecycle.state != .lost else { return }
        lifecycle.lost()
        loss = error
        link.enterDriver(at: calls.now)
        release()
    }

    // MARK: Commands

    private static let gone = CaptureError(
        .disconnected, device: "camera", operation: "switch it on or off", reason: "it is closed or lost")

    func disable() -> CaptureError? {
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
        decoder?.discard(.disabled, now: calls.now)
        lifecycle.disabled()
        link.publish(.disabled)
        link.report(.disabled)
        return nil
    }

    func enable() -> CaptureError? {
        guard lifecycle.state == .disabled, let buffers else { return nil }
        if let error = startStream(buffers, to: "switch the camera on") {
            if error.kind == .disconnected { lose(error) }
            return error
        }
        lifecycle.streamStarted(at: calls.now)
        // While it was off it did not matter.
        _ = hasSlept()
        link.publish(.streaming)
        link.report(.enabled)
        return nil
    }

    func close() {
        link.enterDriver(at: calls.now)
        lifecycle.closed()
        release()
        link.publish(.closed)
        link.leaveDriver()
        refuseCommands()
    }

    private func release() {
        decoder?.discard(.late, now: calls.now)
        decoder?.stop()
        decoder = nil
        buffers?.giveUp()
        buffers = nil
        device = nil
    }

    func refuseCommands() {
        for command in link.commands.finish() {
            switch command {
            case .stop: break
            case .disable(let reply), .enable(let reply): reply(Self.gone)
            }
        }
    }
}
