internal import Synchronization

/// An output of a session: the handle of a connected sink.
///
/// ```swift
/// let recording = picture --> Y4MFile("drive.y4m")
/// …
/// try await recording.stop()  // the file is finished; cameras and other outputs go on
/// ```
///
/// Outputs may be added and stopped while a session runs. Thread: any.
public final class Output: Sendable {
    /// The states of an output's life.
    public enum State: Sendable, Equatable {
        /// The output is connected, but no session has opened it yet.
        case waiting
        /// The output writes frames.
        case running
        /// The output leaves frames out until ``Output/resume()``. An output that was paused before the session opened
        /// it may not be open yet.
        case paused
        /// The output has ended, and everything written is complete.
        case finished
        /// The output has ended with an error; the other outputs go on.
        case failed(SinkError)
    }

    /// The name in messages and statistics.
    public let label: String
    /// Identifies the output in the session's graph.
    public let id: NodeID
    private let wiring: Wiring
    private let status: OutputStatus

    init(_ sink: some Sink, of producer: some FrameProducer) {
        label = sink.label
        id = NodeID()
        wiring = producer.node.wiring
        status = OutputStatus(sink.label)
        let record = SinkRecord(
            ConnectedSink(sink: sink, status: status), input: producer.node.id, size: sink.frameSize,
            frameRate: sink.frameRate, interval: sink.interval)
        wiring.edit { [id] (graph: inout Graph) throws(Never) in graph.set(.sink(record), for: id) }
    }

    /// The output's present state; ``Output/State/paused`` from ``pause()`` to ``resume()``.
    public var state: State {
        let state = status.state
        guard state == .running || state == .waiting, record?.isPaused == true else { return state }
        return .paused
    }

    /// The output's counts since the session opened it.
    ///
    /// The counts stay readable when the output has ended.
    public var statistics: OutputStatistics { status.statistics }

    /// Leaves out all frames from the next one on.
    ///
    /// After ``resume()``, a file's own timestamps go on without a gap.
    ///
    /// - Throws: ``SessionError`` when the output has ended.
    public func pause() throws(SessionError) { try setPaused(true) }

    /// Writes frames again.
    ///
    /// - Throws: ``SessionError`` when the output has ended.
    public func resume() throws(SessionError) { try setPaused(false) }

    /// Begins a new file of a movie recording with the next frame.
    ///
    /// - Throws: ``SessionError`` when the output is not open, or is not a movie recording.
    public func split() throws(SessionError) {
        guard try status.split() else {
            throw .sink(
                SinkError(label, "begin a new file", .invalidOptions, "only movie recordings can be split into files"))
        }
    }

    /// Removes the output from the graph without waiting: a running session finishes the output's file later.
    ///
    /// Use this method within ``Session/configure(_:)``, where several outputs end and begin at one moment. Elsewhere,
    /// ``stop()`` waits until the file is finished.
    public func remove() {
        wiring.edit { (graph: inout Graph) throws(Never) in graph.remove(id) }
        if !Wiring.isDrafting { status.remove() }
    }

    /// Ends the output, and waits until every frame it has received is written and the file is finished.
    ///
    /// The session, its cameras and the other outputs go on. Returns at once if the output has already ended.
    ///
    /// - Throws: ``SessionError`` when the output has failed.
    public func stop() async throws(SessionError) {
        remove()
        if let error = await status.wait() { throw .sink(error) }
    }

    private var record: SinkRecord? { wiring.graph.sink(id) }

    private func setPaused(_ isPaused: Bool) throws(SessionError) {
        let isThere = wiring.edit { (graph: inout Graph) throws(Never) in
            guard var record = graph.sink(id) else { return false }
            record.isPaused = isPaused
            graph.set(.sink(record), for: id)
            return true
        }
        switch status.state {
        case .finished, .failed: throw .ended("the output \(label)")
        case .waiting, .running, .paused: if !isThere { throw .ended("the output \(label)") }
        }
    }
}

/// Sends the frames of a producer to a sink.
///
/// Any node may feed any number of sinks, each connected once.
///
/// - Returns: The handle that pauses and stops the output, and tells its state.
@discardableResult
public func --> (producer: some FrameProducer, sink: some Sink) -> Output { Output(sink, of: producer) }

/// A sink in the graph, with the state of its output.
struct ConnectedSink: SinkSpecification {
    let sink: any Sink
    let status: OutputStatus

