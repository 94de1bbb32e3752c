internal import CV4L2
internal import PipConcurrency
internal import PipFrames

/// Watches for the removal of a camera that is switched off.
struct IdleWatch {
    /// The interval at which the device is probed, because its driver may not report removal.
    private static let interval = Duration.seconds(2)

    /// True until `poll` has reported data, a failure or a missing event, although the device is present and its stream
    /// is stopped.
    private var isPollReliable = true

    /// Relies on probes alone from now on, because `poll` has announced an event that the driver does not have.
    mutating func probeOnly() { isPollReliable = false }

    /// Waits for a wake-up, an event, or the next probe.
    ///
    /// - Returns: The error of a lost camera, or nil for a present camera, and whether events may be pending.
    mutating func wait(for device: V4L2Device, wakeUp: CInt) -> (loss: CaptureError?, hasEvents: Bool) {
        let calls = device.calls
        let ready =
            isPollReliable
            ? calls.waitIdle(device: device.descriptor, wakeUp: wakeUp, timeout: Self.interval)
            : calls.wait(device: nil, wakeUp: wakeUp, timeout: Self.interval)
        if ready.contains(.woken) { return (nil, false) }
        var capability = v4l2_capability()
        if let errno = device.perform(.queryCapabilities, &capability) {
            let error = device.error(.queryCapabilities, errno, "stay open while it is switched off")
            if error.kind == .disconnected { return (error, false) }
        }
        if !ready.subtracting(.event).isEmpty { isPollReliable = false }
        return (nil, ready.contains(.event) || !isPollReliable)
    }
}
