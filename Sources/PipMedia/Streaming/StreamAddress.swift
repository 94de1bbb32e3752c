#if Media
internal import PipFrames
public import PipSinks

/// The address of a stream: `rtmp://host/app/key`, `srt://host:port`, `rtsp://…`, `udp://…`, `rtp://…`.
///
/// Pass an address to ``LiveStream``. The text can hold passwords and keys, which ``description`` hides.
public struct StreamAddress: Sendable, Hashable, CustomStringConvertible {
    /// The transports of streams, named like the schemes of addresses.
    public enum Transport: String, Sendable, CaseIterable {
        case rtmp, rtmps, srt, rtsp, rtsps, udp, rtp
    }

    /// The transport, from the address's scheme.
    public let transport: Transport
    /// The host name or IP address of the server, or of the group of receivers; may be empty for a stream that waits
    /// for callers.
    public let host: String
    /// The port; the transport's default port if the address names none.
    public let port: Int
    let user: String?
    let password: String?
    /// The path after the host, including its leading slash.
    let path: String
    /// The options after the question mark, in the address's order.
    let query: [(key: String, value: String)]

    /// Parses an address.
    ///
    /// - Parameter text: The address.
    /// - Throws: ``/PipCompose/SinkError``, whose text states the mistake and hides the secrets.
    public init(_ text: String) throws(SinkError) {
        func mistake(_ reason: String) -> SinkError {
            SinkError(text.isEmpty ? "an empty address" : Self.masked(text), "open", .invalidOptions, reason)
        }
        guard let colon = text.range(of: "://"),
            let transport = Transport(rawValue: text[..<colon.lowerBound].lowercased())
        else {
            let names = Transport.allCases.map { "\($0.rawValue)://" }.joined(separator: ", ")
            throw mistake("it is not the address of a stream, which begins with \(names)")
        }
        self.transport = transport
        let rest = text[colon.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let authority = Authority(rest[..<end])
        user = authority.user.map { String($0).lenientlyPercentDecoded }
        password = authority.password.map { String($0).lenientlyPercentDecoded }
        host = authority.host
        if authority.port != nil {
            guard let number = authority.portNumber() else {
                throw mistake("its port must be a number from 1 to 65535")
            }
            port = number
        } else {
            guard let usual = transport.usualPort else {
                throw mistake("it has no port: write \(transport.rawValue)://host:port")
            }
            port = usual
        }
        let tail = rest[end...]
        let mark = tail.firstIndex(of: "?") ?? tail.endIndex
        path = String(tail[..<mark])
        query = tail[mark...].dropFirst().split(separator: "&").map { pair in
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(halves[0]), halves.count == 2 ? String(halves[1]).lenientlyPercentDecoded : "")
        }
        if let missing { throw mistake(missing) }
    }

    /// The reason why the address's parts do not suit its transport, as a sentence without its full stop; nil for an
    /// address whose parts suit its transport.
    private var missing: String? {
        if host.isEmpty, !(transport == .srt && self["mode"] == "listener") {
            return "it has no host: name one after \(transport.rawValue)://"
                + (transport == .srt ? ", or wait for callers with ?mode=listener" : "")
        }
        if self["sdp"] != nil, transport != .rtp { return "sdp= is for rtp:// streams only" }
        if self["sdp"] == "" { return "sdp= needs the name of the file that describes the stream" }
        if transport == .rtmp || transport == .rtmps, path.split(separator: "/").count < 2 {
            return "it has no key: write \(transport.rawValue)://host/app/key"
        }
        return nil
    }

    /// The value of an option in the address; nil when the address does not have the option.
    subscript(key: String) -> String? { query.first { $0.key == key }?.value }

    /// The secrets in the address, for masking messages: the password, the user name, the stream key and the values of
    /// most options, each of at least 3 characters.
    var secrets: [String] {
        var secrets = [password, user].compactMap { $0 }
        secrets += query.filter { !["mode", "latency", "pkt_size", "ttl", "sdp"].contains($0.key) }.map(\.value)
        if transport == .rtmp || transport == .rtmps { secrets += key.map { [$0] } ?? [] }
        return secrets.filter { $0.count > 2 }
    }

    /// The last part of the path: the stream key, by which an RTMP server identifies its publishers.
    private var key: String? { path.split(separator: "/").last.map(String.init) }

    /// The address without secrets, such as `rtmp://live.example.org/app/…`.
    public var description: String {
        let address = "\(transport.rawValue)://" + Authority.text(host, port == transport.usualPort ? nil : port)
        switch transport {
        case .rtmp, .rtmps:
            let parts = path.split(separator: "/")
            return address + "/" + parts.dropLast().joined(separator: "/") + "/…"
        case .rtsp, .rtsps: return address + path
        case .srt, .udp, .rtp: return address
        }
    }

    /// The address for GStreamer, without the user, the password and the options.
    var location: String {
        "\(transport.rawValue)://\(Authority.text(host, port))\(path)"
    }

    /// Returns the scheme, host and port of a text that may be no valid address, without secrets; a text without `://`
    /// as it is.
    private static func masked(_ text: String) -> String {
        guard let colon = text.range(of: "://") else { return text }
        let rest = text[colon.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let parts = Authority(authority)
        let server = parts.userinfo.map { authority[$0.endIndex...].dropFirst() } ?? authority
        // In the place of a port may be the password of an address without a host: `rtsp://user:secret`.
        let isPort = ["", nil].contains(parts.port) || parts.portNumber(from: 0) != nil
        return text[..<colon.upperBound] + (isPort ? server : "…") + (authority.count < rest.count ? "/…" : "")
    }

    public static func == (left: StreamAddress, right: StreamAddress) -> Bool {
        left.transport == right.transport && left.host == right.host && left.port == right.port
            && left.user == right.user && left.password == right.password && left.path == right.path
            && left.query.elementsEqual(right.query) { $0 == $1 }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(transport)
        hasher.combine(host)
        hasher.combine(port)
        hasher.combine(path)
    }
}

extension StreamAddress.Transport {
    var usualPort: Int? {
        switch self {
        case .rtmp: 1935
        case .rtmps: 443
        case .rtsp: 554
        case .rtsps: 322
        case .srt, .udp, .rtp: nil
        }
    }
}

extension String {
    /// Returns the text with every secret replaced by `…`.
    func hiding(_ secrets: [String]) -> String {
        secrets.reduce(self) { text, secret in
            text.split(separator: secret, omittingEmptySubsequences: false).joined(separator: "…")
        }
    }

    fileprivate func range(of other: String) -> Range<Index>? { firstRange(of: other) }
}
#endif
