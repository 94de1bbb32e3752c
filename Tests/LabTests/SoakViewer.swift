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
        Thread.detachNewThread { Self.read(connection, Array(mark.utf8), state) }
    }

    /// The number of occurrences of the text so far.
    var count: Int { state.value.withLock { $0.count } }
    /// False once the connection has ended.
    var isOpen: Bool { state.value.withLock { $0.isOpen } }

    /// Shuts the connection down.
    ///
    /// The reading thread then closes its descriptor.
    func close() { state.value.withLock { if $0.isOpen { _ = shutdown(connection, Int32(SHUT_RDWR)) } } }

    private static func read(_ connection: Int32, _ mark: [UInt8], _ state: Box) {
        var buffer = [UInt8](repeating: 0, count: 65536)
        // The number of bytes of `mark` that the latest received bytes match.
        var seen = 0
        while true {
            let count = unsafe recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            var marks = 0
            for byte in buffer[..<count] {
                seen = byte == mark[seen] ? seen + 1 : byte == mark[0] ? 1 : 0
                if seen == mark.count {
                    marks += 1
                    seen = 0
                }
            }
            state.value.withLock { $0.count += marks }
        }
        // The lock prevents `close()` from shutting down a descriptor that already belongs to another file.
        state.value.withLock { state in
            state.isOpen = false
            Glibc.close(connection)
        }
    }
}
