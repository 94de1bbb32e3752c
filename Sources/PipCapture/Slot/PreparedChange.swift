internal import PipFrames
internal import Synchronization

/// A change of what is asked of a slot's camera, between the check and the end: what is to be set, and what there was
/// before.
///
/// Its functions are called on the slot's thread, one after the other: ``carryOut(on:)``, then ``settle(_:)`` or
/// ``takeBack(on:)``.
struct PreparedChange {
    let change: SetupChange
    /// The mode that the camera is to be set to; nil for one that keeps its own, or is not there.
    private(set) var mode: CameraMode?
    /// The camera that takes the place; nil for a change of the one in place.
    private(set) var successor: CameraDevice?
    /// The controls to be set, in their order.
    private var settings: [(name: String, value: Int)] = []
    /// What they were before, in the order in which they are set back.
    private var before: [(name: String, value: Int)] = []
    /// Sets them; nil for none, and for a camera that is opened anew with them.
    private var batch: ControlBatch?
    /// True while other programs are kept from setting the camera.
    private var isLocked = false
    private let selector: CameraSelector
    private let wish: CameraWish
    private let kept: [(name: String, value: Int)]
    private let once: OneShot
    private let torch: TorchWatch?

    /// Checks a change by what the driver says to it, keeps others from setting the camera, and notes what there is.
    ///
    /// Nothing is set. A camera that is not there takes any change: it is opened so when it is back.
    ///
    /// - Throws: ``CaptureError`` when the camera would not take it.
    init(_ change: SetupChange, of driver: SlotDriver) throws(CaptureError) {
        self.change = change
        torch = driver.outlet.torch
        (selector, wish, kept, once) = driver.state.withLock { ($0.selector, $0.wish, $0.settings, $0.once) }
        if change.hasOtherCamera {
            successor = try driver.find(change.after.selector, freed: change.freed)
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

    /// Makes the change.
    ///
    /// - Throws: ``CaptureError`` when the camera does not take it all the same.
    func carryOut(on driver: SlotDriver) throws(CaptureError) {
        // A frame that is still shown keeps the file open, and with it the right to set the camera.
        if change.hasOtherCamera || change.hasOtherMode { driver.present?.unlock() }
        if change.hasOtherCamera { return try driver.replace(with: change.after.selector, change.openingWish) }
        driver.state.withLock { $0.keep(settings) }
        if change.hasOtherMode { try driver.change(to: change.after.wish) } else { try batch?.set() }
        let adjustments = change.allAdjustments
        if !change.hasOtherMode { zoomSensor(of: driver, from: wish, to: change.after.wish) }
        treat(driver, change.after.wish.treatment)
        driver.state.withLock { state in
            (state.wish.adjustments, state.wish.controls) = (change.after.wish.adjustments, change.after.wish.controls)
            state.once.leaveOut(adjustments.saidAutomatics)
            state.once.ask(adjustments.onces, at: driver.calls.now)
        }
        if !change.hasOtherMode {
            driver.follow(change.after.wish.adjustments.torch, after: change.before.wish.adjustments.torch)
        }
        driver.follow(change.request.adjustments.torch)
    }

    private func zoomSensor(of driver: SlotDriver, from before: CameraWish, to after: CameraWish) {
        if before.adjustments.zoom != after.adjustments.zoom { driver.zoomSensor(after.adjustments.zoom ?? 1) }
    }

    /// Treats the frames of the camera in place otherwise.
    private func treat(_ driver: SlotDriver, _ treatment: FrameTreatment) {
        let device = driver.state.withLock { state in
            defer { state.wish.treatment = treatment }
            return state.wish.treatment == treatment ? nil : state.device
        }
        if let device { driver.treat(device, treatment) }
    }

    /// Lets the change stay.
    func settle(_ driver: SlotDriver) {
        if isLocked { driver.present?.unlock() }
    }

    /// Makes the camera what it was before the change, as far as it takes that.
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
            if state.once.deadline == nil { state.once.begin(at: driver.calls.now) }
        }
        driver.outlet.torch = torch
        // One that gave up its camera has it again, or waits for it.
        if driver.state.withLock({ $0.camera == nil && !$0.machine.isWaiting }) { driver.attempt() }
        driver.present?.restore(before)
        // Its light may be on or off by now.
        torch?.begin()
        zoomSensor(of: driver, from: change.after.wish, to: self.wish)
        if isLocked { driver.present?.unlock() }
    }
}
