#if Control
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Refuses connections above a number, at once and with a sentence; says to clients that ask whether their body is
/// taken.
///
/// Runs on its connection's event loop.
///
/// Source: RFC 9110, 10.1.1 "Expect" and 15.6.4 "503 Service Unavailable".
final class ConnectionGate: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    /// The time that a refused client has to read why.
    private static let patience = TimeAmount.seconds(2)

    private let connections: Connections
    private let bodyLimit: Int
    private var isAccepted = false

    /// - Parameters:
    ///   - connections: Those of the server.
    ///   - bodyLimit: The longest body that is taken, in bytes.
    init(_ connections: Connections, bodyLimit: Int) {
        self.connections = connections
        self.bodyLimit = bodyLimit
    }

    func channelActive(context: ChannelHandlerContext) {
        isAccepted = connections.enter(context.channel)
        context.fireChannelActive()
        if !isAccepted { refuse(context) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        connections.leave(context.channel)
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard isAccepted else { return }
        if case .head(let request) = unwrapInboundIn(data), isContinued(request) {
            context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isAccepted { context.fireErrorCaught(error) }
    }

    /// True for a client that waits for a sign before it sends a body that is taken.
    private func isContinued(_ request: HTTPRequest) -> Bool {
        guard request.headerFields[.expect]?.lowercased() == "100-continue" else { return false }
        return request.headerFields[.contentLength].flatMap { Int($0) }.map { $0 <= bodyLimit } ?? true
    }

    private func refuse(_ context: ChannelHandlerContext) {
        let answer = PanelResponse.problem(
            Problem(503, "there are too many connections at a time", headers: ["Retry-After": "1"]))
        guard case .bytes(let bytes) = answer.body else { return }
        var fields: HTTPFields = [.connection: "close", .contentLength: "\(bytes.count)"]
        for (name, value) in answer.headers {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        let status = HTTPResponse.Status(code: answer.status)
        context.write(wrapOutboundOut(.head(HTTPResponse(status: status, headerFields: fields))), promise: nil)
        context.write(wrapOutboundOut(.body(ByteBuffer(bytes: bytes))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        // Closed in both directions with something unread, the answer would be lost.
        context.close(mode: .output, promise: nil)
        let channel = context.channel
        context.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
    }
}
#endif
