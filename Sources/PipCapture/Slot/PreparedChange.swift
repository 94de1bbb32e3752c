internal import PipFrames
internal import Synchronization

/// A checked change of a slot's camera, and the former settings, which ``takeBack(on:)`` restores.
///
/// Call ``carryOut(on:)`` and then ``settle(_:)``, or revert the change with ``takeBack(on:)``.
///
/// Thread: the slot's thread only, or the caller's thread before the slot has a thread.
struct PreparedChange {
    let change: SetupChange
    /// The camera's new mode; nil when the camera keeps its mode, is absent, or is replaced.
    private(set) var mode: CameraMode?
    /// The new camera; nil when the change keeps the camera.
    private(set) var successor: CameraDevice?
    /// The controls to set, in order.
    private var settings: [(name: String, value: Int)] = []
    /// The former values of the controls, in the order in which they must be restored.
    private var before: [(name: String, value: Int)] = []
    /// The checked batch of controls.
    ///
    /// Nil when no controls change, when the camera is reopened with the new values, and when the camera is absent or
    /// replaced.
    private var batch: ControlBatch?
    /// True while the camera's settings are reserved for this program.
    private var isLocked = false
    private let selector: CameraSelector
    private let wish: CameraWish
    private let kept: [(name: String, value: Int)]
    private let once: OneShot
    private let torch: TorchWatch?

    /// Checks a change with the driver, reserves the settings of a camera that stays, and records their present values.
    ///
    /// No setting changes yet. An absent camera gets the new settings when it returns.
    ///
    /// - Throws: ``CaptureError`` when the camera would refuse the change, when no free camera matches a new selector,
    ///   or when the camera is absent and the change has settings to apply once.
    init(_ change: SetupChange, of driver: SlotDriver) throws(CaptureError) {
        self.change = change
        torch = driver.outlet.torch
        (selector, wish, kept, once) = driver.state.withLock { ($0.selector, $0.wish, $0.settings, $0.once) }
        if change.hasOtherCamera {
            successor = try driver.find(change.after.selector, freedPaths: change.freedPaths)
        } else if change.hasOtherMode || change.hasOtherControls, let camera = driver.present {
            try camera.lock()
            isLocked = true
            do throws(CaptureError) { try check(camera) } catch {
                camera.unlock()
                throw error
            }
        } else {
            guard change.request.isEmpty else { throw driver.absent }
            settings = change.controls
        }
    }

    private mutating func check(_ camera: Camera) throws(CaptureError) {
        if change.hasOtherMode { mode = try camera.check(change.after.wish) }
        guard change.hasOtherControls else { return }
        let batch = try camera.check(change.adjustments, change.request.adjustments, change.controls)
        (settings, before) = (batch.settings, batch.before)
        self.batch = change.hasOtherMode ? nil : batch
    }

    /// Carries out the change.
    ///
    /// - Throws: ``CaptureError`` when the camera refuses the change despite the check.
    func carryOut(on driver: SlotDriver) throws(CaptureError) {
        // A frame in use keeps the device open, and an open device keeps the reservation of the settings.
        if change.hasOtherCamera || change.hasOtherMode { driver.present?.unlock() }
        if change.hasOtherCamera { return try driver.replace(with: change.after.selector, change.openingWish) }
        driver.state.withLock { $0.keep(settings) }
        if change.hasOtherMode { try driver.change(to: change.after.wish) } else { try batch?.set() }
        let adjustments = change.allAdjustments
        if !change.hasOtherMode { zoomSensor(of: driver, from: wish, to: change.after.wish) }
        treat(driver, change.after.wish.treatment)
        driver.state.withLock { state in
            (state.wish.adjustments, state.wish.controls) = (change.after.wish.adjustments, change.after.wish.controls)
            state.once.cancel(adjustments.affectedAutomatics)
            state.once.start(adjustments.singleDecisions, at: driver.calls.now)
        }
        if !change.hasOtherMode {
            driver.follow(change.after.wish.adjustments.torch, after: change.before.wish.adjustments.torch)
        }
        driver.follow(change.request.adjustments.torch)
    }

    private func zoomSensor(of driver: SlotDriver, from before: CameraWish, to after: CameraWish) {
        if before.adjustments.zoom != after.adjustments.zoom { driver.zoomSensor(after.adjustments.zoom ?? 1) }
    }

    /// Applies a changed rotation, rate limit or pause to the present camera's frames.
    private func treat(_ driver: SlotDriver, _ treatment: FrameTreatment) {
        let device = driver.state.withLock { state in
            defer { state.wish.treatment = treatment }
            return state.wish.treatment == treatment ? nil : state.device
        }
        if let device { driver.treat(device, treatment) }
    }

    /// Makes the change permanent, and ends the reservation of the camera's settings.
    func settle(_ driver: SlotDriver) {
        if isLocked { driver.present?.unlock() }
    }

    /// Reverts the change, as far as the camera permits.
    func takeBack(on driver: SlotDriver) {
        let (selector, wish) = driver.state.withLock { ($0.selector, $0.wish) }
        do throws(CaptureError) {
            if selector != self.selector {
                try driver.replace(with: self.selector, self.wish)
            } else if !wish.hasMode(of: self.wish) {
                try driver.change(to: self.wish)
            }
        } catch {
            driver.report(.settingRefused(error))
        }
        treat(driver, self.wish.treatment)
        driver.state.withLock { state in
            (state.selector, state.wish, state.settings) = (self.selector, self.wish, kept)
            state.once = once
            if state.once.deadline == nil { state.once.restart(at: driver.calls.now) }
        }
        driver.outlet.torch = torch
        // A slot whose camera another slot took opens the camera again, or waits for it.
        if driver.state.withLock({ $0.camera == nil && !$0.machine.isWaiting }) { driver.attempt() }
        driver.present?.restore(before)
        // The change may have switched the torch.
        torch?.begin()
        zoomSensor(of: driver, from: change.after.wish, to: self.wish)
        if isLocked { driver.present?.unlock() }
    }
}
