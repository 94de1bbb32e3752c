#if Control
internal import NIOCore

/// Stops accepting connections while the number of open connections is at its limit.
///
/// Thread: the listening socket's event loop only.
final class AcceptLimit: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never

    private var remaining: Int
    private var hasHeldRead = false

    init(_ limit: Int) { remaining = limit }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        remaining -= 1
        unwrapInboundIn(data).closeFuture.hop(to: context.eventLoop).assumeIsolated().whenComplete { [self] _ in
            remaining += 1
            guard hasHeldRead else { return }
            hasHeldRead = false
            context.read()
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        if remaining > 0 { context.read() } else { hasHeldRead = true }
    }
}
#endif
