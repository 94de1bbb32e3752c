internal import PipFrames
internal import Synchronization

extension SlotDriver {
    /// Handles an event of a camera.
    ///
    /// Only the start and the loss of a new camera count until the new camera has replaced the present camera.
    func take(_ event: CameraEvent, from ticket: Int) {
        let news = state.withLock { state -> CameraEvent? in
            guard ticket == state.ticket else {
                guard state.successor?.ticket == ticket else { return nil }
                if event == .started { state.successor?.hasDelivered = true }
                if case .lost(let error) = event { state.successor?.loss = error }
                return nil
            }
            return state.take(event, at: calls.now)
        }
        if event == .started || event == .disabled, state.withLock({ $0.ticket == ticket }) { outlet.torch?.begin() }
        if case .lost = event, state.withLock({ $0.ticket == ticket }) { claimClosed() }
        if let news { report(news) }
        wake()
    }
}

extension SlotDriver.State {
    /// The requested settings, merged with the controls that were set after opening.
    var fullWish: CameraWish {
        var wish = wish
        wish.controls += settings
        return wish
    }

    /// Records controls, which are set again when the camera is reopened.
    mutating func keep(_ settings: [(name: String, value: Int)]) {
        self.settings.removeAll { old in settings.contains { $0.name == old.name } }
        self.settings += settings
    }

    /// Handles an event of the present camera.
    ///
    /// - Returns: The event to report to the owner; nil to report nothing.
    mutating func take(_ event: CameraEvent, at now: Timestamp) -> CameraEvent? {
        switch event {
        case .started:
            _ = machine.take(.delivered, at: now)
            once.restart(at: now)
            let absence = absentSince.map { $0.duration(to: now) }
            absentSince = nil
            defer { hasDelivered = true }
            guard hasDelivered else { return .started }
            return absence.map { .reopened(path: device?.path ?? "", after: $0) }
        case .stalled:
            absentSince = absentSince ?? now
            _ = machine.take(.stalled, at: now)
        case .resumed:
            absentSince = nil
            _ = machine.take(.resumed, at: now)
        case .lost:
            absentSince = absentSince ?? now
            once.pause()
            _ = machine.take(.lost, at: now)
        case .disabled, .enabled: _ = machine.take(.switched, at: now)
        case .covered, .uncovered:
            let isNews = isCovered != (event == .covered)
            isCovered = event == .covered
            return isNews ? event : nil
        case .restarted, .waiting, .reopened, .reduced, .settingRefused, .settled, .controlsChanged, .degraded,
            .recovered, .slept, .badFrames, .timestampsEstimated:
            break
        }
        return event
    }
}

extension CaptureError {
    /// True for failures that may end without a change of the request, for example when a cable is plugged in.
    var isTemporary: Bool {
        switch kind {
        case .notFound, .notPermitted, .busy, .noBandwidth, .disconnected, .noSignal, .hanging, .failed: true
        case .ambiguous, .notACamera, .unsupported, .invalidSetting: false
        }
    }
}
