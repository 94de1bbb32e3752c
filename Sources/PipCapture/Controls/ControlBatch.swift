internal import CV4L2
internal import SystemPackage

/// Controls that are set together: all of them, or none.
///
/// The driver checks them together before one is set. One that the device itself refuses after that leaves those before
/// it changed: they are set back. Values that another control among them is to unlock follow in a second call, since
/// drivers send those of one call in an order of their own.
///
/// Source: Linux userspace API, "ioctl VIDIOC_G_EXT_CTRLS, VIDIOC_S_EXT_CTRLS, VIDIOC_TRY_EXT_CTRLS".
struct ControlBatch {
    private struct Write {
        let control: CameraControl
        let value: Int
    }

    private let device: V4L2Device
    private let writes: [Write]

    /// Checks settings against the controls that there are; nothing is set.
    ///
    /// One that another has switched off may be among others, which may switch it on.
    ///
    /// - Parameters:
    ///   - settings: Names and values, in the order in which they are set.
    ///   - access: The camera's controls.
    ///   - known: These, with their values; nil asks the camera.
    /// - Throws: ``CaptureError``, kind `invalidSetting`, for the first that is not there or does not take its value.
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

    /// What is set, in its order.
    var settings: [(name: String, value: Int)] { writes.map { ($0.control.name, $0.value) } }

    /// What there was before, the last one first: a value needs the switch that allows it.
    var before: [(name: String, value: Int)] {
        writes.reversed().compactMap { write in write.control.value.map { (write.control.name, $0) } }
    }

    /// Asks the driver whether it would take them; nothing is set.
    ///
    /// - Returns: False for a driver that cannot be asked.
    /// - Throws: ``CaptureError`` that names the control which the camera does not take.
    @discardableResult
    func check() throws(CaptureError) -> Bool {
        guard let (errno, index) = perform(.tryControls, writes) else { return true }
        // Drivers without a common call have none to try it by, either.
        if errno == .inappropriateIOCTLForDevice { return false }
        throw error(.tryControls, errno, index, writes)
    }

    /// Sets them.
    ///
    /// - Throws: ``CaptureError`` that names the control which the camera does not take; then all are as they were.
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
            // The count itself says that none was set.
            restore(done + (index == part.count ? [] : part.prefix(index)))
            throw error(.setControls, errno, index, part)
        }
    }

    /// Makes a call for some of them.
    ///
    /// - Returns: The error and the index that came with it; nil for success.
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

    /// Sets controls back, the last one first: a value needs the switch that allows it.
    private func restore(_ changed: [Write]) {
        for write in changed.reversed() {
            guard let before = write.control.value else { continue }
            var argument = v4l2_control(id: write.control.id, value: Int32(truncatingIfNeeded: before))
            _ = device.perform(.setControl, &argument)
        }
    }

    /// The error of the control that an index names; one outside names none.
    private func error(_ request: V4L2Request, _ errno: Errno, _ index: Int, _ writes: [Write]) -> CaptureError {
        let operation =
            writes.indices.contains(index)
            ? "set \(writes[index].control.name) to \(writes[index].value)"
            : "set \(writes.map(\.control.name).joined(separator: ", ")) together"
        return device.error(request, errno, operation)
    }
}
