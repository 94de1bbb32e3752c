internal import Synchronization

/// An output that cannot be opened, and the reason.
struct OutputFailure: Error, Equatable {
    var id: NodeID
    var error: SinkError
}

/// The session's properties that an output is opened with.
struct OutputSetting {
    /// The session's output rate; an output's own limit may be lower.
    var rate: FrameRate
    /// True when an output that is too slow drops frames; false when the session waits for the output.
    var isLive: Bool
    /// The open sources, keyed by node.
    var sources: [NodeID: SourceFeed]
}

/// All outputs that a session has opened, except those of stills, in opening order.
///
/// The list keeps only the counts of an ended output, and none of its file descriptors and buffers.
///
/// Thread: any.
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

    func append(_ receiver: any FrameReceiver, for id: NodeID) {
        contents.withLock { $0.append(.open(id, receiver)) }
    }

    /// Passes a moment to all open outputs.
    ///
    /// - Returns: The number of outputs that keep the moment.
    func mark(_ moment: Moment) -> Int {
        let receivers = contents.withLock { $0 }.compactMap { entry in
            if case .open(_, let receiver) = entry { receiver } else { nil }
        }
        return receivers.count { $0.mark(moment) }
    }

    /// Finishes an output, and records its final state.
    ///
    /// An output that is not finished by the deadline counts as failed; its thread may still finish it later.
    func finish(
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
                    "a write has not returned in time, so the output may be incomplete"))
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
