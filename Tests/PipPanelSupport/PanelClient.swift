import Foundation
package import PipRig

/// An HTTP client of a panel.
///
/// Opens one connection for each request.
package struct PanelClient: Sendable {
    /// The address at which a panel listens.
    package enum Place: Sendable {
        /// A port on the loopback interface.
        case port(UInt16)
        /// A Unix domain socket.
        case socket(String)
    }

    /// The panel's HTTP response.
    package struct Answer: Sendable {
        package let status: Int
        package let headers: [String: String]
        package let body: [UInt8]

        package var json: JSON { JSON(reading: body) ?? .null }
        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(_ description: String) { self.description = description }
    }

    private let place: Place

    package init(_ place: Place) { self.place = place }

    /// The value of the `Host` header, such as `127.0.0.1:40000`.
    private var host: String {
        switch place {
        case .port(let port): "127.0.0.1:\(port)"
        case .socket: "localhost"
        }
    }

    /// Sends a request and waits for the complete response.
    package func send(
        _ method: String, _ path: String, _ body: String? = nil, headers: [String: String] = [:]
    ) async throws -> Answer {
        try await raw(text(method, path, body, headers: headers))
    }

    /// The text of an HTTP request that asks the server to close the connection after the response.
    package func text(
        _ method: String, _ path: String, _ body: String? = nil, headers: [String: String] = [:]
    ) -> String {
        var lines = ["\(method) \(path) HTTP/1.1", "Connection: close"]
        var headers = headers
        if headers["Host"] == nil { headers["Host"] = host }
        if let body {
            headers["Content-Length"] = "\(body.utf8.count)"
            if headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
        }
        lines += headers.map { "\($0.key): \($0.value)" }
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
    }

    /// Sends raw text, and reads the response until the connection ends, or no byte arrives for 20 seconds.
    package func raw(_ text: String) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                do { continuation.resume(returning: try exchange(Array(text.utf8))) } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    /// Waits until the panel's state document meets a condition.
    ///
    /// - Parameters:
    ///   - description: The condition in words, for the error.
    ///   - limit: The longest wait.
    ///   - isTrue: The condition.
    /// - Throws: ``Failure`` if the state does not meet the condition in time, or the panel cannot be reached.
    package func wait(
        for description: String, limit: Duration = .seconds(20), _ isTrue: @Sendable (JSON) -> Bool
    ) async throws {
        let deadline = ContinuousClock.now.advanced(by: limit)
        while true {
            let state = try await send("GET", "/api/v1/state").json
            if isTrue(state) { return }
            guard ContinuousClock.now < deadline else {
                throw Failure("timed out while waiting for \(description); state: \(state.line)")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Opens a connection to the panel.
    ///
    /// The caller must close the descriptor.
    package func connect() throws -> Int32 {
        let connection: Int32
        var status: Int32
        switch place {
        case .port(let port):
            connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            status = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe Glibc.connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        case .socket(let path):
            connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8.prefix(107)) }
            status = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe Glibc.connect(connection, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        }
        guard status == 0 else {
            let reason = unsafe String(cString: strerror(errno))
            close(connection)
            throw Failure("cannot connect to the panel: \(reason)")
        }
        return connection
    }

    private func exchange(_ bytes: [UInt8]) throws -> Answer {
        let connection = try connect()
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
        return Self.parse(answer)
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
}
