internal import CV4L2
internal import SystemPackage

extension Camera {
    /// Checks that the camera would accept the mode nearest to `wish`, and changes nothing.
    ///
    /// The camera may stream meanwhile.
    ///
    /// - Returns: The mode that the camera would be set to.
    /// - Throws: ``CaptureError`` when the camera offers no usable mode, the driver refuses the mode or the colour
    ///   space, or the camera is closed or lost.
    func check(_ wish: CameraWish) throws(CaptureError) -> CameraMode {
        let node = try openDevice("be asked for another mode")
        return try Negotiation(device: node, bufferType: NodeIdentity(node).bufferType).check(wish, known: modes)
    }

    /// Keeps other programs from changing the camera's settings until ``unlock()`` is called or the device is closed.
    ///
    /// A frame in use keeps the device open. The call has no effect if the driver has no priorities.
    ///
    /// - Throws: ``CaptureError``: kind `busy` when another program has reserved the camera's settings, `disconnected`
    ///   when the camera is closed or lost.
    func lock() throws(CaptureError) {
        var priority = V4L2_PRIORITY_RECORD.rawValue
        let node = try openDevice("be set")
        // A driver without priorities cannot keep other programs away.
        guard node.perform(.setPriority, &priority) == .resourceBusy else { return }
        throw node.error(.setPriority, .resourceBusy, "set the camera, which another program has reserved for itself")
    }

    /// Lets other programs change the camera's settings again.
    func unlock() {
        var priority = V4L2_PRIORITY_DEFAULT.rawValue
        _ = openNode?.perform(.setPriority, &priority)
    }

    /// Returns the camera's open device.
    ///
    /// - Parameter purpose: The operation that needs the device, worded to follow "cannot" in an error.
    /// - Returns: The open device.
    /// - Throws: ``CaptureError`` when the camera is closed or lost.
    func openDevice(_ purpose: String) throws(CaptureError) -> V4L2Device {
        if let node = openNode { return node }
        throw CaptureError(
            .disconnected, device: device.path, operation: purpose, reason: "the camera is closed or lost")
    }
}
