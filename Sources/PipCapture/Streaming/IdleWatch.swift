internal import CV4L2
internal import PipConcurrency
internal import PipFrames

/// Watches a camera that is switched off, so that its removal is noticed at once.
struct IdleWatch {
    /// The interval of probes, where the driver does not report removal.
    private static let interval = Duration.seconds(2)

    /// True while `poll` on a stopped stream has been silent unless the device is gone.
    private var isPollReliable = true

    /// Switches to probing, because the driver has announced an event and had none.
    mutating func probeOnly() { isPollReliable = false }

    /// Waits for a wake-up, an event, or the next probe.
    ///
    /// - Returns: The loss of the camera, nil while it is present, and whether events are pending.
    mutating func wait(for device: V4L2Device, wakeUp: CInt) -> (loss: CaptureError?, hasEvents: Bool) {
        let calls = device.calls
        let ready =
            isPollReliable
            ? calls.waitIdle(device: device.descriptor, wakeUp: wakeUp, timeout: Self.interval)
            : calls.wait(device: nil, wakeUp: wakeUp, timeout: Self.interval)
        if ready.contains(.woken) { return (nil, false) }
        var capability = v4l2_capability()
        if let errno = device.perform(.queryCapabilities, &capability) {
            let error = device.error(.queryCapabilities, errno, "keep it while it is switched off")
            if error.kind == .disconnected { return (error, false) }
        }
        if !ready.subtracting(.event).isEmpty { isPollReliable = false }
        return (nil, ready.contains(.event) || !isPollReliable)
    }
}
