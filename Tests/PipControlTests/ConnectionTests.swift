import Foundation
import PipConcurrency
import PipPanelSupport
import PipTestSupport
import Synchronization
import Testing

@testable import PipControl
@testable import PipRig

/// Tests connections that clients leave open, and requests that a correct client never sends.
@Suite("Connections of the panel", .timeLimit(.minutes(30)), .serialized)
struct ConnectionTests {
    /// The number of hostile requests, from `PIP_HOSTILE`; nil for few requests.
    ///
    /// A run with `PIP_HOSTILE` also watches memory and descriptors.
    private static let hostile = ProcessInfo.processInfo.environment["PIP_HOSTILE"].flatMap { Int($0) }

    @Test("`Expect: 100-continue` is answered, and other expectations are refused")
    func expectations() async throws {
        try await RunningPanel.run { panel in
            let body = #"{"z": 5}"#
            let head = "PATCH /api/v1/layers/road HTTP/1.1\r\nHost: \(panel.host)\r\nContent-Type: application/json\r\n"
            let connection = try OpenConnection(panel.port)
            connection.send("\(head)Content-Length: \(body.utf8.count)\r\nExpect: 100-continue\r\n\r\n")
            #expect(await connection.answer(until: "\r\n\r\n")?.hasPrefix("HTTP/1.1 100 Continue\r\n") == true)
            connection.send(body)
            #expect(await connection.answer(until: "\r\n\r\n")?.contains("HTTP/1.1 200 OK\r\n") == true)
            #expect(panel.live.rig.layers[0].z == 5)
            let long = "\(head)Content-Length: 70000\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n"
            #expect(try await panel.raw(long).status == 413, "told so before it sends it")
            let other = "\(head)Content-Length: 2\r\nExpect: miracles\r\nConnection: close\r\n\r\n{}"
            #expect(try await panel.raw(other).status == 417)
        }
    }

    @Test("a connection beyond the limit is refused at once, and accepted after another connection ends")
    func overflow() async throws {
        try await RunningPanel.run(connections: 4) { panel in
            // The test waits for each response, so that each connection holds its slot before the next one opens.
            var connections: [OpenConnection] = []
            for _ in 0..<4 {
                let connection = try OpenConnection(panel.port)
                connection.send("HEAD /healthz HTTP/1.1\r\nHost: \(panel.host)\r\n\r\n")
                #expect(await connection.answer(until: "\r\n\r\n") != nil)
                connections.append(connection)
            }
            let answer = try await panel.send("GET", "/healthz")
            #expect(answer.status == 503 && answer.headers["retry-after"] == "1")
            #expect(answer.json["detail"] == .string("too many concurrent connections: try again"))
            connections.removeLast()
            while try await panel.send("GET", "/healthz").status == 503 { await Task.yield() }
            #expect(connections.count == 3)
        }
    }

