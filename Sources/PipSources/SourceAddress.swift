internal import PipFrames

/// The address of a stream, and a form without secrets for messages.
package struct SourceAddress: Sendable, Equatable {
    /// The timing of a stream's frames.
    package enum Pace: Sendable, Equatable {
        /// Frames without sound are shown on arrival, because the server sends each frame when it is due.
        case asTheyCome
        /// Frames are shown by their timestamps, because they arrive in segments, or before they are due.
        case byTheirTimes
    }

    /// The supported protocols with the timing of their frames.
    package static let protocols: [(scheme: String, pace: Pace)] = [
        ("rtsp", .asTheyCome), ("rtsps", .asTheyCome), ("rtspt", .asTheyCome), ("rtspu", .asTheyCome),
        ("srt", .asTheyCome), ("udp", .asTheyCome), ("rtp", .asTheyCome), ("rtmp", .asTheyCome),
        ("rtmps", .asTheyCome), ("http", .byTheirTimes), ("https", .byTheirTimes),
    ]

    /// The default TCP ports of the protocols over TCP, keyed by scheme.
    private static let ports = [
        "rtsp": 554, "rtspt": 554, "rtspu": 554, "rtsps": 322, "rtmp": 1935, "rtmps": 443, "http": 80, "https": 443,
    ]

    /// The original address, including secrets.
    package let text: String
    /// The address without user, key and query: `rtsp://…@camera/live?…`.
    ///
    /// Only the scheme is left when the text in the place of the port may be a password.
    package let shown: String
    package let pace: Pace
    /// The host and the TCP port of the server; nil for protocols over UDP, and for an invalid address.
    package let server: (host: String, port: Int)?
    /// The reason why the address is invalid, as a sentence without its full stop; nil for a valid address.
    package let mistake: String?
    /// The address's secret parts with their replacements in messages, the longest part first.
    private let secrets: [(secret: String, shown: String)]

    /// Parses an address; returns nil when the text is not an address of a supported protocol.
    package init?(_ text: String) {
        guard let parts = AddressParts(text), !text.utf8.contains(0),
            let found = Self.protocols.first(where: { $0.scheme == parts.scheme })
        else { return nil }
        self.text = text
        shown = parts.shown
        pace = found.pace
        mistake = parts.mistake
        server = (parts.port ?? Self.ports[parts.scheme]).flatMap { port in
            Self.ports[parts.scheme] != nil && parts.mistake == nil ? (parts.host, port) : nil
        }
        // Secrets of less than four bytes would match parts of words.
        secrets = ([(text, parts.shown)] + parts.secrets).filter { $0.0.utf8.count >= 4 }
            .sorted { $0.0.utf8.count > $1.0.utf8.count }
            .flatMap { secret, shown in
                let plain = secret.lenientlyPercentDecoded
                return plain == secret ? [(secret, shown)] : [(secret, shown), (plain, shown)]
            }
    }

    package static func == (left: SourceAddress, right: SourceAddress) -> Bool { left.text == right.text }

    /// The scheme in lower case.
    package var scheme: String { String(text.prefix { $0 != ":" }).lowercased() }

    /// The mistake of an address without a host, with its remedy, as a sentence without its full stop.
    package static func missingHost(_ scheme: String, port: Substring? = nil) -> String {
        let remedy =
            switch scheme {
            case "udp": "write udp://0.0.0.0:\(port ?? "5000") to receive on all interfaces"
            case "srt": "write one after srt://, or set mode=listener to wait for a sender"
            default: "write one after \(scheme)://"
            }
        return "it has no host: \(remedy)"
    }

    /// The message without the secrets of this address and of other addresses in the message.
    package func masked(_ message: String) -> String {
        Self.hiding(
            in: secrets.reduce(message) { text, secret in
                text.split(separator: secret.secret, omittingEmptySubsequences: false).joined(separator: secret.shown)
            })
    }

    /// The text without the users, keys and queries of all addresses in it, of any protocol.
    package static func hiding(in text: String) -> String {
        var result = ""
        var rest = text[...]
        while let mark = rest.firstRange(of: "://") {
            let start =
                rest[..<mark.lowerBound].lastIndex { !AddressParts.isOfScheme($0) }
                .map { rest.index(after: $0) } ?? rest.startIndex
            let end = rest[mark.upperBound...].firstIndex { $0.isWhitespace || "\"'<>|".contains($0) } ?? rest.endIndex
            result += rest[..<start]
            result += AddressParts(String(rest[start..<end]))?.shown ?? String(rest[start..<end])
            rest = rest[end...]
        }
        return result + rest
    }
}

