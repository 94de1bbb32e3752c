#if Control
internal import CPlatform
internal import Glibc
internal import NIOCore
internal import NIOHTTP1

/// Writes answers to a connection.
///
/// The writer closes the connection if the client does not accept a part of an answer in time.
struct ResponseWriter: Sendable {
    /// The longest time to wait until a client accepts a part of an answer.
    private static let timeout = TimeAmount.seconds(15)

    let channel: any Channel

    /// Writes an answer.
    ///
    /// Returns when the client has accepted the answer, or the connection is closed.
    func write(_ response: PanelResponse, to request: ReceivedRequest) async {
        let head = HTTPServerResponsePart.head(response.head(for: request))
        do {
            switch request.request.method == "HEAD" ? .bytes([]) : response.body {
            case .stream(let body):
                try await send(head)
                let work = Task {
                    try await body { bytes in try await send(.body(.byteBuffer(ByteBuffer(bytes: bytes)))) }
                }
                // The client has disconnected, or the server is stopping.
                channel.closeFuture.whenComplete { _ in work.cancel() }
                try await work.value
            case .bytes(let bytes):
                channel.write(head, promise: nil)
                channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: bytes))), promise: nil)
            }
            try await send(.end(nil))
            channel.pipeline.fireUserInboundEventTriggered(RequestReader.Answered())
        } catch {
            // The connection is closed without an end of the body, which tells the client that the answer is
            // incomplete.
            channel.close(promise: nil)
        }
    }

    private func send(_ part: HTTPServerResponsePart) async throws {
        let timeout = channel.eventLoop.scheduleTask(in: Self.timeout) { channel.close(promise: nil) }
        defer { timeout.cancel() }
        try await channel.writeAndFlush(part).get()
    }
}

extension PanelResponse {
    /// The present date and time, as HTTP's headers have it: `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// Source: RFC 9110, 5.6.7 "Date/Time Formats".
    private static var date: String {
        var now = time(nil)
        var parts = unsafe tm()
        unsafe gmtime_r(&now, &parts)
        func padded(_ number: CInt) -> String { (number < 10 ? "0" : "") + String(number) }
        let day = unsafe ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][Int(parts.tm_wday)]
        let month = unsafe [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ][Int(parts.tm_mon)]
        let clock = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map(padded).joined(separator: ":")
        return unsafe "\(day), \(padded(parts.tm_mday)) \(month) \(1900 + parts.tm_year) \(clock) GMT"
    }

    fileprivate func head(for request: ReceivedRequest) -> HTTPResponseHead {
        var fields: HTTPHeaders = ["Date": Self.date]
        // A line break in a value would start another header, so such headers are dropped.
        for (name, value) in headers where (name + value).utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) {
            fields.add(name: name, value: value)
        }
        if request.isLast { fields.add(name: "Connection", value: "close") }
        // NIO's encoder sends a stream of unknown length in chunks. For HTTP/1.0, the connection's end ends the stream.
        if case .bytes(let bytes) = body {
            fields.add(name: "Content-Length", value: "\(bytes.count)")
        } else if request.request.method == "HEAD", headers["Content-Length"] == nil {
            fields.add(name: "Content-Length", value: "0")
        }
        return HTTPResponseHead(version: request.version, status: .init(statusCode: status), headers: fields)
    }
}
#endif
