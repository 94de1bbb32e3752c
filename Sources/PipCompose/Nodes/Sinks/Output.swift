internal import Synchronization

/// An output of a session: the handle of a connected sink.
///
/// ```swift
/// let recording = picture --> Y4MFile("drive.y4m")
/// …
/// try await recording.stop()  // the file is finished; cameras and other outputs go on
/// ```
///
/// Outputs may be added and stopped while a session runs. Its members can be used at any time, from any task.
public final class Output: Sendable {
    /// The life of an output.
    public enum State: Sendable, Equatable {
        /// It is connected; no session has opened it yet.
        case waiting
        /// Frames are written.
        case running
        /// Frames are left out until ``Output/resume()``; one that was paused before its first frame is not open yet.
        case paused
        /// All that was written is complete.
        case finished
        /// It ended early; the other outputs go on.
        case failed(SinkError)
    }

    /// The name in messages and statistics.
    public let label: String
    /// Identifies the output in the session's graph and events.
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
            frameRate: sink.frameRate)
        wiring.edit { [id] (graph: inout Graph) throws(Never) in graph.set(.sink(record), for: id) }
    }

    /// The present state of its life.
    public var state: State {
        let state = status.state
        guard state == .running || state == .waiting, record?.isPaused == true else { return state }
        return .paused
    }

    /// Its counts, from the moment that it was opened; they stay when it has ended.
    public var statistics: OutputStatistics { status.statistics }

    /// Leaves frames out from the next one on; a file goes on without a gap in its own time after ``resume()``.
    ///
    /// - Throws: ``SessionError`` when the output has ended.
    public func pause() throws(SessionError) { try setPaused(true) }

    /// Writes frames again.
    ///
    /// - Throws: ``SessionError`` when the output has ended.
    public func resume() throws(SessionError) { try setPaused(false) }

    /// Goes on in a new file from the next frame on: a recording in parts does.
    ///
    /// - Throws: ``SessionError`` when the output does not run, or has no parts.
    public func split() throws(SessionError) {
        guard try status.split() else {
            throw .sink(SinkError(label, "begin a new file", .invalidOptions, "it is not written in parts"))
        }
    }

    /// Takes the output out of the graph; a running session finishes its file in its own time.
    ///
    /// In ``Session/configure(_:)``, where several outputs end and begin at one moment; elsewhere ``stop()`` waits for
    /// the file.
    public func remove() {
        wiring.edit { (graph: inout Graph) throws(Never) in graph.remove(id) }
        if !Wiring.isDrafting { status.remove() }
    }

    /// Ends the output: what it was given is still written, and its file finished, when this returns.
    ///
    /// The session, its cameras and the other outputs go on. Returns at once for one that has ended before.
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
/// - Returns: The handle by which the output is paused, stopped and asked.
@discardableResult
public func --> (producer: some FrameProducer, sink: some Sink) -> Output { Output(sink, of: producer) }

/// A sink in the graph, with the state of its output.
struct ConnectedSink: SinkSpecification {
    let sink: any Sink
    let status: OutputStatus

    var label: String { sink.label }
    var destination: SinkDestination? { sink.destination }

    /// Notes that it was taken out of the graph with a change that could not be drawn.
    func takeBack(because error: SessionError) {
        status.failed(SinkError(label, "begin", .invalidOptions, "a change that was made with it was not: \(error)"))
        sink.opening.end()
    }
}

/// The state of an output, written by the session that draws it and read by its handle.
final class OutputStatus: Sendable {
    private struct Contents {
        var state = Output.State.waiting
        /// True when a session has it.
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

    /// Notes that a session is about to open it.
    ///
    /// - Returns: False when it was taken out of the graph before.
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

    /// Goes on in a new file.
    ///
    /// - Returns: False when there are no files that end one after the other.
    /// - Throws: ``SessionError`` when it does not run.
    func split() throws(SessionError) -> Bool {
        let (receiver, label) = contents.withLock { ($0.receiver, $0.statistics.name) }
        guard let receiver else { throw .ended("the output \(label)") }
        return receiver.split()
    }

    /// Notes a failure, which is final.
    func failed(_ error: SinkError) {
        contents.withLock { $0.state = .failed(error) }
        end()
    }

    /// Notes that all is written, or that nothing will be; a failure stays.
    func finished() {
        contents.withLock { contents in
            if case .failed = contents.state { return }
            contents.state = .finished
        }
        end()
    }

    /// Notes that it was taken out of the graph: one that no session has is over.
    func remove() {
        let isOver = contents.withLock { contents in
            contents.isRemoved = true
            return !contents.isAdopted
        }
        if isOver { finished() }
    }

    /// Waits until it is over.
    ///
    /// - Returns: The error that ended it; nil when it ended well.
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
    /// The sink of a node as it was connected; nil for another node.
    func connectedSink(_ id: NodeID) -> ConnectedSink? { sink(id)?.specification as? ConnectedSink }

    /// True for a sink that takes a camera's own frames, so that nothing is drawn for it.
    func takesCamera(_ id: NodeID) -> Bool { connectedSink(id)?.sink.opening.takesCamera == true }

    /// Ends the streams of all sinks, opened or not, so that nobody waits for frames that cannot come.
    func endStreams() {
        for id in sinks { connectedSink(id)?.sink.opening.end() }
    }
}
