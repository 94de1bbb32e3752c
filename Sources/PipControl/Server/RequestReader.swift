#if Control
internal import NIOCore
internal import NIOHTTP1

/// Reads the requests of a connection, and closes the connection after the last answer.
///
/// The size of a request, and the time to receive it, are limited. While an answer is outstanding, the handler does not
/// read from the socket, so that a client cannot queue requests without limit.
///
/// Thread: the connection's event loop only.
final class RequestReader: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The event that the writer fires once the client has accepted an answer.
    struct Answered: Sendable {}

    /// The longest time to wait for the head of a request.
    private static let idleTimeout = Duration.seconds(10)
    /// The longest time to wait for the body of a request after its head.
    private static let bodyTimeout = Duration.seconds(5)
    /// The longest time to wait until a client closes the connection after the last answer.
    private static let closingTimeout = Duration.seconds(2)
    /// The largest number of requests that may be outstanding, for a client that sends ahead.
    private static let pipelineLimit = 64

    private let received: AsyncStream<ReceivedRequest>.Continuation
    private let clients: CountingLimit
    private var hasPlace = false
    /// The request whose body is being received; nil between requests.
    private var request: ReceivedRequest?
    private var unanswered = 0
    /// True once no further request is accepted: after the last request, or after the client has closed its side.
    private var isOver = false
    private var hasHeldRead = false
    private var timeout: Scheduled<Void>?

    /// Creates the reader of one connection.
    ///
    /// - Parameters:
    ///   - received: Receives the requests, and is finished when the connection closes.
    ///   - clients: The places for connections. A connection that finds no free place is refused with 503.
    init(_ received: AsyncStream<ReceivedRequest>.Continuation, _ clients: CountingLimit) {
        self.received = received
        self.clients = clients
    }

    func handlerAdded(context: ChannelHandlerContext) { hasPlace = clients.enter() }

    func handlerRemoved(context: ChannelHandlerContext) {
        timeout?.cancel()
        received.finish()
        if hasPlace { clients.leave() }
    }

    func channelActive(context: ChannelHandlerContext) {
        if hasPlace { return wait(context) }
        refuse(Problem(503, "too many concurrent connections: try again", headers: ["Retry-After": "1"]))
    }

    func read(context: ChannelHandlerContext) {
        if unanswered > 0 { hasHeldRead = true } else { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard unanswered < Self.pipelineLimit else {
                return refuse(Problem(503, "too many concurrent requests: try again"))
            }
            request = ReceivedRequest()
            let peer = context.channel.remoteAddress?.ipAddress
            do throws(Problem) { try request?.read(head, from: peer) } catch { return refuse(error) }
            wait(context)
        case .body(let bytes):
            request?.request.body += bytes.readableBytesView
            if let request, request.request.body.count > PanelService.bodyLimit { refuse(.tooLong) }
        case .end: if let request { deliver(request) }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // NIO itself closes the connection after a socket error.
        if !isOver, error is HTTPParserError {
            refuse(Problem(400, "the request is not HTTP/1.1, or its headers are too long"))
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is Answered: unanswered -= 1
        case ChannelEvent.inputClosed: isOver = true
        default: return
        }
        if unanswered == 0 { wait(context) }
    }

    /// Starts the timeout for the next event: the rest of a request, the next request, or the client's close.
    private func wait(_ context: ChannelHandlerContext) {
        guard unanswered == 0 else { return }
        if isOver {
            // If both directions were closed while bytes are unread, TCP would reset the connection and drop the
            // answer. NIO closes the connection once both sides are closed.
            context.close(mode: .output, promise: nil)
            limit(Self.closingTimeout, context) { context.close(promise: nil) }
        } else if let request {
            limit(Self.bodyTimeout, context) { [self] in
                refuse(Problem(408, "the body did not arrive within \(Self.bodyTimeout)"))
            }
            if request.request.headers["expect"] != nil {
                let head = HTTPResponseHead(version: .http1_1, status: .continue)
                context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
            }
        } else {
            limit(Self.idleTimeout, context) { context.close(promise: nil) }
        }
        guard hasHeldRead else { return }
        hasHeldRead = false
        context.read()
    }

    private func limit(_ time: Duration, _ context: ChannelHandlerContext, _ body: @escaping () -> Void) {
        timeout?.cancel()
        timeout = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time), body)
    }

    /// Delivers a refusal instead of the request, and ignores all later requests.
    private func refuse(_ problem: Problem) {
        var refused = request ?? ReceivedRequest()
        refused.problem = problem
        refused.isLast = true
        deliver(refused)
    }

    private func deliver(_ request: ReceivedRequest) {
        timeout?.cancel()
        self.request = nil
        isOver = request.isLast
        unanswered += 1
        received.yield(request)
    }
}
#endif
