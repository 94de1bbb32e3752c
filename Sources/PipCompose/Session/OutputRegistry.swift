internal import Synchronization

/// The opened outputs of a session.
///
/// Belongs to the session's controller.
final class OutputRegistry {
    /// The frames that each sink takes; size and colours as they were first planned, since a file cannot change them.
    private(set) var requests: [NodeID: SinkRequest] = [:]
    private(set) var receivers: [NodeID: any FrameReceiver] = [:]
    /// Frames that the outputs of a graph keep, at most.
    private(set) var heldFrames = 0
    private var statuses: [NodeID: OutputStatus] = [:]
    /// For whoever reads without waiting.
    let listed = OutputList()
    private let shared = SharedResources()

    /// Reads what the sinks of a graph take that were not asked before.
    ///
    /// - Throws: ``OutputFailure`` for the first whose name or options make no sense.
    func readRequests(of graph: Graph) throws(OutputFailure) {
        heldFrames = graph.sinks.reduce(0) { max($0, graph.connectedSink($1)?.sink.opening.heldFrames ?? 0) }
        for id in graph.sinks where requests[id] == nil {
            guard let record = graph.sink(id), let connected = graph.connectedSink(id) else { continue }
            do throws(SinkError) {
                var request = try connected.sink.opening.request()
                if connected.sink.opening.takesCamera { continue }
                guard SinkRequest.formats.contains(request.format) else {
                    let formats = SinkRequest.formats.map(\.rawValue).joined(separator: ", ")
                    throw SinkError(
                        connected.label, "take \(request.format.rawValue) frames", .invalidOptions,
                        "frames are made as one of \(formats)")
                }
                request.size = record.size ?? request.size
                requests[id] = request
            } catch {
                throw OutputFailure(id: id, error: error)
            }
        }
    }

    /// Keeps the size and colours of each output as they were first planned.
    func pin(_ plan: RenderPlan) {
        for output in plan.outputs {
            for sink in output.sinks {
                requests[sink]?.size = output.layout.size
                requests[sink]?.colorimetry = output.colorimetry
            }
        }
    }

    /// Opens the outputs of a plan that are not open yet.
    ///
    /// - Throws: ``OutputFailure`` for the first that cannot be opened; those opened before stay until
    ///   ``close(except:by:)``.
    func open(_ plan: RenderPlan, of graph: Graph, _ circumstances: OutputCircumstances) throws(OutputFailure) {
        for output in plan.outputs {
            let info = FrameInfo(layout: output.layout, colorimetry: output.colorimetry)
            for id in output.sinks where receivers[id] == nil { try open(id, of: graph, info, circumstances) }
        }
        for id in graph.sinks where graph.takesCamera(id) {
            if receivers[id] == nil, let feed = graph.sink(id)?.input.flatMap({ circumstances.sources[$0] }) {
                let info = FrameInfo(layout: feed.format.layout, colorimetry: feed.format.colorimetry)
                try open(id, of: graph, info, circumstances)
            }
            receivers[id]?.setPaused(graph.sink(id)?.isPaused == true)
        }
    }

    private func open(
        _ id: NodeID, of graph: Graph, _ info: FrameInfo, _ circumstances: OutputCircumstances
    ) throws(OutputFailure) {
        guard let record = graph.sink(id), let picture = record.input, let connected = graph.connectedSink(id),
            connected.status.adopt()
        else { return }
        let status = connected.status
        statuses[id] = status
        var circumstances = circumstances
        circumstances.rate = record.frameRate.map { min($0, circumstances.rate) } ?? circumstances.rate
        var context = circumstances.context(info, of: picture, shared) { error in status.failed(error) }
        context.cameraNames = graph.sources(below: [picture]).compactMap {
            circumstances.sources[$0]?.camera?.device?.card
        }
        do throws(SinkError) {
            let receiver = try connected.sink.opening.open(context)
            receivers[id] = receiver
            status.opened(receiver)
            if connected.sink.opening.isListed { listed.append(receiver, for: id) }
        } catch {
            statuses[id] = nil
            status.failed(error)
            throw OutputFailure(id: id, error: error)
        }
    }

    /// Gives up something of recordings and streams; with their next frames.
    func relieve(by relief: EncodingRelief) { shared.encodingRelief = relief }

