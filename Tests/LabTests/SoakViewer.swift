import Foundation
import PipPanelSupport
import Synchronization

/// A client that keeps a connection to the panel open, and counts how often a text occurs in the received data.
final class SoakViewer: Sendable {
    private struct State {
        var count = 0
        var isOpen = true
    }

    private let connection: Int32
    private let state: Box

    /// The state that the reading thread shares with the viewer.
    private final class Box: Sendable {
        let value = Mutex(State())
    }

    /// Connects to a panel.
    ///
    /// - Parameters:
    ///   - client: A client of the panel.
    ///   - path: The path to request.
    ///   - mark: The text to count.
    /// - Throws: ``PanelClient/Failure`` if the panel cannot be reached.
    init(_ client: PanelClient, _ path: String, mark: String) throws {
        let connection = try client.connect()
        let request = Array(client.text("GET", path).utf8)
        _ = unsafe request.withUnsafeBytes { unsafe send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        let state = Box()
        (self.connection, self.state) = (connection, state)
        Thread.detachNewThread { Self.read(connection, OccurrenceCounter(of: mark), state) }
    }

    /// The number of occurrences of the text so far.
    var count: Int { state.value.withLock { $0.count } }
    /// False once the connection has ended.
    var isOpen: Bool { state.value.withLock { $0.isOpen } }

    /// Shuts the connection down.
    ///
    /// The reading thread then closes its descriptor.
    func close() { state.value.withLock { if $0.isOpen { _ = shutdown(connection, Int32(SHUT_RDWR)) } } }

    private static func read(_ connection: Int32, _ counter: OccurrenceCounter, _ state: Box) {
        var counter = counter
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = unsafe recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            counter.take(buffer[..<count])
            state.value.withLock { $0.count = counter.count }
        }
        // The lock prevents `close()` from shutting down a descriptor that already belongs to another file.
        state.value.withLock { state in
            state.isOpen = false
            Glibc.close(connection)
        }
    }
}
