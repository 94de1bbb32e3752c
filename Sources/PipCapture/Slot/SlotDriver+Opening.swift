internal import PipFrames
internal import Synchronization

extension SlotDriver {
    /// The number of modes to try when the bus has no bandwidth.
    private static let modeAttempts = 3

    /// Opens the camera for the first time, without streaming.
    ///
    /// - Parameter waits: True to wait for a camera that may come later.
    /// - Throws: ``CaptureError`` when the camera cannot be opened, unless the slot waits for it.
    func openFirst(waits: Bool) throws(CaptureError) {
        follow(state.withLock { $0.wish.adjustments.torch })
        do throws(CaptureError) {
            install(try open(state.withLock { $0.wish }))
        } catch {
            guard waits, error.isTemporary else { throw error }
            refuse(error)
        }
    }

    /// Starts the camera that ``openFirst(waits:)`` opened.
    ///
    /// - Throws: ``CaptureError`` when the camera cannot stream, unless the slot waits for it.
    func startFirst(waits: Bool) throws(CaptureError) {
        let isThere = state.withLock { state in
            state.isStarted = true
            return state.camera != nil
        }
        guard isThere else { return }
        do throws(CaptureError) {
            try startWhatFits()
        } catch {
            state.withLock { $0.camera = nil }
            guard waits, error.isTemporary else { throw error }
            refuse(error)
        }
    }

    /// Finds, opens and starts the camera again.
    func attempt() {
        do throws(CaptureError) {
            try bringUp(state.withLock { $0.fullWish })
        } catch {
            refuse(error)
        }
    }

    /// Opens the camera in the mode nearest to `wish`, and starts it if the owner has started the stream.
    func bringUp(_ wish: CameraWish) throws(CaptureError) {
        let opened = try open(wish)
        install(opened)
        guard state.withLock({ $0.isStarted }) else { return }
        do throws(CaptureError) {
            try startWhatFits()
        } catch {
            _ = closeCamera()
            throw error
        }
    }

    /// An opened camera that is not the slot's present camera yet.
    struct Opened {
        var camera: Camera
        var device: CameraDevice
        var treatment: FrameTreatment
        var ticket: Int
    }

    private func open(_ wish: CameraWish) throws(CaptureError) -> Opened {
        let (known, selector) = state.withLock { ($0.device, $0.selector) }
        if let known { return try open(try find(again: known), wish, isAgain: true) }
        return try open(try find(selector), wish, isAgain: false)
    }

    /// Opens a camera that delivers to this slot's outlet.
    ///
    /// - Parameters:
    ///   - device: The camera.
    ///   - wish: The requested settings.
    ///   - isAgain: True to reopen a camera, whose refused controls are reported rather than thrown.
    /// - Returns: The camera with its ticket.
    /// - Throws: ``CaptureError`` when the camera cannot be opened or negotiated.
    func open(_ device: CameraDevice, _ wish: CameraWish, isAgain: Bool) throws(CaptureError) -> Opened {
        let ticket = outlet.makeTicket()
        let refused: @Sendable (CaptureError) -> Void = { [weak self] in self?.report(.settingRefused($0)) }
        let connection = SlotConnection(
            outlet: outlet, ticket: ticket, wantsSharedBuffers: wantsSharedBuffers,
            videoDecoding: directory.videoDecoding, onRisk: { [weak self] in self?.wake() },
            onRefusedControl: isAgain ? refused : nil)
        let camera = try Camera(device, wish: wish, calls: calls, slot: connection) { [weak self] event in
            self?.take(event, from: ticket)
        }
        return Opened(camera: camera, device: device, treatment: wish.treatment, ticket: ticket)
    }

    /// Installs an opened camera as the slot's present camera, whose frames the slot delivers from now on.
    func install(_ opened: Opened) {
        treat(opened.device, opened.treatment)
        outlet.admit(opened.ticket)
        claim(opened.device, isOpen: true)
        let isUncovered = state.withLock { state in
            defer { if !opened.camera.beginsCovered { state.isCovered = false } }
            return state.isCovered && !opened.camera.beginsCovered
        }
        if isUncovered { report(.uncovered) }
        state.withLock { state in
            state.camera = opened.camera
            state.ticket = opened.ticket
            state.device = opened.device
            state.format = opened.camera.format
            state.sharesBuffers = opened.camera.sharesBuffers
            state.sensorZoom = opened.camera.sensorZoom
        }
    }

    /// Crops the sensor by the part of a zoom factor that exceeds the zoom control's range.
    func zoomSensor(_ factor: Double) {
        guard let camera = present, let reached = try? camera.zoomSensor(factor) else { return }
        state.withLock { $0.sensorZoom = reached }
    }

