#if Control
internal import NIOCore
internal import Synchronization

/// The connections of a server, up to a number, and what is done for each.
///
/// They end the server, too: no connection is taken any more, those that were taken come to the server, then its
/// listening socket is closed and every connection with it, and it returns when it has served the last one. Cancelled,
/// it would drop connections that it has taken and not begun to serve, and NIO ends the program for each of those.
/// Closed at once, NIO would leave those open for ever that it has taken and not handed over.
final class Connections: Sendable {
    private struct Connection {
        let channel: any Channel
        let hasPlace: Bool
        var work: Work?
    }

    private struct Work {
        let endsWithClient: Bool
        let cancel: @Sendable () -> Void
    }

    private struct State {
        var listener: (any Channel)?
        var open: [ObjectIdentifier: Connection] = [:]
        var places: Int
        var isEnding = false
    }

    /// The times that a connection changes between event loops until it is served: to its own and back to be set up,
    /// again to be wrapped, and once more to be read.
    private static let handovers = 3

    private let loops: any EventLoopGroup
    private let state: Mutex<State>

    /// - Parameters:
    ///   - limit: Those that are accepted at a time.
    ///   - loops: Where the server and its connections run.
    init(_ limit: Int, on loops: any EventLoopGroup) {
        self.loops = loops
        state = Mutex(State(places: limit))
    }

    /// True once the task of ``serve(_:)`` is cancelled.
    var isEnding: Bool { state.withLock { $0.isEnding } }

    /// Runs a server until this task is cancelled and its connections have ended.
    ///
    /// - Parameter server: Returns, or throws, some time after its listening socket is closed; it tells ``begin(on:)``.
    /// - Throws: What `server` throws.
    func serve(_ server: @escaping @Sendable () async throws -> Void) async throws {
        // No child of this task, with which it would be cancelled.
        let serving = Task { try await server() }
        try await withTaskCancellationHandler {
            try await serving.value
        } onCancel: {
            end()
        }
    }

    /// Notes the listening socket.
    func begin(on listener: any Channel) {
        let isEnding = state.withLock { state in
            state.listener = listener
            return state.isEnding
        }
        if isEnding { end() }
    }

    /// Notes a connection, on its event loop.
    ///
    /// - Returns: False when there are too many.
    func enter(_ channel: any Channel) -> Bool {
        state.withLock { state in
            let hasPlace = state.places > 0
            if hasPlace { state.places -= 1 }
            state.open[ObjectIdentifier(channel)] = Connection(channel: channel, hasPlace: hasPlace)
            return hasPlace
        }
    }

    /// Forgets a connection that has ended; one that is not known changes nothing.
    func leave(_ channel: any Channel) {
        let left = state.withLock { state in
            let left = state.open.removeValue(forKey: ObjectIdentifier(channel))
            if left?.hasPlace == true { state.places += 1 }
            return left
        }
        if let work = left?.work, work.endsWithClient { work.cancel() }
    }

    /// Does what a connection asked for, of which there is one thing at a time.
    ///
    /// - Parameters:
    ///   - channel: The connection.
    ///   - endsWithClient: True to cancel it when the connection ends, not only when all do.
    ///   - body: Does it.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    func run<R: Sendable>(
        on channel: any Channel, endsWithClient: Bool, _ body: @escaping @Sendable () async throws -> R
    ) async throws -> R {
        let task = Task { try await body() }
        let work = Work(endsWithClient: endsWithClient) { task.cancel() }
        let isOver = state.withLock { state in
            state.open[ObjectIdentifier(channel)]?.work = work
            return state.isEnding || (endsWithClient && state.open[ObjectIdentifier(channel)] == nil)
        }
        if isOver { task.cancel() }
        defer { state.withLock { $0.open[ObjectIdentifier(channel)]?.work = nil } }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Ends the server, once it listens.
    private func end() {
        let listener = state.withLock { state in
            state.isEnding = true
            return state.listener
        }
        guard let listener else { return }
        Task {
            try? await listener.setOption(.autoRead, value: false).get()
            for _ in 0..<Self.handovers {
                for loop in loops.makeIterator() { try? await loop.submit {}.get() }
                try? await listener.eventLoop.submit {}.get()
            }
            for loop in loops.makeIterator() { try? await loop.submit {}.get() }
            listener.close(promise: nil)
            for connection in state.withLock({ Array($0.open.values) }) {
                connection.work?.cancel()
                connection.channel.close(promise: nil)
            }
        }
    }
}
#endif
