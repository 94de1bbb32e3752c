internal import CV4L2
internal import SystemPackage

/// Word from a device that the signal at its input has changed: another size or rate, or none at all.
///
/// Source: Linux userspace API, "ioctl VIDIOC_SUBSCRIBE_EVENT", "V4L2_EVENT_SOURCE_CHANGE".
enum SourceChange {
    /// Asks the device to tell; most cameras cannot, and need not.
    static func subscribe(_ device: V4L2Device) {
        var subscription = v4l2_event_subscription()
        subscription.type = UInt32(V4L2_EVENT_SOURCE_CHANGE)
        _ = device.perform(.subscribeEvent, &subscription)
    }

    /// Dequeues the pending events.
    ///
    /// - Returns: True when one reports a changed signal.
    static func isPending(_ device: V4L2Device) -> Bool {
        var isChanged = false
        for _ in 0..<64 {
            var event = v4l2_event()
            guard device.perform(.dequeueEvent, &event) == nil else { break }
            if event.type == UInt32(V4L2_EVENT_SOURCE_CHANGE) { isChanged = true }
        }
        return isChanged
    }

    /// The error that ends a stream whose signal has changed.
    static func error(_ path: String) -> CaptureError {
        CaptureError(
            .noSignal, device: path, operation: "go on as before", reason: "the signal at its input has changed")
    }
}
