internal import PipConcurrency
internal import Synchronization

/// The opened sources of a session, and the slates and badges that say when they are missing.
///
/// Belongs to the session's controller.
final class SourceRegistry {
    private let slateBoard: SlateBoard
    /// By their nodes, slates and badges included.
    private(set) var feeds: [NodeID: SourceFeed] = [:]
    /// The graph's own sources, in the order in which they were opened, for whoever reads without waiting.
    let listed: SourceList
    private var standIns: [NodeID: StandIns] = [:]
    private var started: Set<NodeID> = []
    /// What was asked of the cameras last.
    private var setups: [NodeID: CameraSetup] = [:]

    /// The nodes of a source's slate and badge, which have feeds once they were drawn.
    private struct StandIns {
        let slate = NodeID()
        let badge = NodeID()
        let colors = NodeID()
        let zoom = NodeID()
        let size: PixelSize
        let name: String

        var ids: [NodeID] { [slate, badge] }
    }

    init(slateBoard: SlateBoard) {
        self.slateBoard = slateBoard
        listed = SourceList()
    }

    /// The camera of a node; nil when it is no camera of this session.
    func camera(_ id: NodeID) -> CameraSlot? { feeds[id]?.camera }

    /// The nodes of the cameras, in the order in which they were opened.
    var cameraIDs: [NodeID] { listed.feeds.filter { $0.camera != nil }.map(\.id) }

    /// The nodes of the sources that may go away and come back: cameras and streams.
    var vanishingIDs: [NodeID] { listed.feeds.filter { $0.camera != nil || $0.inlet is LiveInlet }.map(\.id) }

    /// The formats of all sources, slates and badges included.
    var formats: [NodeID: SourceFormat] { feeds.mapValues(\.format) }

    /// What there is to show of each source when it has no frames.
    var stands: [NodeID: Stand] {
        standIns.mapValues { standIns in
            var format = SourceFormat(layout: FrameLayout(.i420, standIns.size), colorimetry: .bt709)
            format.isStill = true
            return Stand(
                slate: standIns.slate, badge: standIns.badge, colors: standIns.colors, zoom: standIns.zoom,
                label: standIns.name,
                slateFormat: format,
                badgeFormat: Badge.format(standIns.size))
        }
    }

    /// What of the zooms that a graph asks of its cameras is left to be made by a crop.
    func zooms(in graph: Graph) -> [NodeID: Double] {
        var zooms: [NodeID: Double] = [:]
        for id in cameraIDs {
            guard let asked = graph.camera(id)?.wish.adjustments.zoom, asked > 1 else { continue }
            let own = camera(id)?.ownZoom(of: asked) ?? 1
            if asked > own { zooms[id] = asked / own }
        }
        return zooms
    }

    /// The feeds that a graph is drawn with: those of some sources, and all slates and badges.
    func feeds(of wanted: some Sequence<NodeID>) -> [NodeID: SourceFeed] {
        let ids = Set(wanted).union(standIns.values.flatMap(\.ids))
        return feeds.filter { ids.contains($0.key) }
    }

    // MARK: Opening

