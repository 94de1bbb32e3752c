#if Control
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore

/// Takes requests from sockets by Hummingbird, with bounds on everything, and hands them to a ``PanelService``.
struct PanelServer: Sendable {
    /// The time in which a request has to be there, and a piece of an answer to be taken.
    private static let patience = Duration.seconds(5)
    private static let writePatience = Duration.seconds(15)
    private static let idleTimeout = TimeAmount.seconds(10)
    private static let headerLimit = 16_384
    /// Connections that are told that there are too many; further ones wait until the system takes them.
    private static let refusals = 64

    private let service: PanelService
    private let address: PanelAddress
    private let limit: Int
    private let connections: Connections
    private let requests: Places

    init(_ service: PanelService, _ address: PanelAddress, connections: Int, requests: Int) {
        self.service = service
        self.address = address
        limit = connections
        self.connections = Connections(connections, on: EventLoopGroupProvider.singleton.eventLoopGroup)
        self.requests = Places(requests)
    }

    /// Listens until the task is cancelled.
    ///
    /// - Throws: ``PanelError`` when it cannot.
    func run(ready: @escaping @Sendable (String) -> Void) async throws {
        let bind: BindAddress =
            switch address {
            case .host(let name, let port): .hostname(name, port: port)
            case .unix(let path): .unixDomainSocket(path: path)
            }
        var logger = Logger(label: "panel") { _ in SwiftLogNoOpLogHandler() }
        logger.logLevel = .critical
        let shown = address
        let connections = connections
        let application = Application(
            responder: CallbackResponder { request, context in await respond(request, context) },
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [ConnectionGate(connections, bodyLimit: PanelService.bodyLimit)],
                    idleTimeout: Self.idleTimeout,
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: Self.headerLimit, maxHeaderListSize: Self.headerLimit,
                        maxHeaderFieldCount: 100))),
            configuration: .init(
                address: bind, serverName: nil, backlog: 256, reuseAddress: true,
                availableConnectionsDelegate: MaximumAvailableConnections(limit + Self.refusals)),
            onServerRunning: { channel in
                connections.begin(on: channel)
                guard case .host(let name, _) = shown, let port = channel.localAddress?.port else {
                    return ready(shown.description)
                }
                ready(PanelAddress.host(name, port: port).description)
            }, eventLoopGroupProvider: .singleton, logger: logger)
        do { try await connections.serve { try await application.run() } } catch {
            if connections.isEnding { return }
            throw PanelError(Self.sentence(error, address), isUnavailable: true)
        }
    }

    private static func sentence(_ error: any Error, _ address: PanelAddress) -> String {
        let reason: String
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE: reason = "the address is in use: another program listens there; choose another port"
        case EADDRNOTAVAIL: reason = "the address is none of this machine's"
        case EACCES: reason = "not permitted: ports below 1024 need root, sockets a folder that can be written"
        default: reason = "\(error)"
        }
        return "the panel cannot listen on \(address): \(reason)"
    }

    // MARK: Requests

    private func respond(_ request: Request, _ context: PanelRequestContext) async -> Response {
        guard requests.enter() else {
            return response(
                .problem(Problem(503, "too many requests at a time", headers: ["Retry-After": "1"])), request, context)
        }
        defer { requests.leave() }
        do {
            let read = try await Self.read(request, context)
            let response = try await connections.run(on: context.channel, endsWithClient: false) {
                await service.respond(to: read)
            }
            return self.response(response, request, context)
        } catch {
            var response = response(.problem(Problem(error)), request, context)
            response.headers[.connection] = "close"
            return response
        }
    }

    private static func read(_ request: Request, _ context: PanelRequestContext) async throws -> PanelRequest {
        if let wanted = request.headers[.expect], wanted.lowercased() != "100-continue" {
            throw Problem(417, "nothing is known of Expect: \(wanted)")
        }
        var headers: [String: String] = [:]
        for field in request.headers { headers[field.name.canonicalName] = field.value }
        headers["host"] = request.head.authority
        guard let path = request.uri.path.removingPercentEncoding else {
            throw Problem(400, "the path is not text")
        }
        guard !path.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            throw Problem(404, "nothing has a character in its name that controls")
        }
        var query: [String: String] = [:]
        for (key, value) in request.uri.queryParameters { query[String(key)] = String(value) }
        if let length = headers["content-length"].flatMap({ Int($0) }), length > PanelService.bodyLimit {
            throw tooLong
        }
        let body = try await withDeadline(patience) {
            var bytes: [UInt8] = []
            for try await part in request.body {
                bytes += part.readableBytesView
                guard bytes.count <= PanelService.bodyLimit else { throw tooLong }
            }
            return bytes
        }
        return PanelRequest(
            method: request.method.rawValue, path: path, query: query, headers: headers, body: body, peer: context.peer)
    }

    private static var tooLong: Problem { Problem(413, "a body has \(PanelService.bodyLimit) bytes at most") }

    /// Runs a function, and gives it up after a time.
    private static func withDeadline<R: Sendable>(
        _ limit: Duration, _ body: @escaping @Sendable () async throws -> R
    ) async throws -> R {
        try await withThrowingTaskGroup(of: R.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(for: limit)
                throw Problem(408, "it took longer than \(limit)")
            }
            defer { group.cancelAll() }
            guard let result = try await group.next() else { throw CancellationError() }
            return result
        }
    }

    private func response(
        _ response: PanelResponse, _ request: Request, _ context: PanelRequestContext
    ) -> Response {
        var fields = HTTPFields()
        for (name, value) in response.headers {
            // A line break would begin another header.
            guard let name = HTTPField.Name(name), HTTPField.isValidValue(value) else { continue }
            fields[name] = value
        }
        let status = HTTPResponse.Status(code: response.status)
        let isHead = request.method == .head
        switch response.body {
        case .bytes(let bytes):
            if isHead { fields[.contentLength] = "\(bytes.count)" }
            return Response(
                status: status, headers: fields, body: isHead ? .init() : .init(byteBuffer: ByteBuffer(bytes: bytes)))
        case .stream(let body):
            guard !isHead else { return Response(status: status, headers: fields, body: .init()) }
            return Response(
                status: status, headers: fields,
                body: ResponseBody { writer in
                    let box = WriterBox(writer)
                    try await connections.run(on: context.channel, endsWithClient: true) {
                        try await body { bytes in
                            try Task.checkCancellation()
                            try await Self.withDeadline(Self.writePatience) { try await box.write(bytes) }
                        }
                    }
                    try await writer.finish(nil)
                })
        }
    }
}

/// Hands a writer over to the task that a deadline runs beside.
///
/// One piece is written at a time: the next one follows when the one before has returned.
private final class WriterBox: @unchecked Sendable {
    private var writer: any ResponseBodyWriter

    init(_ writer: any ResponseBodyWriter) { self.writer = writer }

    func write(_ bytes: [UInt8]) async throws { try await writer.write(ByteBuffer(bytes: bytes)) }
}

/// What is known of the connection that a request came by.
private struct PanelRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    /// The client's address; nil on a unix socket.
    var peer: String? { channel.remoteAddress?.ipAddress }

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }
}
#endif