    @Test("a panel that ends closes its connections and all later ones at once")
    func ending() async throws {
        for _ in 0..<5 {
            let running = Mutex(0)
            try await RunningPanel.run { panel in
                let answered = Mutex(0)
                let (port, host) = (panel.port, panel.host)
                running.withLock { $0 = 9 }
                Thread.detachNewThread {
                    defer { running.withLock { $0 -= 1 } }
                    guard let viewer = try? OpenConnection(port) else { return }
                    viewer.send("GET /api/v1/events HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                    while viewer.read(until: "\n\n") != nil { answered.withLock { $0 += 1 } }
                    #expect(viewer.hasEnded)
                }
                for _ in 0..<8 {
                    Thread.detachNewThread {
                        defer { running.withLock { $0 -= 1 } }
                        // The loop ends once the server no longer listens.
                        while let connection = try? OpenConnection(port) {
                            connection.send("GET /healthz HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                            if connection.read(until: "\r\n\r\n") != nil { answered.withLock { $0 += 1 } }
                            #expect(!connection.hasFailed)
                        }
                    }
                }
                try await panel.wait(for: "a hundred answers") { _ in answered.withLock { $0 } > 100 }
            }
            while running.withLock({ $0 }) > 0 { try await Task.sleep(for: .milliseconds(5)) }
        }
    }

    @Test("row 62: random and changed requests are refused, and a correct client is always served")
    func flood() async throws {
        try await RunningPanel.run { panel in
            let requests = HostileRequests(port: panel.port, seed: 62, hasOffers: true)
            let count = Self.hostile ?? 300
            // The first requests allocate memory that the process keeps until its end.
            let first = await requests.send(min(count, 5000), threads: 16, timeout: 300)
            // The limit of viewers leads to status 503.
            #expect(first.statuses.keys.allSatisfy { $0 < 500 || $0 == 503 } && first.unconnected == 0, "\(first)")
            // Accepted viewers hold descriptors until the server drops them.
            if Self.hostile != nil {
                try await panel.wait(for: "the end of viewers") { _ in panel.panel.viewers == 0 }
            }
            let before = try ProcessFootprint.now()
            let isDone = Mutex(false)
            async let good = Self.good(panel) { isDone.withLock { $0 } }
            let tally = await HostileRequests(port: panel.port, seed: 63, hasOffers: false).send(
                count, threads: 16, timeout: 300)
            isDone.withLock { $0 = true }
            let answered = try await good
            #expect(tally.statuses.keys.allSatisfy { $0 < 500 } && tally.unconnected == 0, "\(tally)")
            #expect(tally.statuses[400, default: 0] > count / 3, "\(tally)")
            #expect(answered > 0)
            if Self.hostile != nil {
                try await panel.wait(for: "the end of connections that were left") { _ in
                    (try? ProcessFootprint.now()).map { $0.descriptors <= before.descriptors } == true
                }
                let after = try ProcessFootprint.now()
                print("\(tally)\nbefore: \(before)\nafter: \(after)\ngood requests: \(answered)")
                #expect(after.memory - before.memory < 32 << 20)
            }
            FaultReport.record(row: 62, figures: "\(count) random and changed requests: none failed")
        }
    }

    /// Requests the state again and again until `isOver`, and expects an answer each time.
    ///
    /// - Returns: The number of requests.
    private static func good(_ panel: RunningPanel, until isOver: @Sendable () -> Bool) async throws -> Int {
        var count = 0
        while !isOver() {
            let answer = try await panel.send("GET", "/api/v1/state")
            #expect(answer.status == 200)
            count += 1
        }
        return count
    }
}

/// A connection that stays open until the object is released.
///
/// Thread: one at a time.
final class OpenConnection: @unchecked Sendable {
    private let descriptor: Int32
    private var received = ""
    /// True once the peer has closed the connection.
    private(set) var hasEnded = false
    /// True if the peer sent nothing for a minute.
    var hasFailed: Bool { isOver && !hasEnded }
    private var isOver = false

    init(_ port: UInt16) throws {
        descriptor = try RunningPanel.connect(port)
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    func send(_ text: String) {
        _ = unsafe Array(text.utf8).withUnsafeBytes {
            unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
    }

    /// Reads up to a delimiter on a separate thread, because the server under test needs the threads of the cooperative
    /// pool.
    func answer(until mark: String) async -> String? {
        let read: @Sendable () -> String? = { self.read(until: mark) }
        return await WorkerThread.run(name: "test-reader", clock: MonotonicClock(), [read]).first ?? nil
    }

    /// Reads up to and including a delimiter.
    ///
    /// Nil if the connection ends, or nothing arrives for a minute.
    func read(until mark: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            if let range = received.firstRange(of: mark) {
                defer { received.removeSubrange(..<range.upperBound) }
                return String(received[..<range.upperBound])
            }
            let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else {
                isOver = true
                hasEnded = count == 0 || errno == ECONNRESET
                return nil
            }
            received += String(decoding: buffer[..<count], as: UTF8.self)
        }
    }
}
