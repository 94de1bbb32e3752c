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

    private enum State { case new, accepted, refused, left }

    /// The time that a refused client has to read why.
    private static let patience = TimeAmount.seconds(2)

    private let places: Places
    private let bodyLimit: Int
    private var state = State.new

    /// - Parameters:
    ///   - places: Of all connections.
    ///   - bodyLimit: The longest body that is taken, in bytes.
    init(_ places: Places, bodyLimit: Int) {
        self.places = places
        self.bodyLimit = bodyLimit
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { begin(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { leave() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard state == .accepted else { return }
        if case .head(let request) = unwrapInboundIn(data), isContinued(request) {
            context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if state != .refused { context.fireErrorCaught(error) }
    }

    /// True for a client that waits for a sign before it sends a body that is taken.
    private func isContinued(_ request: HTTPRequest) -> Bool {
        guard request.headerFields[.expect]?.lowercased() == "100-continue" else { return false }
        return request.headerFields[.contentLength].flatMap { Int($0) }.map { $0 <= bodyLimit } ?? true
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard state == .new else { return }
        state = places.enter() ? .accepted : .refused
        if state == .refused { refuse(context) }
    }

    private func leave() {
        if state == .accepted { places.leave() }
        state = .left
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
