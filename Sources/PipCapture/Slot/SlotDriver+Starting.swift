internal import PipFrames
internal import Synchronization

extension SlotDriver {
    /// The number of modes tried when the bus has no room.
    private static let modeAttempts = 3

    /// Starts the camera in place; where its bus has no room, in a lighter mode.
    func startWhatFits() throws(CaptureError) {
        var reduction: (from: CameraMode, because: CaptureError)?
        for attempt in 1... {
            guard
                let (camera, device) = state.withLock({ state in
                    state.camera.flatMap { camera in
                        state.device.map { (camera, $0) }
                    }
                })
            else { return }
            do throws(CaptureError) {
                try start(camera)
                if let reduction {
                    report(.reduced(from: reduction.from, to: camera.format.mode, because: reduction.because))
                }
                return
            } catch {
                guard error.kind == .noBandwidth else { throw error }
                let full = crowded(error, device)
                guard attempt < Self.modeAttempts, var lighter = camera.lighterWish else { throw full }
                reduction = reduction ?? (camera.format.mode, full)
                guard closeCamera() else { throw full }
                lighter.controls = state.withLock { $0.fullWish.controls }
                install(try open(device, lighter, isAgain: true))
            }
        }
    }

    /// A failure for want of room, with the bus and what else is on it.
    private func crowded(_ error: CaptureError, _ device: CameraDevice) -> CaptureError {
        let bus = device.hostController
        let others = directory.claims.others(than: self).filter { $0.isOpen && $0.device.hostController == bus }
        let names = others.map { "\($0.device.card) (\($0.device.path))" }.joined(separator: " and ")
        let beside = others.isEmpty ? "" : " beside \(names)"
        return CaptureError(
            .noBandwidth, device: device.path, operation: error.operation,
            reason: "the bus \(bus) has no room for \(device.card)\(beside)",
            hint: "for more, use MJPEG or a port of another controller, or lower the other camera's rate or size")
    }

    /// Starts the camera in place, switched off when the slot is.
    private func start(_ camera: Camera) throws(CaptureError) {
        let isEnabled = state.withLock { $0.isEnabled }
        try camera.start(isEnabled: isEnabled)
        let isWanted = state.withLock { state in
            _ = state.machine.take(.opened, at: calls.now)
            state.lastRefusal = nil
            return state.isEnabled
        }
        // The owner may have changed its mind meanwhile.
        if isWanted != isEnabled { camera.setEnabled(isWanted) { _ in } }
    }
}
