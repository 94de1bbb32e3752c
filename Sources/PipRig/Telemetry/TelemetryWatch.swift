internal import PipCompose
package import PipInputs
internal import PipText

/// A source of values that has gone or come back, or another clock that is shown, as a sentence.
package enum TelemetryReport: Sendable, Equatable {
    case missing(String)
    case back(String)
    case clock(String)
}

/// Reads the sources of values of a running composition, and writes its tracks.
package struct TelemetryWatch: Sendable {
    /// The time between two looks at the configuration and at silent sources, and between two places of a track.
    private static let interval = Duration.seconds(1)

    private let live: LiveRig
    private let devices: any InputDevices
    private let tell: @Sendable (TelemetryReport) -> Void

    /// - Parameters:
    ///   - live: The composition, whose values are set.
    ///   - devices: The machine's devices.
    ///   - tell: Takes sentences about sources that go and come back.
    package init(
        _ live: LiveRig, devices: any InputDevices = KernelInputs(),
        tell: @escaping @Sendable (TelemetryReport) -> Void
    ) {
        (self.live, self.devices, self.tell) = (live, devices, tell)
    }

    /// Reads the sources until the task is cancelled.
    ///
    /// A reload of the configuration may change the sources meanwhile.
    package func run() async {
        let interruption = Interruption()
        let thread = WorkerThread(name: "pip-telemetry", clock: live.telemetry.clock) { follow(until: interruption) }
        await withTaskCancellationHandler {
            await thread.joined()
        } onCancel: {
            interruption.raise()
        }
    }

    private func follow(until interruption: Interruption) {
        let clock = live.telemetry.clock
        var feeds: [TelemetryFeed] = []
        var tracks = TelemetryTracks(tell: tell)
        repeat {
            let rig = live.rig
            let stopped = feeds.filter { !rig.telemetry.contains($0.argument) }.compactMap { $0.stop() }
            feeds = rig.telemetry.map { argument in
                if let known = feeds.first(where: { $0.argument == argument }) { return known }
                let feed = TelemetryFeed(argument, live.telemetry, devices, tell: tell)
                feed.start(after: stopped)
                return feed
            }
            for feed in feeds { feed.check() }
            if WallTime.followMachine() { tell(.clock("the machine's clock is set, and shown again")) }
            tracks.write(live.telemetry, to: rig.tracks)
        } while interruption.wait(
            for: -1, events: 0, until: clock.now.advanced(by: Self.interval), by: clock) != .interrupted
        for feed in feeds { _ = feed.stop() }
        // Writes the values that came after the last pass.
        tracks.write(live.telemetry, to: live.rig.tracks)
    }
}