    /// Sets the rotation, the rate limit and the pause for a camera's next frames.
    func treat(_ device: CameraDevice, _ treatment: FrameTreatment) {
        outlet.limit = treatment.rateLimit?.interval ?? .zero
        outlet.isPaused = treatment.isPaused
        let turn = PictureTurn(treatment.rotation, of: device, calls)
        outlet.orientation = turn.orientation
        state.withLock { $0.turn = turn }
        if let problem = turn.problem { report(.settingRefused(problem)) }
    }

    /// Reads the device's orientation and updates the rotation of pictures.
    func followDevice() {
        guard var turn = state.withLock({ $0.turn }) else { return }
        turn.look(at: calls.now)
        outlet.orientation = turn.orientation
        state.withLock { $0.turn = turn }
    }

    /// Starts an automatic torch, or ends it for a fixed level; does nothing for nil.
    func follow(_ torch: CameraAdjustments.Torch?) {
        switch torch {
        case .automatic?: outlet.torch = TorchWatch { [weak self] in self?.wake() }
        case .level?: outlet.torch = nil
        case nil: break
        }
    }

    /// Applies a change of the requested torch.
    ///
    /// A light that an automatic torch has switched on goes out when the torch is no longer requested.
    func follow(_ torch: CameraAdjustments.Torch?, after before: CameraAdjustments.Torch?) {
        guard torch != before else { return }
        if torch == nil, before == .automatic {
            putOutTorch(of: present)
            outlet.torch = nil
        } else {
            follow(torch)
        }
    }

    /// Switches off the light that an automatic torch has switched on.
    func putOutTorch(of camera: Camera?) {
        guard let torch = outlet.torch, torch.isLit else { return }
        var wish = CameraAdjustments()
        wish.torch = .off
        // A camera that is gone needs no switching.
        _ = try? camera?.adjust(wish)
        torch.isLit = false
    }

    /// Carries out the latest decision of an automatic torch.
    func followLight() {
        guard let torch = outlet.torch, let isOn = torch.takeDecision(), isOn != torch.isLit, let camera = present
        else {
            return
        }
        var wish = CameraAdjustments()
        wish.torch = isOn ? .on : .off
        do throws(CaptureError) {
            try camera.adjust(wish)
            torch.isLit = isOn
        } catch {
            report(.settingRefused(error))
        }
    }

    /// Records that the camera cannot be opened for now, and reports the error unless the owner knows of it.
    func refuse(_ error: CaptureError) {
        let isNews = state.withLock { state in
            _ = state.machine.take(.failed(error.kind), at: calls.now)
            state.absentSince = state.absentSince ?? calls.now
            // An unplugged camera has been reported as lost already.
            let isAbsent = error.kind == .notFound || error.kind == .disconnected
            let isKnown = isAbsent && state.device != nil
            guard !isKnown, state.lastRefusal?.kind != error.kind else { return false }
            state.lastRefusal = error
            return true
        }
        claimClosed()
        if isNews { report(.waiting(error)) }
    }

    /// Starts the present camera, in a mode that needs less bandwidth if the bus cannot carry the requested mode.
    private func startWhatFits() throws(CaptureError) {
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
                let whole = state.withLock { $0.fullWish }
                (lighter.adjustments, lighter.controls) = (whole.adjustments, whole.controls)
                (lighter.treatment, lighter.colorSpace) = (whole.treatment, whole.colorSpace)
                install(try open(device, lighter, isAgain: true))
            }
        }
    }

    /// The error for a bus without bandwidth, which names the bus and the cameras that other slots have open on the
    /// bus.
    private func crowded(_ error: CaptureError, _ device: CameraDevice) -> CaptureError {
        let bus = device.hostController
        let others = otherClaims.filter { $0.isOpen && $0.device.hostController == bus }
        let names = others.map { "\($0.device.card) (\($0.device.path))" }.joined(separator: " and ")
        let beside = others.isEmpty ? "" : " beside \(names)"
        return CaptureError(
            .noBandwidth, device: device.path, operation: error.operation,
            reason: "the bus \(bus) has no room for \(device.card)\(beside)",
            hint: "use MJPEG or a port of another controller, or lower the rate or the size of a camera on the bus")
    }

    /// Starts the present camera, switched off if the slot is switched off.
    private func start(_ camera: Camera) throws(CaptureError) {
        let isEnabled = state.withLock { $0.isEnabled }
        try camera.start(isEnabled: isEnabled)
        let isWanted = state.withLock { state in
            _ = state.machine.take(.opened, at: calls.now)
            state.lastRefusal = nil
            return state.isEnabled
        }
        // The owner may have switched the slot on or off meanwhile.
        if isWanted != isEnabled { camera.setEnabled(isWanted) { _ in } }
    }
}
