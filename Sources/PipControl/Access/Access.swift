#if Control
internal import PipConcurrency
internal import PipFrames
internal import Synchronization

/// Decides which clients may use the panel, by the `Host` header, the page's origin, and a token.
///
/// Source: RFC 6454 for origins; OWASP, "Cross-Site Request Forgery Prevention" and "DNS rebinding".
final class Access: Sendable {
    private static let limit = 5
    private static let lock = Duration.seconds(60)
    private static let cookie = "pip_session"
    /// The limit of remembered sessions, and the limit of remembered addresses with failed attempts.
    private static let capacity = 256

    private struct Failures {
        var count = 0
        var lockedUntil: ContinuousClock.Instant?
    }

    private struct State {
        var failures: [String: Failures] = [:]
        /// The identifiers of the signed-in sessions, the latest last.
        var sessions: [String] = []
    }

    private let options: PanelOptions
    private let hostName: String
    private let state = Mutex(State())
    private let now: @Sendable () -> ContinuousClock.Instant

    /// Creates the access control of a panel.
    ///
    /// - Parameters:
    ///   - options: The panel's options.
    ///   - hostName: The machine's host name, which clients may use in the `Host` header.
    ///   - now: Returns the current time; tests replace it.
    init(
        _ options: PanelOptions, hostName: String,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        self.options = options
        self.hostName = hostName.lowercased()
        self.now = now
    }

    /// Checks the `Host` header and, for a request that changes something, the origin of the page.
    ///
    /// - Throws: ``Problem`` with 400 for a request without a host, or with 403 for a foreign host or origin.
    func checkOrigin(_ request: PanelRequest, changes: Bool) throws(Problem) {
        guard let host = request.headers["host"], !host.isEmpty else { throw Problem(400, "a Host header is missing") }
        guard isOurs(Self.name(of: host)) else {
            throw Problem(403, "\(Self.name(of: host)) is not a name of this panel: add the name with --panel-host")
        }
        guard changes else { return }
        if let origin = request.headers["origin"] {
            guard isAllowed(origin, host) else {
                throw Problem(403, "pages of \(origin) may not make changes: allow the origin with --panel-origin")
            }
        } else if request.headers["sec-fetch-site"].map({ $0 != "same-origin" && $0 != "none" }) == true {
            throw Problem(403, "pages of other sites may not make changes: allow an origin with --panel-origin")
        }
    }

    /// The CORS headers that let a page of an allowed other origin read the answer; empty for other pages.
    func sharing(_ request: PanelRequest) -> [String: String] {
        guard let origin = request.headers["origin"], options.origins.contains(origin) else { return [:] }
        return [
            "Access-Control-Allow-Origin": origin, "Vary": "Origin", "Access-Control-Expose-Headers": "Location, ETag",
            "Access-Control-Allow-Headers": "Authorization, Content-Type, If-Match",
            "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE",
        ]
    }

    private func isOurs(_ name: String) -> Bool {
        if case .unix = options.address { return true }
        if options.hosts.contains(where: { $0.lowercased() == name }) || Authority.isLoopback(name) { return true }
        guard case .host(let address, _) = options.address, !options.address.isLocal else { return false }
        // DNS rebinding needs a name: a literal address cannot be redirected.
        return Authority.isAddress(name) || name == address.lowercased() || name == hostName
            || name == "\(hostName).local"
    }

    private func isAllowed(_ origin: String, _ host: String) -> Bool {
        if options.origins.contains(origin) { return true }
        guard let mark = origin.firstRange(of: "://") else { return false }
        return origin[mark.upperBound...].lowercased() == host.lowercased()
    }

    /// The host name in a `Host` header, in lower case and without the port.
    static func name(of host: String) -> String {
        let host = host.lowercased()
        if host.hasPrefix("[") { return String(host.dropFirst().prefix { $0 != "]" }) }
        return String(host.prefix { $0 != ":" })
    }

    // MARK: Tokens

    /// Checks the token or the session cookie of a request, if the panel has a token.
    ///
    /// - Throws: ``Problem`` with 401 for a wrong or missing token, or with 429 while the client's address is locked.
    func checkToken(_ request: PanelRequest) throws(Problem) {
        guard let token = options.token else { return }
        let peer = request.peer ?? "unix"
        try checkLock(peer)
        if let header = request.headers["authorization"] {
            guard header.hasPrefix("Bearer "), ConstantTime.isEqual(String(header.dropFirst("Bearer ".count)), token)
            else {
                throw failed(peer)
            }
            return succeeded(peer)
        }
        if let session = Self.session(in: request), isKnown(session) { return }
        throw Problem(
            401, "token needed: sign in, or send Authorization: Bearer TOKEN", headers: ["WWW-Authenticate": "Bearer"])
    }

    /// Starts a session for a client that presents the token.
    ///
    /// - Returns: The `Set-Cookie` header for the answer, which deletes the cookie if the panel has no token.
    /// - Throws: ``Problem`` with 401 for a wrong token, or with 429 while the client's address is locked.
    func login(_ shown: String, _ request: PanelRequest) throws(Problem) -> String {
        let peer = request.peer ?? "unix"
        try checkLock(peer)
        guard let token = options.token else { return "\(Self.cookie)=; Max-Age=0; Path=/" }
        guard ConstantTime.isEqual(shown, token) else { throw failed(peer) }
        succeeded(peer)
        var random = SystemRandomNumberGenerator()
        let session = (0..<4).map { _ in Self.hexadecimal(random.next()) }.joined()
        state.withLock { state in
            state.sessions.append(session)
            if state.sessions.count > Self.capacity { state.sessions.removeFirst() }
        }
        return "\(Self.cookie)=\(session); HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000"
    }

    /// Ends the session whose cookie a request has.
    ///
    /// - Returns: The `Set-Cookie` header that deletes the cookie.
    func logout(_ request: PanelRequest) -> String {
        if let session = Self.session(in: request) { state.withLock { $0.sessions.removeAll { $0 == session } } }
        return "\(Self.cookie)=; Max-Age=0; Path=/"
    }

    private func checkLock(_ peer: String) throws(Problem) {
        let left = state.withLock { state -> Duration? in
            guard let until = state.failures[peer]?.lockedUntil else { return nil }
            if until > now() { return now().duration(to: until) }
            state.failures[peer] = nil
            return nil
        }
        guard let left else { return }
        let seconds = max(1, Int(left.components.seconds) + 1)
        throw Problem(
            429, "too many wrong tokens came from this address: try again in \(seconds) s",
            headers: ["Retry-After": "\(seconds)"])
    }

    private func failed(_ peer: String) -> Problem {
        state.withLock { state in
            if state.failures.count >= Self.capacity, state.failures[peer] == nil { state.failures.removeAll() }
            var failures = state.failures[peer] ?? Failures()
            failures.count += 1
            if failures.count >= Self.limit { failures.lockedUntil = now().advanced(by: Self.lock) }
            state.failures[peer] = failures
        }
        return Problem(401, "the token is wrong", headers: ["WWW-Authenticate": "Bearer"])
    }

    private func succeeded(_ peer: String) { state.withLock { $0.failures[peer] = nil } }

    private func isKnown(_ session: String) -> Bool {
        state.withLock { state in state.sessions.contains { ConstantTime.isEqual($0, session) } }
    }

    private static func session(in request: PanelRequest) -> String? {
        let pairs = (request.headers["cookie"] ?? "").split(separator: ";")
        return pairs.map { $0.drop { $0 == " " } }.first { $0.hasPrefix("\(cookie)=") }.map {
            String($0.dropFirst(cookie.count + 1))
        }
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
#endif
