#if Media
internal import PipConcurrency

/// Responds to the HTTP requests of players that speak WHEP.
///
/// Use an endpoint behind the app's own HTTP server, which passes requests to the endpoint.
///
/// ```swift
/// let endpoint = WHEPEndpoint(broadcast, path: "/whep")
/// let response = await endpoint.respond(
///     to: WHEPEndpoint.Request(
///         method: "POST", path: "/whep", headers: ["Content-Type": "application/sdp"], body: offer))
/// ```
///
/// A player POSTs its offer, of the type `application/sdp`, and receives the broadcast's answer, and the viewer's own
/// address in `Location`. A DELETE request to that address removes the viewer. A player that POSTs no offer receives
/// the broadcast's offer, which the player answers by PATCH.
///
/// The endpoint does not exchange addresses one by one (trickle ICE): the broadcast's description contains all
/// addresses of this machine, and GStreamer learns the player's addresses from the player's packets.
///
/// Source: draft-ietf-wish-whep. RFC 9725 (WHIP) for the parts that both share.
public struct WHEPEndpoint: Sendable {
    /// An HTTP request from a player.
    public struct Request: Sendable {
        /// The method: `POST`, `PATCH`, `DELETE` or `OPTIONS`.
        public var method: String
        /// The path without the query.
        public var path: String
        /// The headers, keyed by name in any case.
        public var headers: [String: String]
        /// The body: the player's session description (SDP), or empty.
        public var body: String

        /// Creates a request.
        ///
        /// - Parameters:
        ///   - method: The method: `POST`, `PATCH`, `DELETE` or `OPTIONS`.
        ///   - path: The path without the query.
        ///   - headers: The headers, keyed by name in any case.
        ///   - body: The body: the player's session description (SDP), or empty.
        public init(method: String, path: String, headers: [String: String] = [:], body: String = "") {
            self.method = method
            self.path = path
            self.headers = headers
            self.body = body
        }

        fileprivate func header(_ name: String) -> String? {
            headers.first { $0.key.lowercased() == name }?.value
        }
    }

    /// The HTTP response to a request, which the app's server must send to the player.
    public struct Response: Sendable, Equatable {
        /// The HTTP status code.
        public var status: Int
        /// The headers, keyed by name.
        public var headers: [String: String]
        /// The body: the broadcast's session description (SDP), the reason of a refusal, or empty.
        public var body: String

        /// Creates a response.
        ///
        /// - Parameters:
        ///   - status: The HTTP status code.
        ///   - headers: The headers, keyed by name.
        ///   - body: The body: the broadcast's session description (SDP), the reason of a refusal, or empty.
        public init(status: Int, headers: [String: String] = [:], body: String = "") {
            self.status = status
            self.headers = headers
            self.body = body
        }
    }

    private let broadcast: WebRTCBroadcast
    private let path: String
    private let token: String?

    /// Creates an endpoint.
    ///
    /// - Parameters:
    ///   - broadcast: The broadcast that viewers join.
    ///   - path: The path for offers, below which each viewer has a path of its own.
    ///   - token: The token that players must send as `Authorization: Bearer …`. Nil admits every player.
    public init(_ broadcast: WebRTCBroadcast, path: String = "/whep", token: String? = nil) {
        self.broadcast = broadcast
        self.path = path
        self.token = token
    }

    /// Responds to a request.
    ///
    /// - Parameter request: The request, which is not trusted.
    /// - Returns: The response, with the status 404 for a path that does not belong to the endpoint.
    public func respond(to request: Request) async -> Response {
        var response = await answer(request)
        // Admit players on pages of other sites: the token decides who may watch.
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Access-Control-Expose-Headers"] = "Location"
        return response
    }

    private func answer(_ request: Request) async -> Response {
        let viewer = viewer(in: request.path)
        guard request.path == path || viewer != nil else { return problem(404, "there is nothing at this address") }
        if request.method == "OPTIONS" {
            return Response(
                status: 204,
                headers: [
                    "Access-Control-Allow-Methods": "POST, PATCH, DELETE, OPTIONS",
                    "Access-Control-Allow-Headers": "Authorization, Content-Type", "Accept-Post": "application/sdp",
                ])
        }
        if let token, !ConstantTime.isEqual(request.header("authorization") ?? "", "Bearer \(token)") {
            var response = problem(401, "this address needs the header Authorization: Bearer with the right token")
            response.headers["WWW-Authenticate"] = "Bearer"
            return response
        }
        do throws(WebRTCError) {
            switch (request.method, viewer) {
            case ("POST", nil): return try await admit(request)
            case ("PATCH", let viewer?): return try await accept(request, from: viewer)
            case ("DELETE", let viewer?):
                try broadcast.remove(viewer)
                return Response(status: 200)
            default:
                var response = problem(405, "this address does not accept \(request.method)")
                response.headers["Allow"] = viewer == nil ? "POST, OPTIONS" : "PATCH, DELETE, OPTIONS"
                return response
            }
        } catch { return problem(Self.status(of: error.kind), error.reason) }
    }

    private func admit(_ request: Request) async throws(WebRTCError) -> Response {
        let viewer: WebRTCBroadcast.Negotiation
        if request.body.isEmpty {
            viewer = try await broadcast.offer()
        } else {
            guard isDescription(request) else { return problem(415, "the type of an offer must be application/sdp") }
            viewer = try await broadcast.answer(request.body)
        }
        return Response(
            status: 201, headers: ["Content-Type": "application/sdp", "Location": "\(path)/\(viewer.id)"],
            body: viewer.description)
    }

    private func accept(_ request: Request, from viewer: String) async throws(WebRTCError) -> Response {
        // ICE candidates come with the type application/trickle-ice-sdpfrag.
        guard isDescription(request) else {
            return problem(405, "this address accepts an answer of the type application/sdp, not ICE candidates")
        }
        try await broadcast.accept(request.body, from: viewer)
        return Response(status: 204)
    }

    /// The identifier of the viewer in a path; nil for any other path.
    private func viewer(in path: String) -> String? {
        guard path.hasPrefix(self.path + "/") else { return nil }
        let name = path.dropFirst(self.path.count + 1)
        return name.isEmpty || name.contains("/") ? nil : String(name)
    }

    private func isDescription(_ request: Request) -> Bool {
        request.header("content-type")?.lowercased().hasPrefix("application/sdp") == true
    }

    private func problem(_ status: Int, _ reason: String) -> Response {
        Response(status: status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: reason + "\n")
    }

    private static func status(of kind: WebRTCError.Kind) -> Int {
        switch kind {
        case .notRunning, .full: 503
        case .invalidDescription: 400
        case .unsupported: 406
        case .unknownViewer: 404
        case .failed: 500
        }
    }
}
#endif
