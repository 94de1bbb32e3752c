#if Control
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// Accepts clients with SwiftNIO, and passes their requests to a ``PanelService``.
///
/// The server limits the numbers of connections and requests, and the sizes of headers and bodies.
struct PanelServer: Sendable {
    /// An accepted connection, and the stream of its requests.
    ///
    /// The stream ends when the connection closes.
    private typealias Connection = (channel: any Channel, requests: AsyncStream<ReceivedRequest>)

    private static let headerLimit = 16_384
    /// The number of connections beyond the limit that are still accepted and answered with 503.
    ///
    /// Later connections wait in the listening socket's backlog.
    private static let refusals = 64

    private let service: PanelService
    private let address: PanelAddress
    private let clients: CountingLimit
    private let requests: CountingLimit

    init(_ service: PanelService, _ address: PanelAddress, connections: Int, requests: Int) {
        self.service = service
        self.address = address
        clients = CountingLimit(connections)
        self.requests = CountingLimit(requests)
    }

    /// Listens until the current task is cancelled.
    ///
    /// Returns when all connections are closed and their requests are done.
    ///
    /// - Throws: ``PanelError`` when the panel cannot listen.
    func run(ready: @escaping @Sendable (String) -> Void) async throws {
        let (connections, accepted) = AsyncStream.makeStream(of: Connection.self)
        let listener: any Channel
        do { listener = try await listen(accepted) } catch {
            throw PanelError(Self.sentence(error, address), isUnavailable: true)
        }
        listener.closeFuture.whenComplete { _ in accepted.finish() }
        if case .host(let name, _) = address, let port = listener.localAddress?.port {
            ready(PanelAddress.host(name, port: port).description)
        } else {
            ready(address.description)
        }
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                for await connection in connections { group.addTask { await serve(connection) } }
                group.cancelAll()
            }
        } onCancel: {
            listener.close(promise: nil)
        }
        try? await listener.closeFuture.get()
    }

    private func listen(_ accepted: AsyncStream<Connection>.Continuation) async throws -> any Channel {
        let (clients, limit) = (clients, clients.limit + Self.refusals)
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptLimit(limit))
                }
            }
            // A client may close its sending side after its last request, and still read the answer.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try Self.setUp(channel, clients, accepted) }
            }
        return switch address {
        case .host(let name, let port): try await bootstrap.bind(host: name, port: port).get()
        case .unix(let path):
            try await bootstrap.bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
        }
    }

    private static func setUp(
        _ channel: any Channel, _ clients: CountingLimit, _ accepted: AsyncStream<Connection>.Continuation
    ) throws {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = headerLimit
        limits.maxHeaderListSize = headerLimit
        limits.maxHeaderFieldCount = 100
        let (requests, received) = AsyncStream.makeStream(of: ReceivedRequest.self)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
            withEncoderConfiguration: .init(), withDecoderLimitConfiguration: limits)
        try pipeline.addHandler(RequestReader(received, clients))
        // A server that is stopping closes new connections.
        if case .terminated = accepted.yield((channel, requests)) { channel.close(promise: nil) }
    }

    private static func sentence(_ error: any Error, _ address: PanelAddress) -> String {
        let reason: String
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE: reason = "the address is in use: another program listens there; choose another address"
        case EADDRNOTAVAIL: reason = "this machine does not have the address; `ip address` lists its addresses"
        case EACCES: reason = "not permitted: a port below 1024 needs root, and a socket needs a writable folder"
        default: reason = "\(error)"
        }
        return "the panel cannot listen on \(address): \(reason)"
    }

    // MARK: Requests

    /// Answers the requests of one connection in order, until the connection closes.
    private func serve(_ connection: Connection) async {
        let writer = ResponseWriter(channel: connection.channel)
        await withTaskCancellationHandler {
            for await request in connection.requests { await writer.write(response(to: request), to: request) }
        } onCancel: {
            connection.channel.close(promise: nil)
        }
    }

    private func response(to received: ReceivedRequest) async -> PanelResponse {
        if let problem = received.problem { return .problem(problem) }
        guard requests.enter() else {
            return .problem(Problem(503, "too many concurrent requests: try again", headers: ["Retry-After": "1"]))
        }
        defer { requests.leave() }
        return await service.respond(to: received.request)
    }
}
#endif
