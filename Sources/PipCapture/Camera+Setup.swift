internal import CV4L2
internal import SystemPackage

extension Camera {
    /// Asks whether the camera would take a mode near a wish, also while it streams; nothing is set.
    ///
    /// - Returns: The mode that it would be set to.
    /// - Throws: ``CaptureError`` when it would not, or is closed or lost.
    func check(_ wish: CameraWish) throws(CaptureError) -> CameraMode {
        let node = try openDevice("be asked for another mode")
        return try Negotiation(device: node, bufferType: NodeIdentity(node).bufferType).check(wish, known: modes)
    }

    /// Keeps other programs from setting the camera, until ``unlock()`` or until it is closed.
    ///
    /// - Throws: ``CaptureError``, kind `busy`, when another program has taken that right.
    func lock() throws(CaptureError) {
        var priority = V4L2_PRIORITY_RECORD.rawValue
        let node = try openDevice("be set")
        // Drivers without priorities cannot keep others away.
        guard node.perform(.setPriority, &priority) == .resourceBusy else { return }
        throw node.error(.setPriority, .resourceBusy, "set the camera, which another program has reserved for itself")
    }

    /// Lets other programs set the camera again.
    func unlock() {
        var priority = V4L2_PRIORITY_DEFAULT.rawValue
        _ = openNode?.perform(.setPriority, &priority)
    }

    private func openDevice(_ purpose: String) throws(CaptureError) -> V4L2Device {
        if let node = openNode { return node }
        throw CaptureError(.disconnected, device: device.path, operation: purpose, reason: "it is closed or lost")
    }
}