    /// Forgets a sink that is not to be opened.
    func forget(_ id: NodeID) { requests[id] = nil }

    /// Finishes the outputs that are not wanted any more; their counts stay in the statistics.
    ///
    /// - Parameters:
    ///   - wanted: The nodes of those that go on.
    ///   - deadline: By when; an output that is not finished then is left to itself, and has failed.
    func close(except wanted: Set<NodeID>, by deadline: Timestamp) async {
        for id in requests.keys where !wanted.contains(id) { requests[id] = nil }
        let ending = receivers.filter { !wanted.contains($0.key) }
        for id in ending.keys { receivers[id] = nil }
        await withTaskGroup(of: Void.self) { group in
            for (id, receiver) in ending {
                let status = statuses.removeValue(forKey: id)
                group.addTask { [listed] in await listed.finish(receiver, of: id, status, by: deadline) }
            }
        }
    }

    /// Finishes all outputs; may be called again with an earlier deadline while it still waits.
    func finishAll(by deadline: Timestamp) async {
        let (ending, statuses) = (receivers, statuses)
        await withTaskGroup(of: Void.self) { group in
            for (id, receiver) in ending {
                let status = statuses[id]
                group.addTask { [listed] in await listed.finish(receiver, of: id, status, by: deadline) }
            }
        }
    }
}

/// An output that cannot be opened, and why.
struct OutputFailure: Error {
    var id: NodeID
    var error: SinkError
}

/// How the outputs of a session are opened.
struct OutputCircumstances {
    /// Frames a second, at most.
    var rate: FrameRate
    /// True when frames are dropped rather than waited for.
    var isLive: Bool
    /// Frames that wait for each output, at most.
    var capacity: Int
    var clock: MonotonicClock
    /// The opened sources, by their nodes.
    var sources: [NodeID: SourceFeed] = [:]
    var onEvent: @Sendable (SinkEvent) -> Void
    var onError: @Sendable (SinkError) -> Void

    fileprivate func context(
        _ info: FrameInfo, of picture: NodeID, _ shared: SharedResources,
        _ fail: @escaping @Sendable (SinkError) -> Void
    ) -> SinkContext {
        let report = onError
        return SinkContext(
            info: info, picture: picture, camera: sources[picture]?.camera.map { CameraFeed(slot: $0) },
            cameraNames: [], rate: rate, capacity: capacity, policy: isLive ? .dropNewest : .block,
            clock: clock, shared: shared, onEvent: onEvent
        ) { error in
            fail(error)
            report(error)
        }
    }
}

/// The outputs of a session that were ever opened, in their order.
///
/// Of one that has ended it keeps the counts alone, and so none of its descriptors and buffers.
final class OutputList: Sendable {
    private enum Entry {
        case open(NodeID, any FrameReceiver)
        case ended(OutputStatistics)
    }

    private let contents = Mutex<[Entry]>([])

    var statistics: [OutputStatistics] {
        contents.withLock { $0 }.map { entry in
            switch entry {
            case .open(_, let receiver): receiver.statistics
            case .ended(let statistics): statistics
            }
        }
    }

    var count: Int { contents.withLock { $0.count } }

    func append(_ receiver: any FrameReceiver, for id: NodeID) {
        contents.withLock { $0.append(.open(id, receiver)) }
    }

    /// Finishes an output, and notes how it ended; one that is not finished by the deadline is left to itself, and has
    /// failed.
    fileprivate func finish(
        _ receiver: any FrameReceiver, of id: NodeID, _ status: OutputStatus?, by deadline: Timestamp
    ) async {
        let isClosed = await receiver.finish(by: deadline)
        let statistics = receiver.statistics
        if isClosed { end(id, statistics) }
        if let error = statistics.error {
            status?.failed(error)
        } else if isClosed {
            status?.finished()
        } else {
            status?.failed(
                SinkError(
                    statistics.name, "finish", .interrupted,
                    "a write has not returned in time; it was left behind with its thread"))
        }
    }

    private func end(_ id: NodeID, _ statistics: OutputStatistics) {
        contents.withLock { entries in
            for index in entries.indices {
                if case .open(id, _) = entries[index] { entries[index] = .ended(statistics) }
            }
        }
    }
}
