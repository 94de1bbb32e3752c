import Foundation
import PipCompose
import PipControl
import PipRig
import PipTestSupport
import Synchronization

/// A composition that runs with its panel, for as long as a test needs it.
struct RunningPanel: Sendable {
    let live: LiveRig
    let panel: Panel
    /// As in `http://127.0.0.1:40000`.
    let address: String
    let folder: TemporaryFolder

    static let rig = """
        canvas: {size: 320x180, fps: 30}
        cameras:
          road: {source: pattern:bars, size: 320x180}
          driver: {source: pattern:ramp, size: 320x180}
        scenes:
          drive: {main: road, insets: [{of: driver, at: top-right, width: 25%, margin: 8}]}
          talk: {main: driver, insets: [{of: road, at: bottom-left, width: 30%, margin: 8}]}
        effects: {road: [{brightness: 0}]}
        """

    /// Runs one while a function uses it.
    static func run(
        _ text: String = rig, token: String? = nil, port: Int = 0, folder: TemporaryFolder? = nil,
        cameras: CameraDirectory = CameraDirectory(), connections: Int = 256,
        _ body: @Sendable @escaping (RunningPanel) async throws -> Void
    ) async throws {
        let folder = try folder ?? TemporaryFolder()
        let options = try PanelOptions(
            .host("127.0.0.1", port: port), token: token, root: folder.url.resolvingSymlinksInPath().path)
        let panel = Panel(options, program: "pip-compose test", connections: connections)
        var session = SessionOptions()
        session.pressure.policy = .off
        session.drawingThreads = 1
        session.startsWithoutCameras = true
        let live = try await LiveRig(try RigFile(text, path: "rig.yaml").rig, options: session, cameras: cameras) {
            panel.attach(to: $0)
        }
        let (addresses, told) = AsyncStream.makeStream(of: String.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await panel.run(live) { told.yield("http://\($0)") }
                told.finish()
            }
            var found: String?
            for await address in addresses {
                found = address
                break
            }
            guard let address = found else { return try await group.waitForAll() }
            let running = RunningPanel(live: live, panel: panel, address: address, folder: folder)
            group.addTask { try await live.session.run() }
            defer {
                live.session.stop()
                group.cancelAll()
            }
            try await body(running)
        }
    }

    /// As in `127.0.0.1:40000`.
    var host: String { String(address.dropFirst("http://".count)) }
    var port: UInt16 { UInt16(address.split(separator: ":").last ?? "") ?? 0 }

    /// An answer of the panel.
    struct Answer: Sendable {
        let status: Int
        let headers: [String: String]
        let body: [UInt8]

        var json: JSON { JSON(reading: body) ?? .null }
        var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// Sends a request and waits for the whole answer.
    func send(
        _ method: String, _ path: String, _ body: String? = nil, headers: [String: String] = [:]
    ) async throws -> Answer {
        var lines = ["\(method) \(path) HTTP/1.1", "Connection: close"]
        var headers = headers
        if headers["Host"] == nil { headers["Host"] = host }
        if let body {
            headers["Content-Length"] = "\(body.utf8.count)"
            if headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
        }
        lines += headers.map { "\($0.key): \($0.value)" }
        return try await raw((lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")))
    }

    /// Sends text as it is, and reads until the connection ends.
    func raw(_ text: String) async throws -> Answer {
        let port = self.port
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                do { continuation.resume(returning: try Self.exchange(Array(text.utf8), port)) } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    /// A connection to the panel.
    static func connect(_ port: UInt16) throws -> Int32 {
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Chromium.Failure(description: "no connection: \(errno)") }
        return connection
    }

    private static func exchange(_ bytes: [UInt8], _ port: UInt16) throws -> Answer {
        let connection = try connect(port)
        defer { close(connection) }
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        unsafe setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        _ = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = unsafe recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            answer += buffer[..<count]
        }
        return parse(answer)
    }

    private static func parse(_ bytes: [UInt8]) -> Answer {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
            return Answer(status: 0, headers: [:], body: bytes)
        }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces) }
        }
        return Answer(status: status, headers: headers, body: Array(bytes[end.upperBound...]))
    }

    /// Waits until the composed picture's luma at a point is what is expected.
    func wait(for description: String, _ isTrue: @Sendable (JSON) -> Bool) async throws {
        let deadline = ContinuousClock.now.advanced(by: .seconds(20))
        while true {
            let state = try await send("GET", "/api/v1/state").json
            if isTrue(state) { return }
            guard ContinuousClock.now < deadline else {
                throw Chromium.Failure(description: "\(description) does not come about")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
