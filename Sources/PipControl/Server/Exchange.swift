#if Control
internal import PipRig

/// An HTTP request as endpoints read it, independent of the server's library.
struct PanelRequest: Sendable {
    var method: String
    /// The percent-decoded path, without the query.
    var path: String
    /// The keys of the query as the client sent them, with the percent-decoded values.
    var query: [String: String] = [:]
    /// The headers, keyed by lowercased name.
    var headers: [String: String] = [:]
    var body: [UInt8] = []
    /// The IP address of the client; nil for a client of a Unix socket.
    var peer: String?
    /// The values of the path's variables, keyed by name.
    var variables: [String: String] = [:]
    /// The members of a JSON body, whose keys the service has checked against the endpoint's schema.
    var fields = Fields()

    subscript(variable name: String) -> String { variables[name] ?? "" }

    /// The media type of the body, in lower case and without parameters; nil without the header.
    var contentType: String? {
        headers["content-type"].map {
            $0.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        }
    }
}

/// An HTTP answer, whose body is complete or a stream.
struct PanelResponse: Sendable {
    /// Sends the next bytes of a streamed body.
    ///
    /// Throws when the client has disconnected, or does not accept the bytes in time.
    typealias Writer = @Sendable ([UInt8]) async throws -> Void

    enum Body: Sendable {
        case bytes([UInt8])
        case stream(@Sendable (Writer) async throws -> Void)
    }

    var status: Int
    var headers: [String: String] = [:]
    var body = Body.bytes([])

    static func json(_ value: JSON, status: Int = 200, headers: [String: String] = [:]) -> PanelResponse {
        var headers = headers
        headers["Content-Type"] = "application/json"
        return PanelResponse(status: status, headers: headers, body: .bytes(Array(value.line.utf8)))
    }

    static func text(_ text: String, type: String = "text/plain; charset=utf-8", status: Int = 200) -> PanelResponse {
        PanelResponse(status: status, headers: ["Content-Type": type], body: .bytes(Array(text.utf8)))
    }

    /// An answer with a problem document.
    ///
    /// Source: RFC 9457.
    static func problem(_ problem: Problem) -> PanelResponse {
        let value: JSON = .object([
            "type": "about:blank", "title": problem.title, "status": problem.status, "detail": problem.detail,
        ])
        var headers = problem.headers
        headers["Content-Type"] = "application/problem+json"
        return PanelResponse(status: problem.status, headers: headers, body: .bytes(Array(value.line.utf8)))
    }
}

/// The refusal of a request: an HTTP status, and a sentence for humans.
struct Problem: Error, Sendable, Equatable {
    let status: Int
    let detail: String
    var headers: [String: String] = [:]

    init(_ status: Int, _ detail: String, headers: [String: String] = [:]) {
        self.status = status
        self.detail = detail
        self.headers = headers
    }

    var title: String {
        switch status {
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 416: "Range Not Satisfiable"
        case 417: "Expectation Failed"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 500: "Internal Server Error"
        case 503: "Service Unavailable"
        default: "Error"
        }
    }
}
#endif
