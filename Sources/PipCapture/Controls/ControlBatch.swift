internal import CV4L2
internal import SystemPackage

/// A transaction of control settings: all of them are set, or none.
///
/// A driver with calls for several controls checks all settings before it sets the first. When the device refuses a
/// setting later, the controls that were already set get their former values back. Inactive controls are set in a
/// second call, because drivers reorder the settings of one call.
///
/// Source: Linux userspace API, "ioctl VIDIOC_G_EXT_CTRLS, VIDIOC_S_EXT_CTRLS, VIDIOC_TRY_EXT_CTRLS".
struct ControlBatch {
    private struct Write {
        let control: CameraControl
        let value: Int
    }

    private let device: V4L2Device
    private let writes: [Write]

    /// Checks settings against the camera's controls, and sets nothing.
    ///
    /// A batch of several settings may contain an inactive control, because another setting may enable that control.
    ///
    /// - Parameters:
    ///   - settings: Names and values, in the order of setting.
    ///   - access: The access to the camera's controls.
    ///   - known: The controls with their present values; nil reads them from the camera.
    /// - Throws: ``CaptureError``, kind `invalidSetting`, for the first control that is missing or cannot be set to its
    ///   value.
    init(
        _ settings: [(name: String, value: Int)], _ access: ControlAccess, known: [CameraControl]? = nil
    ) throws(CaptureError) {
        device = access.device
        let known = known ?? (settings.isEmpty ? [] : access.controls())
        var writes: [Write] = []
        for (name, value) in settings {
            guard let control = known.first(where: { $0.name == name }) else {
                throw access.missing(name, among: known)
            }
            if let refusal = control.refusal(of: value, mayBeInactive: settings.count > 1) {
                throw CaptureError(
                    .invalidSetting, device: access.device.path, operation: "set \(name) to \(value)", reason: refusal)
            }
            writes.append(Write(control: control, value: value))
        }
        self.writes = writes
    }

    /// The controls, in the settings' order.
    var controls: [CameraControl] { writes.map(\.control) }

    /// The names and values, in the order of setting.
    var settings: [(name: String, value: Int)] { writes.map { ($0.control.name, $0.value) } }

    /// The values before the change, in reverse order, so that each switch is restored after the values that it
    /// enables.
    var before: [(name: String, value: Int)] {
        writes.reversed().compactMap { write in write.control.value.map { (write.control.name, $0) } }
    }

    /// Checks the settings with `VIDIOC_TRY_EXT_CTRLS`, and sets nothing.
    ///
    /// - Returns: False for a driver without this call.
    /// - Throws: ``CaptureError`` that names the refusing control, or all controls if the driver does not tell which.
    @discardableResult
    func check() throws(CaptureError) -> Bool {
        guard let (errno, index) = perform(.tryControls, writes) else { return true }
        // Drivers without a call for several controls have no test call either.
        if errno == .inappropriateIOCTLForDevice { return false }
        throw error(.tryControls, errno, index, writes)
    }

    /// Sets all controls.
    ///
    /// - Throws: ``CaptureError`` when a control refuses its value; then the former values are restored, as far as the
    ///   camera permits.
    func set() throws(CaptureError) {
        guard writes.count > 1 else {
            for write in writes { try setOne(write) }
            return
        }
        guard try check() else { return try setOneByOne() }
        var done: [Write] = []
        for part in [writes.filter { !$0.control.isInactive }, writes.filter(\.control.isInactive)] {
            guard let (errno, index) = perform(.setControls, part) else {
                done += part
                continue
            }
            // A failed index equal to the number of settings means that no setting was made.
            restore(done + (index == part.count ? [] : part.prefix(index)))
            throw error(.setControls, errno, index, part)
        }
    }

    /// Performs one control call for all of `writes`.
    ///
    /// - Returns: The error and the index of the failed setting; nil for success.
    private func perform(_ request: V4L2Request, _ writes: [Write]) -> (Errno, Int)? {
        if writes.isEmpty { return nil }
        var values = unsafe writes.map { write in
            var value = unsafe v4l2_ext_control()
            unsafe value.id = write.control.id
            unsafe value.value = Int32(truncatingIfNeeded: write.value)
            return unsafe value
        }
        return unsafe values.withUnsafeMutableBufferPointer { values -> (Errno, Int)? in
            var batch = unsafe v4l2_ext_controls()
            unsafe batch.count = UInt32(values.count)
            unsafe batch.controls = values.baseAddress
            guard let errno = unsafe device.perform(request, &batch) else { return nil }
            return unsafe (errno, Int(batch.error_idx))
        }
    }

    private func setOneByOne() throws(CaptureError) {
        for (index, write) in writes.enumerated() {
            do throws(CaptureError) { try setOne(write) } catch {
                restore(Array(writes[..<index]))
                throw error
            }
        }
    }

    private func setOne(_ write: Write) throws(CaptureError) {
        var argument = v4l2_control(id: write.control.id, value: Int32(truncatingIfNeeded: write.value))
        try device.require(.setControl, &argument, to: "set \(write.control.name) to \(write.value)")
    }

    /// Sets the controls to their former values, in reverse order, and ignores refusals.
    private func restore(_ changed: [Write]) {
        for write in changed.reversed() {
            if let before = write.control.value { device.tryToSet(write.control, to: before) }
        }
    }

    /// The error for the control at `index`; for an index outside of `writes`, the error names all controls.
    private func error(_ request: V4L2Request, _ errno: Errno, _ index: Int, _ writes: [Write]) -> CaptureError {
        let operation =
            writes.indices.contains(index)
            ? "set \(writes[index].control.name) to \(writes[index].value)"
            : "set \(writes.map(\.control.name).joined(separator: ", "))" + (writes.count > 1 ? " together" : "")
        return device.error(request, errno, operation)
    }
}
