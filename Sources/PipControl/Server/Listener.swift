#if Control
internal import NIOCore
internal import Synchronization

/// A listening socket that takes no connection any more when its server ends.
///
/// A connection that a cancelled server takes would end the program: NIO asks for each to be served, or closed.
final class Listener: Sendable {
    private enum State {
        case closed
        case open(any Channel)
        case ending
    }

    /// The time in which connections that were taken come to the server.
    private static let settling = TimeAmount.milliseconds(500)

    private let state = Mutex(State.closed)

    /// Runs a server until this task is cancelled.
    ///
    /// - Parameter serve: Runs the server until its task is cancelled; it tells ``begin(on:)`` once it listens.
    /// - Throws: What `serve` throws.
    func run(_ serve: @escaping @Sendable () async throws -> Void) async throws {
        // No child of this task: it goes on for a moment after this one is cancelled, and ends before this one.
        let serving = Task { try await serve() }
        try await withTaskCancellationHandler {
            try await serving.value
        } onCancel: {
            end { serving.cancel() }
        }
    }

    /// Notes the socket.
    func begin(on channel: any Channel) {
        let isEnding = state.withLock { state in
            if case .ending = state { return true }
            state = .open(channel)
            return false
        }
        if isEnding { Self.pause(channel) {} }
    }

    private func end(_ then: @escaping @Sendable () -> Void) {
        let before = state.withLock { state in
            defer { state = .ending }
            return state
        }
        guard case .open(let channel) = before else { return then() }
        Self.pause(channel, then)
    }

    private static func pause(_ channel: any Channel, _ then: @escaping @Sendable () -> Void) {
        channel.setOption(.autoRead, value: false).whenComplete { _ in
            channel.eventLoop.scheduleTask(in: settling, then)
        }
    }
}
#endif
