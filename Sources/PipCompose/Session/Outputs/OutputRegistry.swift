internal import PipConcurrency
internal import PipSinks
internal import PipSources
internal import Synchronization

/// The open outputs of a session.
///
/// Thread: the session's controller only.
final class OutputRegistry {
    /// The frame format that each sink takes, keyed by node.
    ///
    /// Size and colorimetry stay as they were first planned, because a file cannot change them.
    private(set) var requests: [NodeID: SinkRequest] = [:]
    private(set) var receivers: [NodeID: any FrameReceiver] = [:]
    /// The largest number of frames that one of the outputs holds besides its queue.
    private var heldFrames = 0
    private var statuses: [NodeID: OutputStatus] = [:]
    /// All outputs except those of stills, in opening order.
    ///
    /// Safe to read from any thread without blocking.
    let listed = OutputList()
    private let shared = SharedResources()
    private let options: SessionOptions
    private let journal: SessionJournal

    init(_ options: SessionOptions, _ journal: SessionJournal) {
        self.options = options
        self.journal = journal
    }

    /// The number of frame buffers of each output: for the frames in its queue, the frames that it holds, and the
    /// frames being drawn.
    var framesInFlight: Int { options.queueCapacity + heldFrames + 3 }

    /// Reads the frame formats that the new sinks of a graph take.
    ///
    /// - Throws: ``OutputFailure`` for the first sink that cannot tell its frame format, or whose frame format the
    ///   session cannot make.
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
                        "the session makes frames only in these formats: \(formats)")
                }
                request.size = record.size ?? request.size
                requests[id] = request
            } catch {
                throw OutputFailure(id: id, error: error)
            }
        }
    }

    /// Opens the files that new outputs of a graph read beside their pictures, on a separate thread.
    ///
    /// - Parameters:
    ///   - graph: The graph.
    ///   - interruption: Ends the wait for a pipe's writer.
    ///   - clock: The session's clock.
    /// - Returns: The first output whose file cannot be opened, with the error; nil when all are open.
    func openInputs(
        of graph: Graph, _ interruption: Interruption, by clock: MonotonicClock
    ) async -> (id: NodeID, error: SourceError)? {
        let all = graph.sinks.compactMap { id in
            receivers[id] == nil ? graph.connectedSink(id)?.sink.opening.inputs.map { (id, $0) } : nil
        }
        guard !all.isEmpty else { return nil }
        // Open the files one after the other, because outputs may share a sound file.
        let open: @Sendable () -> (id: NodeID, error: SourceError)? = {
            for (id, inputs) in all {
                do throws(SourceError) { try inputs.open(until: interruption) } catch { return (id, error) }
            }
            return nil
        }
        return await WorkerThread.run(name: "pip-opening", clock: clock, [open]).first ?? nil
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

    /// Opens the outputs of a plan, and the recordings of cameras' own frames, that are not open yet.
    ///
    /// Pauses or resumes the recordings of cameras' own frames as the graph demands.
    ///
    /// - Throws: ``OutputFailure`` for the first output that cannot be opened. Outputs opened before it stay open until
    ///   ``close(except:)``.
    func open(_ plan: RenderPlan, of graph: Graph, _ setting: OutputSetting) throws(OutputFailure) {
        for output in plan.outputs {
            let info = FrameInfo(layout: output.layout, colorimetry: output.colorimetry)
            for id in output.sinks where receivers[id] == nil { try open(id, of: graph, info, setting) }
        }
        for id in graph.sinks where graph.takesCamera(id) {
            if receivers[id] == nil, let feed = graph.sink(id)?.input.flatMap({ setting.sources[$0] }) {
                let info = FrameInfo(layout: feed.format.layout, colorimetry: feed.format.colorimetry)
                try open(id, of: graph, info, setting)
            }
            receivers[id]?.setPaused(graph.sink(id)?.isPaused == true)
        }
    }

    private func open(
        _ id: NodeID, of graph: Graph, _ info: FrameInfo, _ setting: OutputSetting
    ) throws(OutputFailure) {
        guard let record = graph.sink(id), let picture = record.input, let connected = graph.connectedSink(id),
            connected.status.adopt()
        else { return }
        let status = connected.status
        statuses[id] = status
        var context = context(info, of: picture, setting) { error in status.failed(error) }
        context.rate = record.frameRate.map { min($0, setting.rate) } ?? setting.rate
        context.cameraNames = graph.sources(below: [picture]).compactMap {
            setting.sources[$0]?.camera?.device?.card
        }
        do throws(SinkError) {
            try record.check(of: setting.rate)
            let receiver = try connected.sink.opening.open(context)
            receivers[id] = receiver
            status.opened(receiver)
            if connected.sink.opening.isListed {
                listed.append(receiver, for: id)
                journal.sinkOpened()
            }
        } catch {
            statuses[id] = nil
            status.failed(error)
            throw OutputFailure(id: id, error: error)
        }
    }

    private func context(
        _ info: FrameInfo, of picture: NodeID, _ setting: OutputSetting,
        _ fail: @escaping @Sendable (SinkError) -> Void
    ) -> SinkContext {
        SinkContext(
            info: info, picture: picture, camera: setting.sources[picture]?.camera.map { CameraFeed(slot: $0) },
            cameraNames: [], rate: setting.rate, capacity: options.queueCapacity,
            policy: setting.isLive ? .dropNewest : .block, clock: options.time, shared: shared,
            onEvent: { [journal] event in journal.yield(SessionEvent(event)) },
            onError: { [journal] error in
                fail(error)
                journal.sinkFailed(error)
            })
    }

    /// Applies a relief to the bit rate and the encoding effort of recordings and streams, from their next frames on.
    func relieve(by relief: EncodingRelief) { shared.encodingRelief = relief }

    /// Forgets the request of a sink that will not be opened.
    func forget(_ id: NodeID) { requests[id] = nil }

    /// Finishes all outputs except the `wanted` ones.
    ///
    /// The statistics keep the counts of finished outputs.
    ///
    /// An output that is not finished within the options' closing time counts as failed, and may finish later.
    func close(except wanted: Set<NodeID>) async {
        for id in requests.keys where !wanted.contains(id) { requests[id] = nil }
        let ending = receivers.filter { !wanted.contains($0.key) }
        for id in ending.keys { receivers[id] = nil }
        let deadline = options.time.now.advanced(by: options.closingTime)
        await withTaskGroup(of: Void.self) { group in
            for (id, receiver) in ending {
                let status = statuses.removeValue(forKey: id)
                group.addTask { [listed] in await listed.finish(receiver, of: id, status, by: deadline) }
            }
        }
    }

    /// Finishes all outputs.
    ///
    /// The caller may call this method again with an earlier deadline while the first call still waits.
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

extension SinkRecord {
    /// Checks that a session has a frame for each of the sink's intervals.
    ///
    /// - Throws: ``SinkError`` for an interval that is shorter than the time between two frames of the session.
    fileprivate func check(of rate: FrameRate) throws(SinkError) {
        guard let interval, interval < rate.interval else { return }
        throw SinkError(
            specification.label, "open", .invalidOptions,
            "it takes a picture every \(interval), but the composition has only \(rate) frames a second; take them "
                + "less often, or raise the rate (--fps)")
    }
}
