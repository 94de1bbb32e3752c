internal import PipFrames

extension CaptureLoop {
    /// The shortest suspension that is not an artefact of the clocks.
    private static let leastSleep = Duration.milliseconds(500)

    /// The time suspended since the last call, if any.
    func hasSlept() -> Duration? {
        let total = calls.slept
        let slept = total - knownSleep
        guard slept >= Self.leastSleep else { return nil }
        knownSleep = total
        return slept
    }

    /// Starts the stream anew after the machine has slept: what the driver still holds is of before.
    ///
    /// Many cameras deliver nothing until then, and some not even after: these are lost after a second, and opened
    /// anew.
    func wakeUp(after duration: Duration) {
        link.outlet.endPeriod(.late, by: link.ticket, at: calls.now)
        decoder?.discard(.late, now: calls.now)
        if let failure = restartStream() { return lose(failure) }
        lifecycle.streamStarted(at: calls.now)
        link.publish(.streaming)
        isWaking = true
        link.report(.slept(duration))
    }
}
