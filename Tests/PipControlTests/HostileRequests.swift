import Foundation
import PipPanelSupport
import PipTestSupport
import Synchronization

/// Malformed requests: random bytes, and valid requests with a few bytes changed.
struct HostileRequests: Sendable {
    /// The numbers of requests by outcome.
    struct Tally: Sendable {
        /// The numbers of responses, keyed by status code.
        ///
        /// The key 0 counts connections that the server closed without a response.
        var statuses: [Int: Int] = [:]
        /// The number of requests without a response before the timeout, for example because they were incomplete.
        var unfinished = 0
        /// The number of connections that the server did not accept.
        var unconnected = 0
    }

    let port: UInt16
    let seed: UInt64
    /// True if some requests are WHEP offers.
    ///
    /// The panel accepts some of the offers, and each viewer takes threads and memory.
    let hasOffers: Bool

    /// Sends the requests, each on its own connection.
    ///
    /// - Parameters:
    ///   - count: The number of requests.
    ///   - threads: The number of requests that are sent at the same time.
    ///   - timeout: The longest wait for an answer, in milliseconds.
    /// - Returns: The numbers of requests by outcome.
    func send(_ count: Int, threads: Int, timeout: Int) async -> Tally {
        await withTaskGroup(of: Tally.self) { group in
            for thread in 0..<threads {
                let part = count * (thread + 1) / threads - count * thread / threads
                group.addTask {
                    await withCheckedContinuation { continuation in
                        Thread.detachNewThread {
                            continuation.resume(returning: send(part, UInt64(thread), timeout))
                        }
                    }
                }
            }
            return await group.reduce(into: Tally()) { whole, part in
                whole.statuses.merge(part.statuses, uniquingKeysWith: +)
                whole.unfinished += part.unfinished
                whole.unconnected += part.unconnected
            }
        }
    }

    private func send(_ count: Int, _ thread: UInt64, _ timeout: Int) -> Tally {
        var random = SeededRandom(seed: seed &+ thread &* 0x1_0000_0001)
        var tally = Tally()
        for _ in 0..<count {
            let bytes = Bool.random(using: &random) ? noise(&random) : changed(&random)
            guard let connection = try? RunningPanel.connect(port) else {
                tally.unconnected += 1
                continue
            }
            defer { close(connection) }
            var limit = timeval(tv_sec: timeout / 1000, tv_usec: timeout % 1000 * 1000)
            unsafe setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            _ = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let read = unsafe recv(connection, &buffer, buffer.count, 0)
            if read < 0, errno == EAGAIN {
                tally.unfinished += 1
            } else {
                tally.statuses[Self.status(buffer.prefix(max(0, read))), default: 0] += 1
            }
        }
        return tally
    }

    /// The status code in a status line such as `HTTP/1.1 200 OK`.
    private static func status(_ answer: ArraySlice<UInt8>) -> Int {
        let line = String(decoding: answer.prefix(32), as: UTF8.self)
        return line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }

    private func noise(_ random: inout SeededRandom) -> [UInt8] {
        let bytes = (0..<Int.random(in: 1...400, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        return Array("GET /".utf8) + bytes + Array("\r\n\r\n".utf8)
    }

    /// Valid methods, paths and bodies, which are then corrupted.
    ///
    /// The last entry is a WHEP offer.
    private static let bodies = [
        ("PATCH", "/api/v1/layers/driver", #"{"at": "10:20", "opacity": 0.5}"#),
        ("PATCH", "/api/v1/scene", #"{"layers": {"road": {"z": 1}, "driver": {"z": 2}}}"#),
        ("PUT", "/api/v1/chains/driver", #"[{"effect": "mirror"}, {"effect": "sepia", "values": {"intensity": 0.5}}]"#),
        ("POST", "/api/v1/scenes/talk/activate", #"{"transition": "cut"}"#),
        ("POST", "/api/v1/swap", "{}"), ("GET", "/api/v1/layer?x=10&y=20", ""), ("GET", "/api/v1/state", ""),
        ("POST", "/whep", "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\n"),
    ]

    private func changed(_ random: inout SeededRandom) -> [UInt8] {
        let count = Self.bodies.count - (hasOffers ? 0 : 1)
        let (method, path, body) = Self.bodies[Int.random(in: 0..<count, using: &random)]
        let type = path == "/whep" ? "application/sdp" : "application/json"
        var bytes = Array(
            ("\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Type: \(type)\r\n"
                + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)").utf8)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            let byte = UInt8.random(in: 0...255, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[place] = byte
            case 1: bytes.insert(byte, at: place)
            case 2: bytes.remove(at: place)
            default: bytes.insert(contentsOf: bytes[place...].prefix(40), at: place)
            }
        }
        return bytes
    }
}

/// The memory and file descriptors that this process holds.
struct ProcessFootprint: Sendable {
    /// The resident memory, in bytes.
    let memory: Int
    let descriptors: Int

    static func now() throws -> ProcessFootprint {
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        return ProcessFootprint(memory: (Int(pages[1]) ?? 0) * 4096, descriptors: descriptors)
    }
}
