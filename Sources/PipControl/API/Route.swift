#if Control
internal import PipRig

/// An endpoint of the API: its method and path, its description and its handler.
///
/// The same value serves the OpenAPI description and the dispatch of requests, so the two cannot differ.
struct Route: Sendable {
    typealias Handler = @Sendable (PanelRequest) async throws -> PanelResponse

    let method: String
    /// The path, in which a segment such as `{id}` is a variable.
    let path: String
    let summary: String
    /// True when the endpoint needs no token.
    var isOpen = false
    /// The keys that the query may have, with the schemas of their values.
    var query: [(name: String, schema: JSON)] = []
    /// The schema of the request's body; nil for an endpoint that takes no body.
    var body: JSON?
    var bodyType = "application/json"
    var status = 200
    /// Further statuses that answers may have: `206` for a range of a file, `500` for a failure of the disk.
    var further: [String] = []
    var responseType = "application/json"
    /// The schema of the answer's body.
    var answer = AnswerSchema.anything
    /// False for an answer that the server streams until the client disconnects.
    var ends = true
    let handler: Handler

    /// True when a request may change the composition, judged by its method.
    var changes: Bool { method != "GET" && method != "HEAD" }

    /// The values of the path's variables; nil when the path does not match.
    func match(_ segments: [Substring]) -> [String: String]? {
        let own = path.split(separator: "/", omittingEmptySubsequences: true)
        guard own.count == segments.count else { return nil }
        var variables: [String: String] = [:]
        for (pattern, segment) in zip(own, segments) {
            if pattern.hasPrefix("{") {
                variables[String(pattern.dropFirst().dropLast())] = String(segment)
            } else if pattern != segment {
                return nil
            }
        }
        return variables
    }
}

/// Finds the endpoint of a request.
struct Router: Sendable {
    let routes: [Route]

    /// Returns the endpoint of a request, and the values of the path's variables.
    ///
    /// - Throws: ``Problem`` with 404 for an unknown path, or with 405 and the valid methods.
    func route(_ request: PanelRequest) throws(Problem) -> (route: Route, variables: [String: String]) {
        let segments = request.path.split(separator: "/", omittingEmptySubsequences: true)
        let method = request.method == "HEAD" ? "GET" : request.method
        var allowed: [String] = []
        for route in routes {
            guard let variables = route.match(segments) else { continue }
            if route.method == method { return (route, variables) }
            allowed.append(route.method)
        }
        guard !allowed.isEmpty else { throw Problem(404, "there is nothing at \(request.path)") }
        if allowed.contains("GET") { allowed.append("HEAD") }
        let list = allowed.sorted().joined(separator: ", ")
        throw Problem(405, "\(request.path) does not support \(request.method), only \(list)", headers: ["Allow": list])
    }
}
#endif
