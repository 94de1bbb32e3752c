#if Control
internal import PipRig

/// An endpoint: what it is for, and what answers it.
///
/// The description that clients get is made of the same value, so that both cannot differ.
struct Route: Sendable {
    typealias Handler = @Sendable (PanelRequest) async throws -> PanelResponse

    let method: String
    /// With variables, as in `/api/v1/layers/{id}`.
    let path: String
    let summary: String
    /// True when it is answered without a token.
    var isOpen = false
    /// Names and schemas of the query's keys.
    var query: [(name: String, schema: JSON)] = []
    /// The schema of its body; nil takes none.
    var body: JSON?
    var bodyType = "application/json"
    var status = 200
    var responseType = "application/json"
    /// The schema of its answer.
    var answer = AnswerSchema.anything
    /// False for an answer without an end.
    var ends = true
    let handler: Handler

    /// True when it changes something.
    var changes: Bool { method != "GET" && method != "HEAD" }

    /// The values of the path's variables; nil for another path.
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

    /// - Throws: ``Problem`` with 404, or 405 with the methods that there are.
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
        throw Problem(405, "\(request.method) is not for \(request.path), but \(list)", headers: ["Allow": list])
    }
}
#endif
