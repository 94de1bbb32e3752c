/// The address of a stream, as it may be shown: without passwords.
package struct SourceAddress: Sendable, Equatable {
    /// How frames are shown in time.
    package enum Pace: Sendable, Equatable {
        /// As they come: the server sends each when it is due.
        case asTheyCome
        /// By their times: they come in pieces of some seconds, or faster than they are due.
        case byTheirTimes
    }

    /// The protocols that are known, with what they are.
    package static let protocols: [(scheme: String, pace: Pace)] = [
        ("rtsp", .asTheyCome), ("rtsps", .asTheyCome), ("rtspt", .asTheyCome), ("rtspu", .asTheyCome),
        ("srt", .asTheyCome), ("udp", .asTheyCome), ("rtp", .asTheyCome), ("rtmp", .asTheyCome),
        ("rtmps", .asTheyCome), ("http", .byTheirTimes), ("https", .byTheirTimes),
    ]

    /// The address as it was given, passwords included.
    package let text: String
    /// The address with user and query left out: `rtsp://…@camera/live?…`.
    package let shown: String
    package let pace: Pace
    /// The parts that are never to be shown, the longest first.
    private let secrets: [(secret: String, shown: String)]

    /// - Parameter text: The address; nil comes of what is none of a known protocol.
    package init?(_ text: String) {
        guard let mark = text.firstRange(of: "://"), !text.utf8.contains(0),
            let found = Self.protocols.first(where: { $0.scheme == text[..<mark.lowerBound].lowercased() })
        else { return nil }
        let rest = text[mark.upperBound...]
        guard !rest.isEmpty else { return nil }
        let hostEnd = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let user = rest[..<hostEnd].lastIndex(of: "@")
        let tail = rest[(user.map { rest.index(after: $0) } ?? rest.startIndex)...]
        let question = tail.firstIndex { "?#".contains($0) }
        let scheme = text[..<mark.upperBound]
        let place = String(tail[..<(question ?? tail.endIndex)])
        shown = scheme + (user == nil ? "" : "…@") + place + (question == nil ? "" : "?…")
        var secrets = [(text, shown)]
        if let user {
            let info = String(rest[..<user])
            secrets.append((info + "@", "…@"))
            if let colon = info.firstIndex(of: ":") { secrets.append((String(info[info.index(after: colon)...]), "…")) }
        }
        if let question {
            let query = String(tail[question...])
            secrets.append((query, "?…"))
            secrets += query.dropFirst().split(separator: "&").compactMap { pair in
                pair.split(separator: "=", maxSplits: 1).dropFirst().first.map { (String($0), "…") }
            }
        }
        // Shorter ones would be found in words.
        self.secrets = secrets.filter { $0.0.utf8.count >= 4 }.sorted { $0.0.utf8.count > $1.0.utf8.count }
            .flatMap { secret, shown in
                let plain = Self.decoded(secret)
                return plain == secret ? [(secret, shown)] : [(secret, shown), (plain, shown)]
            }
        self.text = text
        pace = found.pace
    }

    package static func == (left: SourceAddress, right: SourceAddress) -> Bool { left.text == right.text }

    /// The scheme in small letters.
    package var scheme: String { String(text.prefix { $0 != ":" }).lowercased() }

    /// A message without what is secret in the address.
    package func masked(_ message: String) -> String {
        secrets.reduce(message) { text, secret in
            text.split(separator: secret.secret, omittingEmptySubsequences: false).joined(separator: secret.shown)
        }
    }

    /// A text with `%41` written as `A`.
    private static func decoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
