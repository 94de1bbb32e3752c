extension Camera {
    /// The camera's settings with their present values.
    ///
    /// Also while it streams.
    ///
    /// - Throws: ``CaptureError`` when the camera is closed or lost.
    package func controls() throws(CaptureError) -> [CameraControl] { try controlAccess().controls() }

    /// Sets a control by the name that `v4l2-ctl` has for it, such as `brightness`.
    ///
    /// Also while the camera streams.
    ///
    /// - Returns: The value that the camera made of it.
    /// - Throws: ``CaptureError``, kind `invalidSetting`, before the camera is asked when it would not take the value.
    @discardableResult
    package func set(_ control: String, to value: Int) throws(CaptureError) -> Int {
        try controlAccess().set(control, to: value)
    }

    private func controlAccess() throws(CaptureError) -> ControlAccess {
        guard let node = openNode else {
            throw CaptureError(
                .disconnected, device: device.path, operation: "use its controls", reason: "it is closed or lost")
        }
        return ControlAccess(device: node)
    }
}
