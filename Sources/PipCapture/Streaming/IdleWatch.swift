internal import CV4L2
internal import PipConcurrency
internal import PipFrames

/// Watches over a camera that is switched off: one that is unplugged meanwhile is lost at once.
struct IdleWatch {
    /// The interval at which the camera is probed, where its driver does not report removal.
    private static let interval = Duration.seconds(2)

    /// True when `poll` on a stopped stream stays silent until the device is gone.
    private var isTold = true

    /// Notes that the driver has said that it has something to say, and had nothing: it is asked now and then only.
    mutating func distrust() { isTold = false }

    /// Waits for a wake-up, or until the camera is to be probed again.
    ///
    /// - Returns: The loss of the camera, nil while it is there, and whether it has something to say.
    mutating func wait(for device: V4L2Device, wakeUp: CInt) -> (loss: CaptureError?, hasEvents: Bool) {
        let calls = device.calls
        let ready =
            isTold
            ? calls.waitIdle(device: device.descriptor, wakeUp: wakeUp, timeout: Self.interval)
            : calls.wait(device: nil, wakeUp: wakeUp, timeout: Self.interval)
        if ready.contains(.woken) { return (nil, false) }
        var capability = v4l2_capability()
        if let errno = device.perform(.queryCapabilities, &capability) {
            let error = device.error(.queryCapabilities, errno, "keep it while it is switched off")
            if error.kind == .disconnected { return (error, false) }
        }
        if !ready.subtracting(.event).isEmpty { isTold = false }
        return (nil, ready.contains(.event) || !isTold)
    }
}
