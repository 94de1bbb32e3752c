internal import PipConcurrency
internal import Synchronization

/// The open sources of a session, with the placeholders that are drawn while a source has no frames.
///
/// Thread: the session's controller only.
final class SourceRegistry {
    private let slateBoard: SlateBoard
    /// The graph's sources in opening order.
    ///
    /// Safe to read from any thread without blocking.
    let listed: SourceList
    /// The feeds of slates and badges that were drawn, keyed by node.
    private var placeholderFeeds: [NodeID: SourceFeed] = [:]
    /// The placeholders of the open sources, keyed by the source's node.
    private(set) var placeholders: [NodeID: Placeholder] = [:]
    private var started: Set<NodeID> = []
    /// The settings last requested from each camera, keyed by its node.
    private var setups: [NodeID: CameraSetup] = [:]

    init(slateBoard: SlateBoard, log: SourceLog) {
        self.slateBoard = slateBoard
        listed = SourceList(log)
    }

    /// Every open feed, keyed by node.
    ///
    /// Includes the slate and badge feeds.
    var feeds: [NodeID: SourceFeed] {
        var feeds = placeholderFeeds
        for feed in listed.feeds { feeds[feed.id] = feed }
        return feeds
    }

    /// The camera of a node; nil for a node that is not an open camera of this session.
    func camera(_ id: NodeID) -> CameraSlot? { listed[id]?.camera }

    /// The cameras' nodes in opening order.
    var cameraIDs: [NodeID] { listed.feeds.filter { $0.camera != nil }.map(\.id) }

    /// The nodes of the sources that may go away and return: cameras and streams.
    var vanishingIDs: [NodeID] { listed.feeds.filter { $0.camera != nil || $0.inlet is LiveInlet }.map(\.id) }

    /// The factors (> 1) by which a crop must zoom beyond the cameras' own zoom, keyed by node.
    func digitalZooms(in graph: Graph) -> [NodeID: Double] {
        var zooms: [NodeID: Double] = [:]
        for id in cameraIDs {
            guard let requested = graph.camera(id)?.wish.adjustments.zoom, requested > 1 else { continue }
            let optical = camera(id)?.ownZoom(of: requested) ?? 1
            if requested > optical { zooms[id] = requested / optical }
        }
        return zooms
    }

    /// The feeds of the wanted sources, and of all slates and badges.
    func feeds(of wanted: some Sequence<NodeID>) -> [NodeID: SourceFeed] {
        let ids = Set(wanted).union(placeholders.values.flatMap(\.nodes))
        return feeds.filter { ids.contains($0.key) }
    }

    // MARK: Opening

    /// Opens the wanted sources that are not open yet, in parallel.
    ///
    /// - Parameters:
    ///   - wanted: The nodes of the sources that must be open.
    ///   - graph: The graph with these sources.
    ///   - main: The main source. If cameras share a bus, the main camera's mode is reduced last.
    ///   - context: The resources and callbacks that the sources are opened with.
    /// - Throws: ``SessionError`` for the first source that cannot be opened. The other sources stay open until
    ///   ``close(except:on:)``.
    func open(
        _ wanted: [NodeID], of graph: Graph, main: NodeID?, _ context: OpeningContext
    ) async throws(SessionError) {
        let open = feeds
        let new = wanted.filter { open[$0] == nil }
        guard !new.isEmpty else { return }
        let opening = SourceOpening(of: new, in: graph, main: main, context)
        var failure: SessionError?
        for (id, result) in await opening.run() {
            switch result {
            case .success(let feed):
                setups[id] = graph.camera(id)
                placeholders[id] = Placeholder(
                    label: feed.name, size: feed.format.orientation.size(of: feed.format.layout.size))
                listed.append(feed)
            case .failure(let error): failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// Makes the feeds of the slates and badges that a plan draws.
    func openPlaceholders(for plan: RenderPlan) {
        for (source, placeholder) in placeholders {
            open(placeholder.slate, "slate for \(placeholder.label)", for: plan) {
                slateBoard.picture(for: source, size: placeholder.size)
            }
            open(placeholder.badge, "badge for \(placeholder.label)", for: plan) { Badge(placeholder.size) }
        }
    }

    private func open(_ id: NodeID, _ name: String, for plan: RenderPlan, _ make: () -> any LivePicture) {
        guard placeholderFeeds[id] == nil, plan.sources.contains(id) else { return }
        let picture = make()
        var format = SourceFormat(layout: picture.description.layout, colorimetry: picture.description.colorimetry)
        format.isStill = true
        placeholderFeeds[id] = SourceFeed(
            id: id, name: name, inlet: PictureInlet(picture: picture), format: format, rate: nil)
    }

    /// The feeds that were not started yet.
    var waiting: [SourceFeed] { feeds.values.filter { !started.contains($0.id) } }

    /// Starts the feeds that were not started yet, in parallel.
    ///
    /// - Parameters:
    ///   - offset: The output time from which files are read. Zero for sources that join a running output.
    ///   - clock: The clock of the threads that start the feeds.
    /// - Throws: ``SessionError`` for the first source that does not start.
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

    /// The open cameras whose settings in a graph differ from the settings last requested.
    func changedCameras(by graph: Graph) -> [(id: NodeID, slot: CameraSlot, before: CameraSetup, after: CameraSetup)] {
        cameraIDs.compactMap { id in
            guard let slot = camera(id), let before = setups[id], let after = graph.camera(id), after != before else {
                return nil
            }
            return (id, slot, before, after)
        }
    }

    /// Records the settings that were requested from a camera.
    func note(_ setup: CameraSetup, of id: NodeID) { setups[id] = setup }

    // MARK: Closing

    /// Stops all sources except the `wanted` ones, with their slates and badges, and releases their frames.
    func close(except wanted: Set<NodeID>, on gpu: RenderContext) async {
        for feed in take(except: wanted) {
            await feed.inlet.stop()
            await gpu.perform { _ in feed.release() }
            listed.end(feed)
        }
    }

    /// Removes all sources except the `wanted` ones from the registry, with their slates and badges.
    ///
    /// - Returns: The removed feeds, which the caller must stop.
    private func take(except wanted: Set<NodeID>) -> [SourceFeed] {
        var taken = listed.feeds.filter { !wanted.contains($0.id) }
        for feed in taken {
            started.remove(feed.id)
            setups[feed.id] = nil
            for node in placeholders.removeValue(forKey: feed.id)?.nodes ?? [] {
                started.remove(node)
                if let placeholder = placeholderFeeds.removeValue(forKey: node) { taken.append(placeholder) }
            }
            listed.close(feed)
        }
        return taken
    }

    /// Stops every source in parallel, so that a camera whose driver hangs does not delay the others.
    func stopAll() async {
        let feeds = Array(feeds.values)
        await withTaskGroup(of: Void.self) { group in
            for feed in feeds { group.addTask { await feed.inlet.stop() } }
        }
    }
}
