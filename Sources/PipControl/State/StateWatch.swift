#if Control
internal import PipCompose
internal import PipRig
internal import Synchronization

/// Polls a running composition, its cameras and its files, and sends changes of the state to clients.
final class StateWatch: Sendable {
    /// The polling interval of the state.
    private static let interval = Duration.milliseconds(500)
    /// The number of polls from one keep-alive to the next.
    private static let pollsPerKeepAlive = 20
    /// The interval after which ``update()`` reads the cameras' controls again.
    private static let deviceInterval = Duration.seconds(5)

    let feed = StateFeed()
    let watchdog = FrameWatchdog()
    private let live: LiveRig
    private let facts: Mutex<PanelFacts>
    /// The time at which ``update()`` last read the cameras' controls; nil before the first reading.
    private let deviceLook = Mutex<ContinuousClock.Instant?>(nil)

    init(_ live: LiveRig, _ facts: PanelFacts) {
        self.live = live
        self.facts = Mutex(facts)
    }

    /// The current facts that the composition does not contain.
    var presentFacts: PanelFacts { facts.withLock { $0 } }

    /// Polls until the current task is cancelled.
    func run() async {
        var look = 0
        while !Task.isCancelled {
            recordFrameCount()
            measureFiles()
            // Nothing is sent if no client follows the events. A request for the state calls `update()` itself.
            if await feed.isFollowed { await update() }
            look += 1
            if look % Self.pollsPerKeepAlive == 0 { await feed.wakeReaders() }
            try? await Task.sleep(for: Self.interval)
        }
    }

    /// Reads the state, and sends changes to clients.
    ///
    /// - Returns: The current state.
    @discardableResult
    func update() async -> StateFeed.Snapshot {
        let isDue = deviceLook.withLock { last in
            let now = ContinuousClock.now
            guard last.map({ $0.duration(to: now) >= Self.deviceInterval }) ?? true else { return false }
            last = now
            return true
        }
        if isDue { readDevices() }
        let document = StateDocument(live, presentFacts)
        await feed.update(document.json, revision: live.snapshot.revision)
        return await feed.snapshot
    }

    /// Reads the controls of all cameras in use, and the modes of cameras that were not in use before.
    func readDevices() {
        let nodes = Set(live.session.statistics.sources.compactMap(\.device))
        guard !nodes.isEmpty else { return }
        let known = presentFacts.devices
        var devices: [String: PanelFacts.Device] = [:]
        for camera in live.cameras.cameras() where nodes.contains(camera.path) {
            let controls = (try? live.cameras.controls(of: camera)) ?? []
            devices[camera.path] =
                known[camera.path].map { PanelFacts.Device($0, controls: controls) }
                ?? PanelFacts.Device(
                    modes: (try? live.cameras.modes(of: camera))?.filter(\.isUsable) ?? [], controls: controls)
        }
        facts.withLock { [devices] in $0.devices = devices }
    }

    /// Records the session's number of frames for the watchdog.
    func recordFrameCount() { watchdog.record(live.session.statistics.output.frames) }

    private func measureFiles() {
        let paths = live.rig.outputs.compactMap { output in output.sink.path.map { (output.id, $0) } }
        let known = presentFacts.sizes
        var sizes: [String: PanelFacts.FileSize] = [:]
        for (id, path) in paths where !path.contains("%") {
            guard let bytes = FileLength.bytes(of: path) else { continue }
            sizes[id] = PanelFacts.FileSize(bytes: bytes, at: .now, after: known[id])
        }
        facts.withLock { [sizes] in $0.sizes = sizes }
    }
}
#endif
