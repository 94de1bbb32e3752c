internal import CV4L2
internal import PipFrames

extension CaptureLoop {
    /// The interval at which a camera that is switched off is probed, where its driver does not report removal.
    private static let idleInterval = Duration.seconds(2)

    /// Waits while the camera is switched off; one that is unplugged meanwhile is lost at once.
    func stepIdle() {
        guard let device else { return }
        let ready =
            idleIsTold
            ? calls.waitIdle(device: device.descriptor, wakeUp: link.commands.wakeUp, timeout: Self.idleInterval)
            : calls.wait(device: nil, wakeUp: link.commands.wakeUp, timeout: Self.idleInterval)
        if ready.contains(.woken) { return }
        if ready.contains(.event), SourceChange.isPending(device) { return lose(SourceChange.error(device.path)) }
        var capability = v4l2_capability()
        if let errno = device.perform(.queryCapabilities, &capability) {
            let error = device.error(.queryCapabilities, errno, "keep it while it is switched off")
            if error.kind == .disconnected { return lose(error) }
        }
        // A driver that always has something to say is asked now and then.
        if !ready.isEmpty { idleIsTold = false }
    }
}