/// The parts of an address of any protocol.
private struct AddressParts {
    let scheme: String
    let shown: String
    let mistake: String?
    /// The host, without the brackets of IPv6.
    let host: String
    /// The port in the address; nil when the address has no valid port.
    let port: Int?
    /// The secret parts with their replacements.
    let secrets: [(String, String)]

    /// Parses an address; returns nil unless the text has a scheme, `://` and at least one character after `://`.
    init?(_ text: String) {
        guard let mark = text.firstRange(of: "://"), mark.lowerBound > text.startIndex,
            text[..<mark.lowerBound].allSatisfy(Self.isOfScheme)
        else { return nil }
        scheme = text[..<mark.lowerBound].lowercased()
        let rest = text[mark.upperBound...]
        guard !rest.isEmpty else { return nil }
        let hostEnd = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let authority = Authority(rest[..<hostEnd])
        let user = authority.userinfo
        let tail = user.map { rest[$0.endIndex...].dropFirst() } ?? rest
        let question = tail.firstIndex { "?#".contains($0) }
        var place = tail[..<(question ?? tail.endIndex)]
        let query = question.map { String(tail[$0...]) }

        var secrets = Self.secrets(of: authority, query: query)
        let (problem, hasForeignPort) = Self.problem(of: authority, scheme, query ?? "")
        (host, port) = (authority.host, authority.portNumber())
        // In an RTMP address with an application and a stream key, the key is the last component and secret.
        var end = ""
        if scheme.hasPrefix("rtmp"), let slash = place.drop(while: { $0 != "/" }).dropFirst().lastIndex(of: "/") {
            let key = place[place.index(after: slash)...]
            if !key.isEmpty {
                secrets.append((String(key), "…"))
                place = place[...slash]
                end = "…"
            }
        }
        // When the host is missing, or a password contains a slash, the password may be in the place of the port.
        if hasForeignPort {
            secrets.append((String(rest), "…"))
            shown = text[..<mark.upperBound] + "…"
        } else {
            shown = text[..<mark.upperBound] + (user == nil ? "" : "…@") + place + end + (query == nil ? "" : "?…")
        }
        mistake = problem
        self.secrets = secrets
    }

    /// The secrets in the part before `@` and in the part from `?` or `#` on, with their replacements.
    private static func secrets(of authority: Authority, query: String?) -> [(String, String)] {
        var secrets = [authority.userinfo.map { ("\($0)@", "…@") }, authority.password.map { (String($0), "…") }]
            .compactMap(\.self)
        if let query {
            secrets.append((query, "?…"))
            secrets += query.dropFirst().split(separator: "&").compactMap { pair in
                pair.split(separator: "=", maxSplits: 1).dropFirst().first.map { (String($0), "…") }
            }
        }
        return secrets
    }

    /// The fault of a host and port, nil for none, and whether the text in the place of the port may be a password.
    private static func problem(
        of authority: Authority, _ scheme: String, _ query: String
    ) -> (mistake: String?, hasForeignPort: Bool) {
        let port = authority.port
        if let port, authority.portNumber() == nil {
            return ("its port must be a number from 1 to 65535", !["", "0"].contains(port))
        }
        let isListening = scheme == "srt" && query.dropFirst().split(separator: "&").contains("mode=listener")
        if authority.host.isEmpty, !isListening { return (SourceAddress.missingHost(scheme, port: port), false) }
        if port == nil, ["srt", "udp", "rtp"].contains(scheme) {
            return ("it has no port: write \(scheme)://host:port", false)
        }
        return (nil, false)
    }

    static func isOfScheme(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "+-.".contains(character))
    }
}