    /// Opens the sources that are not open yet, beside each other: a driver takes its time.
    ///
    /// - Parameters:
    ///   - wanted: Their nodes.
    ///   - graph: The graph that they are of.
    ///   - main: The main source, which is the last to be given less than it wishes of a bus.
    ///   - context: The circumstances.
    /// - Throws: ``SessionError`` for the first that cannot be opened; the others stay until ``take(except:)``.
    func open(
        _ wanted: [NodeID], of graph: Graph, main: NodeID?, _ context: OpeningContext
    ) async throws(SessionError) {
        let new = wanted.filter { feeds[$0] == nil }
        guard !new.isEmpty else { return }
        let opening = SourceOpening(of: new, in: graph, main: main, context)
        var failure: SessionError?
        for (id, result) in await opening.run() {
            switch result {
            case .success(let feed):
                feeds[id] = feed
                setups[id] = graph.camera(id)
                standIns[id] = StandIns(
                    size: feed.format.orientation.size(of: feed.format.layout.size), name: feed.name)
                listed.append(feed)
            case .failure(let error): failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// Makes the feeds of the slates and badges that a plan draws.
    func openStandIns(for plan: RenderPlan) {
        for (source, standIns) in standIns {
            open(standIns.slate, "slate for \(standIns.name)", for: plan) {
                slateBoard.picture(for: source, size: standIns.size)
            }
            open(standIns.badge, "badge for \(standIns.name)", for: plan) { Badge(standIns.size) }
        }
    }

    private func open(_ id: NodeID, _ name: String, for plan: RenderPlan, _ make: () -> any LivePicture) {
        guard feeds[id] == nil, plan.sources.contains(id) else { return }
        let picture = make()
        var format = SourceFormat(layout: picture.description.layout, colorimetry: picture.description.colorimetry)
        format.isStill = true
        feeds[id] = SourceFeed(id: id, name: name, inlet: PictureInlet(picture: picture), format: format, rate: nil)
    }

    /// The feeds that were not started yet.
    var waiting: [SourceFeed] { feeds.values.filter { !started.contains($0.id) } }

    /// Starts what was not started yet, beside each other.
    ///
    /// - Parameters:
    ///   - offset: The session's time at its first moment, from which on files are read; 0 for those that join.
    ///   - clock: The clock by which the threads of it wait.
    /// - Throws: ``SessionError`` for one that does not.
    func start(at offset: Duration, by clock: MonotonicClock) async throws(SessionError) {
        let waiting = waiting
        let failures = await WorkerThread.run(
            name: "pip-opening", clock: clock,
            waiting.map { feed -> @Sendable () -> SessionError? in
                {
                    do throws(SessionError) { try feed.inlet.start(at: offset) } catch { return error }
                    return nil
                }
            })
        for (feed, failure) in zip(waiting, failures) where failure == nil { started.insert(feed.id) }
        if let failure = failures.compactMap(\.self).first { throw failure }
    }

    // MARK: Cameras

    /// The open cameras of which a graph asks something else than they were asked last.
    func changedCameras(by graph: Graph) -> [(id: NodeID, slot: CameraSlot, before: CameraSetup, after: CameraSetup)] {
        cameraIDs.compactMap { id in
            guard let slot = camera(id), let before = setups[id], let after = graph.camera(id), after != before else {
                return nil
            }
            return (id, slot, before, after)
        }
    }

    /// Notes what was asked of a camera.
    func note(_ setup: CameraSetup, of id: NodeID) { setups[id] = setup }

    // MARK: Closing

    /// Takes out the sources that are not wanted any more, with their slates and badges.
    ///
    /// - Returns: Their feeds, to be stopped.
    func take(except wanted: Set<NodeID>) -> [SourceFeed] {
        let others = Set(standIns.values.flatMap(\.ids))
        var taken = feeds.values.filter { !wanted.contains($0.id) && !others.contains($0.id) }
        taken += taken.flatMap { standIns[$0.id]?.ids.compactMap { feeds[$0] } ?? [] }
        for feed in taken {
            feeds[feed.id] = nil
            standIns[feed.id] = nil
            started.remove(feed.id)
            setups[feed.id] = nil
        }
        return taken
    }

    /// Stops a source that was taken out, and lets go of its frames.
    func stop(_ feed: SourceFeed, on gpu: RenderContext) async {
        await feed.inlet.stop()
        await gpu.perform { _ in feed.release() }
        listed.end(feed)
    }

    /// Stops every source, all at once: a camera whose driver hangs costs the others no time.
    func stopAll() async {
        let feeds = Array(feeds.values)
        await withTaskGroup(of: Void.self) { group in
            for feed in feeds { group.addTask { await feed.inlet.stop() } }
        }
    }
}

/// The sources of a session that were ever opened, in their order: of those that have ended, the counts only.
final class SourceList: Sendable {
    private enum Entry {
        case open(SourceFeed)
        case ended(SessionStatistics.Source)
    }

    private let contents = Mutex<[Entry]>([])

    /// The sources that are open.
    var feeds: [SourceFeed] {
        contents.withLock { $0.compactMap { if case .open(let feed) = $0 { feed } else { nil } } }
    }

    /// The length of the longest source that ends; nil without any, and where one's is not known.
    var length: Duration? {
        var longest: Duration?
        for feed in feeds where feed.inlet.isFinite {
            guard let length = feed.inlet.length else { return nil }
            longest = max(longest ?? .zero, length)
        }
        return longest
    }

    /// The counts of all sources.
    var statistics: [SessionStatistics.Source] {
        let entries = contents.withLock { $0 }
        let reference = entries.lazy.compactMap {
            if case .open(let feed) = $0, feed.camera != nil { feed } else { nil }
        }
        .first
        return entries.map { entry in
            switch entry {
            case .open(let feed): SessionStatistics.Source(feed, beside: reference)
            case .ended(let statistics): statistics
            }
        }
    }

    func append(_ feed: SourceFeed) { contents.withLock { $0.append(.open(feed)) } }

    /// Keeps the counts of a source that was stopped, and lets go of it.
    func end(_ feed: SourceFeed) {
        let last = SessionStatistics.Source(feed, beside: nil)
        contents.withLock { entries in
            for index in entries.indices {
                if case .open(let other) = entries[index], other === feed { entries[index] = .ended(last) }
            }
        }
    }

    /// What a source calls itself: a camera's driver knows its name.
    func name(of id: NodeID) -> String {
        guard let feed = self[id] else { return "" }
        return feed.camera?.device?.card ?? feed.name
    }

    subscript(id: NodeID) -> SourceFeed? { feeds.last { $0.id == id } }

    /// What the running cameras ask of their buses.
    func busLoads(_ cameras: CameraDirectory) -> [BusLoad] {
        cameras.busLoads(
            of: feeds.compactMap { feed in
                guard let slot = feed.camera, let device = slot.device, let format = slot.format else { return nil }
                return (device, format.mode)
            })
    }
}
