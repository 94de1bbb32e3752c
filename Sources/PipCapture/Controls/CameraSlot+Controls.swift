internal import PipFrames
internal import Synchronization

extension CameraSlot {
    /// The camera's controls with their present values.
    ///
    /// - Throws: ``CaptureError`` when there is no camera.
    package func controls() throws(CaptureError) -> [CameraControl] { try present.controls() }

    /// The part of the zoom factor `factor` that the camera's zoom control and sensor crop provide.
    ///
    /// While the camera is absent, the last known values count, or 1 for values that were never known.
    ///
    /// - Parameter factor: The requested zoom factor.
    /// - Returns: The camera's own zoom factor.
    package func ownZoom(of factor: Double) -> Double {
        let (device, known, sensor) = driver.state.withLock { ($0.device, $0.lensZoom, $0.sensorZoom) }
        if let known, known.device == device { return min(factor, known.factor) * sensor }
        guard let device, let lens = try? present.lensZoom() else { return min(factor, known?.factor ?? 1) * sensor }
        driver.state.withLock { $0.lensZoom = (device, lens) }
        return min(factor, lens) * sensor
    }

    /// Sets controls together, all or none, by their `v4l2-ctl` names.
    ///
    /// The settings are applied again whenever the camera is reopened.
    ///
    /// - Parameter settings: Names and values, in the order of setting.
    /// - Returns: The controls' new values in the settings' order: read back from the camera, or as requested for a
    ///   control that cannot be read.
    /// - Throws: ``CaptureError``. The kind is `invalidSetting` for a missing control, and for a value outside of a
    ///   control's range; the camera never receives such a value.
    @discardableResult
    package func set(_ settings: [(name: String, value: Int)]) throws(CaptureError) -> [Int] {
        let result = try present.set(settings)
        driver.state.withLock { $0.keep(settings) }
        return result
    }

    /// Applies adjustments, such as an exposure time, through the controls that the camera has for them.
    ///
    /// The settings are applied again whenever the camera is reopened.
    ///
    /// - Returns: The names and values of the controls that were set.
    /// - Throws: ``CaptureError`` for an unsupported or refused adjustment, and for an absent camera; then nothing is
    ///   set.
    @discardableResult
    package func adjust(_ wish: CameraAdjustments) throws(CaptureError) -> [(name: String, value: Int)] {
        let torch = driver.outlet.torch
        // An automatic torch ends before the new setting: it might otherwise switch the light again.
        driver.follow(wish.torch)
        let settings: [(name: String, value: Int)]
        do throws(CaptureError) { settings = try present.adjust(wish) } catch {
            driver.outlet.torch = torch
            throw error
        }
        driver.state.withLock { state in
            state.keep(settings)
            state.once.cancel(wish.affectedAutomatics)
            state.once.start(wish.singleDecisions, at: driver.calls.now)
        }
        driver.wake()
        return settings
    }

    /// Fires the camera's flash, or else lights its torch, for a picture.
    ///
    /// - Returns: The light, for ``putOut(_:)``.
    /// - Throws: ``CaptureError`` when the camera has no light, refuses to light it or is absent; then nothing is lit.
    package func lightFlash() throws(CaptureError) -> FlashLight {
        let plan = try present.lightFlash()
        return FlashLight(start: driver.calls.now.advanced(by: plan.settling), ending: plan.ending)
    }

    /// Switches a light off, and ignores refusals.
    package func putOut(_ light: FlashLight) {
        driver.present?.restore(light.ending)
        driver.outlet.torch?.begin()
    }

    /// The properties whose one-time decision the camera has not finished.
    package var adjusting: Set<CameraAdjustments.Automatic> { driver.state.withLock { $0.once.pending } }

    /// Requests that `control` be set to `value` when the slot is closed.
    ///
    /// The first request for a control counts.
    ///
    /// Thread: any.
    func restoreAtEnd(_ control: String, to value: Int) {
        driver.state.withLock { state in
            if !state.restoredAtEnd.contains(where: { $0.name == control }) {
                state.restoredAtEnd.append((control, value))
            }
        }
    }

    private var present: Camera {
        get throws(CaptureError) {
            if let camera = driver.state.withLock({ $0.camera }) { return camera }
            throw driver.absent
        }
    }
}
