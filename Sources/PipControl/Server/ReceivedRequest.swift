#if Control
internal import NIOHTTP1
internal import PipFrames

/// A request as a connection delivered it, or the reason to refuse it.
struct ReceivedRequest: Sendable {
    var request = PanelRequest(method: "GET", path: "/")
    /// The reason to refuse the request; nil for a valid request.
    var problem: Problem?
    /// True when the server closes the connection after the answer.
    var isLast = true
    /// The client's HTTP version, which the answer uses, too.
    var version = HTTPVersion.http1_1

    /// Fills in the request from its head.
    ///
    /// - Throws: ``Problem`` for a request that the server refuses before reading its body.
    ///
    /// Source: RFC 9112, 3.2 "Request Target"; RFC 9110, 10.1.1 "Expect".
    mutating func read(_ head: HTTPRequestHead, from peer: String?) throws(Problem) {
        request.peer = peer
        request.method = head.method.rawValue
        version = head.version
        isLast = !head.isKeepAlive || head.version != .http1_1
        for (name, value) in head.headers { request.headers[name.lowercased()] = value }
        request.headers["host"] = head.headers.first(name: "host")
        if let wanted = request.headers["expect"], wanted.lowercased() != "100-continue" {
            throw Problem(417, "Expect: \(wanted) is not supported")
        }
        if let length = request.headers["content-length"].flatMap({ Int($0) }), length > PanelService.bodyLimit {
            throw .tooLong
        }
        var target = head.uri.unicodeScalars[...]
        // A request in absolute form, as for a proxy, names the server before the path.
        if target.first != "/", let mark = head.uri.firstRange(of: "://") {
            target = target[mark.upperBound...].drop { $0 != "/" && $0 != "?" }
        }
        let (encoded, query) = Self.split(target, at: "?")
        guard let path = encoded.isEmpty ? "/" : encoded.percentDecoded else {
            throw Problem(400, "the path is not percent-encoded UTF-8")
        }
        guard !path.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            throw Problem(404, "the path must not contain control characters")
        }
        request.path = path
        for pair in query.unicodeScalars.prefix(while: { $0 != "#" }).split(separator: "&") {
            let (key, value) = Self.split(pair, at: "=")
            request.query[key] = value.percentDecoded ?? value
        }
    }

    private static func split(_ text: Substring.UnicodeScalarView, at mark: Unicode.Scalar) -> (String, String) {
        let before = text.prefix { $0 != mark }
        return (String(before), String(text[before.endIndex...].dropFirst()))
    }
}

extension Problem {
    /// The answer to a body that exceeds ``PanelService/bodyLimit``.
    static var tooLong: Problem { Problem(413, "a body may have \(PanelService.bodyLimit) bytes at most") }
}
#endif
