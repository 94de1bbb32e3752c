extension Camera {
    /// The camera's settings with their present values.
    ///
    /// Also while it streams.
    ///
    /// - Throws: ``CaptureError`` when the camera is closed or lost.
    package func controls() throws(CaptureError) -> [CameraControl] { try controlAccess().controls() }

    /// Sets controls together by the names that `v4l2-ctl` has for them, such as `brightness`: all or none.
    ///
    /// Also while the camera streams.
    ///
    /// - Parameter settings: Names and values, in the order in which they are set.
    /// - Returns: The values that the camera made of them.
    /// - Throws: ``CaptureError``, kind `invalidSetting`, before the camera is asked when it would not take a value.
    @discardableResult
    package func set(_ settings: [(name: String, value: Int)]) throws(CaptureError) -> [Int] {
        try controlAccess().set(settings)
    }

    /// Makes the picture what was asked for by meaning, also while the camera streams.
    ///
    /// - Returns: The names and values of the controls that were set.
    /// - Throws: ``CaptureError`` for what the camera cannot do; then nothing is set.
    @discardableResult
    package func adjust(_ wish: CameraAdjustments) throws(CaptureError) -> [(name: String, value: Int)] {
        try controlAccess().adjust(wish)
    }

    /// Reads as much of the sensor as a zoom leaves to it beyond the lens.
    ///
    /// - Returns: The factor that comes of it; 1 for a camera that always reads all.
    /// - Throws: ``CaptureError`` when the camera is closed or lost.
    func zoomSensor(_ factor: Double) throws(CaptureError) -> Double {
        let access = try controlAccess()
        return access.zoomSensor(factor, try NodeIdentity(access.device).bufferType)
    }

    /// The largest factor of its lens; 1 where it has none.
    ///
    /// - Throws: ``CaptureError`` when the camera is closed or lost.
    func lensZoom() throws(CaptureError) -> Double { try controlAccess().lensZoom }

    /// The present values of some controls, by their numbers; those that cannot be read are left out.
    ///
    /// - Throws: ``CaptureError`` when the camera is closed or lost.
    func values(of controls: [CameraControl]) throws(CaptureError) -> [UInt32: Int] {
        try controlAccess().values(of: controls)
    }

    /// Asks whether the camera would take settings together; nothing is set.
    ///
    /// - Parameters:
    ///   - adjustments: By meaning, of a wish: what of a zoom the camera cannot do is left to others.
    ///   - request: By meaning, to be done by the camera itself; wins over `adjustments`.
    ///   - controls: By the driver's names, which win over both.
    /// - Returns: Both by name, to be set together.
    /// - Throws: ``CaptureError`` that names what it does not take.
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

    /// Sets controls one by one, as far as the camera takes them.
    func restore(_ values: [(name: String, value: Int)]) {
        guard !values.isEmpty, let access = try? controlAccess() else { return }
        let known = access.controls()
        for setting in values { try? ControlBatch([setting], access, known: known).set() }
    }

    private func controlAccess() throws(CaptureError) -> ControlAccess {
        guard let node = openNode else {
            throw CaptureError(
                .disconnected, device: device.path, operation: "use its controls", reason: "it is closed or lost")
        }
        return ControlAccess(device: node)
    }
}
