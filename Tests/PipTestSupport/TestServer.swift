import Foundation
import PipConcurrency

/// An HTTP server for tests on a free port, with one request for each connection.
package final class TestServer: Sendable {
    package struct Request: Sendable {
        package let method: String
        /// The path without the query.
        package let path: String
        /// The headers, keyed by lowercased name.
        package let headers: [String: String]
        package let body: String
    }

    package struct Response: Sendable {
        fileprivate let status: Int
        fileprivate let headers: [String: String]
        fileprivate let body: String

        package init(status: Int, headers: [String: String] = [:], body: String = "") {
            (self.status, self.headers, self.body) = (status, headers, body)
        }
    }

    /// Answers a request; nil closes the connection without an answer.
    package typealias Handler = @Sendable (Request) async -> Response?

    package let port: Int
    private let listener: ListeningSocket

    package init(_ handler: @escaping Handler) throws {
        listener = try ListeningSocket()
        port = listener.port
        let number = listener.number
        _ = WorkerThread(name: "test-server") {
            while true {
                let connection = accept(number, nil, nil)
                guard connection >= 0 else { return }
                _ = WorkerThread(name: "test-request") { Self.serve(connection, handler) }
            }
        }
    }

    private static func serve(_ connection: Int32, _ handler: @escaping Handler) {
        guard let request = request(from: connection) else {
            close(connection)
            return
        }
        Task {
            guard let response = await handler(request) else {
                close(connection)
                return
            }
            var head = "HTTP/1.1 \(response.status) -\r\nConnection: close\r\n"
            head += "Content-Length: \(response.body.utf8.count)\r\n"
            for (name, value) in response.headers { head += "\(name): \(value)\r\n" }
            let bytes = Array((head + "\r\n" + response.body).utf8)
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = unsafe rest.withUnsafeBytes {
                    unsafe send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { break }
                rest = rest.dropFirst(count)
            }
            close(connection)
        }
    }

    private static func request(from connection: Int32) -> Request? {
        var received: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        func receive() -> Bool {
            let count = unsafe recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { return false }
            received += chunk[..<count]
            return true
        }
        let mark = Array("\r\n\r\n".utf8)
        while received.firstRange(of: mark) == nil { guard receive() else { return nil } }
        guard let end = received.firstRange(of: mark) else { return nil }
        let lines = String(decoding: received[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ").map(String.init)
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let halves = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            if halves.count == 2 { headers[halves[0].lowercased()] = halves[1] }
        }
        let length = Int(headers["content-length"] ?? "") ?? 0
        while received.count < end.upperBound + length { guard receive() else { return nil } }
        return Request(
            method: words[0], path: words[1].split(separator: "?").first.map(String.init) ?? "/", headers: headers,
            body: String(decoding: received[end.upperBound...], as: UTF8.self))
    }
}