    var label: String { sink.label }
    var destination: SinkDestination? { sink.destination }

    /// Notes that the session could not draw the change that added this output, and ends the output as failed.
    func takeBack(because error: SessionError) {
        status.failed(
            SinkError(
                label, "begin", .invalidOptions,
                "the graph with this output cannot be drawn: \(error)"))
        sink.opening.end()
    }
}

/// The state of an output.
///
/// The session that draws the output writes the state; the output's handle reads it.
///
/// Thread: any.
final class OutputStatus: Sendable {
    private struct Contents {
        var state = Output.State.waiting
        /// True while a session draws the output.
        var isAdopted = false
        var isRemoved = false
        var receiver: (any FrameReceiver)?
        var statistics: OutputStatistics
        var waiting: [CheckedContinuation<Void, Never>] = []

        var isOver: Bool {
            switch state {
            case .finished, .failed: true
            case .waiting, .running, .paused: false
            }
        }
    }

    private let contents: Mutex<Contents>

    init(_ label: String) { contents = Mutex(Contents(statistics: OutputStatistics(name: label))) }

    var state: Output.State { contents.withLock { $0.state } }

    var statistics: OutputStatistics {
        let (receiver, last) = contents.withLock { ($0.receiver, $0.statistics) }
        return receiver?.statistics ?? last
    }

    /// Notes that a session is about to open the output.
    ///
    /// - Returns: False when the output was removed from the graph before.
    func adopt() -> Bool {
        contents.withLock { contents in
            guard !contents.isRemoved else { return false }
            (contents.isAdopted, contents.state) = (true, .waiting)
            return true
        }
    }

    func opened(_ receiver: any FrameReceiver) {
        contents.withLock { contents in
            contents.receiver = receiver
            if contents.state == .waiting { contents.state = .running }
        }
    }

    /// Begins a new file with the next frame.
    ///
    /// - Returns: False when the output is not a movie recording.
    /// - Throws: ``SessionError`` when the output is not open.
    func split() throws(SessionError) -> Bool {
        let (receiver, label, isOver) = contents.withLock { ($0.receiver, $0.statistics.name, $0.isOver) }
        if let receiver { return receiver.split() }
        if isOver { throw .ended("the output \(label)") }
        throw .sink(SinkError(label, "begin a new file", .invalidOptions, "the session has not opened the output yet"))
    }

    /// Notes a failure, which ends the output.
    func failed(_ error: SinkError) {
        contents.withLock { $0.state = .failed(error) }
        end()
    }

    /// Notes that the output has ended well; an earlier failure stays.
    func finished() {
        contents.withLock { contents in
            if case .failed = contents.state { return }
            contents.state = .finished
        }
        end()
    }

    /// Notes that the output was removed from the graph.
    ///
    /// An output that no session draws is finished at once.
    func remove() {
        let isOver = contents.withLock { contents in
            contents.isRemoved = true
            return !contents.isAdopted
        }
        if isOver { finished() }
    }

    /// Waits until the output has ended.
    ///
    /// - Returns: The error that ended the output; nil when it ended well.
    func wait() async -> SinkError? {
        await withCheckedContinuation { continuation in
            let isOver = contents.withLock { contents -> Bool in
                if !contents.isOver { contents.waiting.append(continuation) }
                return contents.isOver
            }
            if isOver { continuation.resume() }
        }
        if case .failed(let error) = state { return error }
        return nil
    }

    private func end() {
        let (receiver, waiting) = contents.withLock { contents in
            defer { contents.waiting = [] }
            return (contents.receiver, contents.waiting)
        }
        if let receiver {
            let last = receiver.statistics
            contents.withLock { ($0.statistics, $0.receiver, $0.isAdopted) = (last, nil, false) }
        } else {
            contents.withLock { $0.isAdopted = false }
        }
        for continuation in waiting { continuation.resume() }
    }
}

extension Graph {
    /// The node's sink as it was connected; nil when the node is not a sink.
    func connectedSink(_ id: NodeID) -> ConnectedSink? { sink(id)?.specification as? ConnectedSink }

    /// True for a sink that records a camera's own frames: nothing is drawn for such a sink.
    func takesCamera(_ id: NodeID) -> Bool { connectedSink(id)?.sink.opening.takesCamera == true }

    /// Ends the streams of all sinks, opened or not, so that no task waits for frames that cannot come.
    func endStreams() {
        for id in sinks { connectedSink(id)?.sink.opening.end() }
    }
}
