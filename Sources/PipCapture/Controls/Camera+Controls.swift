extension Camera {
    /// The camera's controls with their present values.
    ///
    /// The camera may stream meanwhile.
    ///
    /// - Throws: ``CaptureError`` when the camera is closed or lost.
    package func controls() throws(CaptureError) -> [CameraControl] { try controlAccess().controls() }

    /// Sets controls together, all or none, by their `v4l2-ctl` names such as `brightness`.
    ///
    /// The camera may stream meanwhile.
    ///
    /// - Parameter settings: Names and values, in the order of setting.
    /// - Returns: The controls' new values in the settings' order: read back from the camera, or as requested for a
    ///   control that cannot be read.
    /// - Throws: ``CaptureError``. The kind is `invalidSetting` for a missing control, and for a value outside of a
    ///   control's range; the camera never receives such a value.
    @discardableResult
    package func set(_ settings: [(name: String, value: Int)]) throws(CaptureError) -> [Int] {
        try controlAccess().set(settings)
    }

    /// Applies adjustments, such as an exposure time, through the controls that the camera has for them.
    ///
    /// The camera may stream meanwhile.
    ///
    /// - Returns: The names and values of the controls that were set.
    /// - Throws: ``CaptureError`` for an unsupported or refused adjustment, and for an absent camera; then nothing is
    ///   set.
    @discardableResult
    package func adjust(_ wish: CameraAdjustments) throws(CaptureError) -> [(name: String, value: Int)] {
        try controlAccess().adjust(wish)
    }

    /// Crops the sensor by the part of a zoom factor that exceeds the zoom control's range.
    ///
    /// - Returns: The sensor's zoom factor; 1 for a camera that always reads the whole sensor.
    /// - Throws: ``CaptureError`` when the camera is closed or lost.
    func zoomSensor(_ factor: Double) throws(CaptureError) -> Double {
        let access = try controlAccess()
        return access.zoomSensor(factor, try NodeIdentity(access.device).bufferType)
    }

    /// The zoom control's largest factor; 1 when the camera has no zoom control, or one that cannot be set or has no
    /// unit.
    ///
    /// - Throws: ``CaptureError`` when the camera is closed or lost.
    func lensZoom() throws(CaptureError) -> Double { try controlAccess().lensZoom }

    /// The present values of some controls, keyed by control ID.
    ///
    /// Unreadable controls are left out.
    ///
    /// - Throws: ``CaptureError`` when the camera is closed or lost.
    func values(of controls: [CameraControl]) throws(CaptureError) -> [UInt32: Int] {
        try controlAccess().values(of: controls)
    }

    /// Checks that the camera would accept settings together, and sets nothing.
    ///
    /// - Parameters:
    ///   - adjustments: The adjustments from the camera's ``CameraWish``. A zoom beyond the zoom control's range is
    ///     left to a crop.
    ///   - request: Adjustments by the camera's controls alone, without a crop; they override `adjustments`.
    ///   - controls: Settings by control name; they override `adjustments` and `request`.
    /// - Returns: All settings, checked and ready to be set together.
    /// - Throws: ``CaptureError`` when a setting would be refused, or the camera is closed or lost.
    func check(
        _ adjustments: CameraAdjustments, _ request: CameraAdjustments, _ controls: [(name: String, value: Int)]
    ) throws(CaptureError) -> ControlBatch {
        let access = try controlAccess()
        let known = access.controls()
        let wished = try AdjustmentPlan(adjustments, known, device: device.path, leavesZoom: true).settings
        let requested = try AdjustmentPlan(request, known, device: device.path).settings
        let settings = [requested, controls].reduce(wished) { settings, winning in
            settings.filter { setting in !winning.contains { $0.name == setting.name } } + winning
        }
        let batch = try ControlBatch(settings, access, known: known)
        try batch.check()
        return batch
    }

    /// Sets controls one by one, and ignores refusals.
    func restore(_ values: [(name: String, value: Int)]) {
        guard !values.isEmpty, let access = try? controlAccess() else { return }
        let known = access.controls()
        for setting in values { try? ControlBatch([setting], access, known: known).set() }
    }

    private func controlAccess() throws(CaptureError) -> ControlAccess {
        ControlAccess(device: try openDevice("use its controls"))
    }
}
