internal import PipConcurrency

/// Opens sources in parallel, on threads of their own, because drivers and files block.
struct SourceOpening: Sendable {
    private struct Source: Sendable {
        let id: NodeID
        let specification: any OpenableSource
    }

    private let sources: [Source]
    private let cameras: [(id: NodeID, setup: CameraSetup)]
    private let context: OpeningContext

    /// - Parameters:
    ///   - ids: The nodes of the sources.
    ///   - graph: The graph with these sources.
    ///   - main: The main source. If cameras share a bus, the main camera's mode is reduced last.
    ///   - context: The resources and callbacks that the sources are opened with.
    init(of ids: [NodeID], in graph: Graph, main: NodeID?, _ context: OpeningContext) {
        self.context = context
        sources = ids.compactMap { id in
            guard case .source(let source)? = graph[id] else { return nil }
            return (source as? any OpenableSource).map { Source(id: id, specification: $0) }
        }
        let cameras = ids.compactMap { id in graph.camera(id).map { (id: id, setup: $0) } }
        // The main camera comes first, because its mode is reduced last.
        self.cameras = cameras.filter { $0.id == main } + cameras.filter { $0.id != main }
    }

    /// The groups of sources, and the settings for cameras that share a bus.
    ///
    /// Sources of one group select the same device, and are opened in turn.
    private struct Plan: Sendable {
        var groups: [[Source]]
        var wishes: [NodeID: CameraWish] = [:]
    }

    /// Opens the sources.
    ///
    /// - Returns: The feed or the error of each source, in the given order.
    func run() async -> [(id: NodeID, result: Result<SourceFeed, SessionError>)] {
        let look: @Sendable () -> Plan = { plan() }
        let plans = cameras.count > 1 ? await beside([look]) : [Plan(groups: sources.map { [$0] })]
        guard let plan = plans.first else { return [] }
        var context = context
        context.wishes = plan.wishes
        let opened = await beside(
            plan.groups.map { group -> @Sendable () -> [NodeID: Result<SourceFeed, SessionError>] in
                { [context] in Self.open(group, context) }
            })
        return sources.compactMap { source in opened.lazy.compactMap { $0[source.id] }.first.map { (source.id, $0) } }
    }

    private func beside<Value: Sendable>(_ work: [@Sendable () -> Value]) async -> [Value] {
        await WorkerThread.run(name: "pip-opening", clock: context.clock, work)
    }

    private static func open(
        _ group: [Source], _ context: OpeningContext
    ) -> [NodeID: Result<SourceFeed, SessionError>] {
        var results: [NodeID: Result<SourceFeed, SessionError>] = [:]
        for source in group {
            do throws(SessionError) {
                results[source.id] = .success(try source.specification.open(source.id, context))
            } catch {
                results[source.id] = .failure(error)
            }
        }
        return results
    }

    /// Queries the cameras, to choose modes that fit their buses and to group sources by device.
    ///
    /// The first of two sources that select the same camera gets the camera.
    private func plan() -> Plan {
        let wishes = context.cameras.jointWishes(cameras.map { ($0.setup.selector, $0.setup.wish) })
        var plan = Plan(groups: [], wishes: Dictionary(zip(cameras.map(\.id), wishes)) { first, _ in first })
        var places: [String: Int] = [:]
        for source in sources {
            let setup = cameras.first { $0.id == source.id }?.setup
            let path = setup.flatMap { try? context.cameras.camera(matching: $0.selector).path }
            if let place = path.flatMap({ places[$0] }) {
                plan.groups[place].append(source)
            } else {
                if let path { places[path] = plan.groups.count }
                plan.groups.append([source])
            }
        }
        return plan
    }
}
