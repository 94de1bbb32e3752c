internal import FoundationEssentials
internal import PipCompose
internal import PipFrames

/// `--mqtt mqtt://USER:${PASSWORD}@HOST?name=car`: the MQTT broker that the composition reports to.
///
/// ```
/// mqtt://host                           a broker at port 1883
/// mqtts://user:${PASSWORD}@host:8884    a broker by TLS, at port 8883 unless another one is given
/// ```
///
/// The options are `name`, with which all topics begin; `ca`, a file with the authorities of the broker's certificate;
/// `discovery=off`, so that Home Assistant finds no device; and `thumbnail`, the time between two pictures.
package struct BrokerArgument: Sendable, Hashable {
    /// The form in which Home Assistant finds the composition by itself.
    private enum Discovery: String, CaseIterable {
        case homeAssistant = "homeassistant"
        case off
    }

    static let options = ["name", "ca", "discovery", "thumbnail"]
    /// The shortest and the longest time between two thumbnails.
    private static let thumbnailIntervals = Duration.seconds(1)...Duration.seconds(600)
    private static let usage = "write mqtt://HOST, or mqtts://USER:${PASSWORD}@HOST:8883 for TLS"

    package let host: String
    package let port: Int
    /// True for a connection by TLS.
    package let isSecure: Bool
    /// The user; nil for a broker without users.
    package let user: String?
    package let password: String?
    /// The file of the authorities that vouch for the broker; nil takes the system's authorities.
    package let authorities: String?
    /// The name of the composition, with which its topics begin.
    package let name: String
    /// True to publish a document by which Home Assistant finds the composition.
    package let hasDiscovery: Bool
    /// The time between two thumbnails; nil publishes none.
    package let thumbnailInterval: Duration?
    /// The text that the user typed.
    let text: String

    /// Parses an address with its options, and expands its secrets.
    ///
    /// - Parameter text: The text that the user typed.
    /// - Throws: ``UsageError`` for a mistake, with a message that contains no secret.
    package init(_ text: String) throws(UsageError) {
        self.text = text
        guard let scheme = ["mqtt", "mqtts"].first(where: { text.lowercased().hasPrefix("\($0)://") }) else {
            throw UsageError("a broker of MQTT has another address: \(Self.usage)")
        }
        let isSecure = scheme == "mqtts"
        self.isSecure = isSecure
        let rest = text.dropFirst(scheme.count + 3)
        let mark = rest.lastIndex(of: "?") ?? rest.endIndex
        let place: Place
        do throws(UsageError) { place = try Place(rest[..<mark], port: isSecure ? 8883 : 1883) } catch {
            throw error.about("\(scheme)://…")
        }
        (host, port, user, password) = (place.host, place.port, place.user, place.password)
        let query = try OptionQuery("\(scheme)://…\(rest[mark...])")
        try query.allow(Self.options, for: "a broker")
        name = try query.read("name") { text throws(UsageError) in try Self.name(text) } ?? "pip-compose"
        authorities = try query.read("ca") { path throws(UsageError) in
            guard isSecure else { throw UsageError("ca is for TLS: write mqtts:// in place of mqtt://") }
            guard FileManager.default.isReadableFile(atPath: path) else {
                throw UsageError("ca is \(path), which is not a file that can be read")
            }
            return path
        }
        hasDiscovery = try query.choice("discovery") != Discovery.off
        thumbnailInterval = try query.read("thumbnail") { text throws(UsageError) in try Self.interval(text) } ?? nil
    }

    /// The broker's address for messages, without the user: `mqtts://host:8883`.
    package var label: String { "mqtt\(isSecure ? "s" : "")://\(Authority.text(host, port))" }

    /// The text for a written configuration: that which the user typed, without a password in plain text.
    var written: String {
        guard password != nil, !text.contains("${"), let at = text.lastIndex(of: "@") else { return text }
        return "mqtt\(isSecure ? "s" : "")://…\(text[at...])"
    }

    private static func name(_ text: String) throws(UsageError) -> String {
        let isName = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) }
        guard isName, text.utf8.count <= 64 else {
            throw UsageError("name is \(text), but must have letters, digits, _ and - only, at most 64 of them")
        }
        return text
    }

    /// Reads the time between two thumbnails; nil for `off`.
    private static func interval(_ text: String) throws(UsageError) -> Duration? {
        if text == "off" { return nil }
        let interval = try Duration(argument: text)
        guard thumbnailIntervals.contains(interval) else {
            throw UsageError("thumbnail is \(text), but must be off, or a time from 1s to 10m")
        }
        return interval
    }
}

extension BrokerArgument {
    /// The part of an address before its options.
    private struct Place {
        let host: String
        let port: Int
        let user: String?
        let password: String?

        /// Parses `USER:PASSWORD@HOST:PORT`, of which all but the host may be missing.
        init(_ text: Substring, port usual: Int) throws(UsageError) {
            let filled = try Secrets.filled(in: text.hasSuffix("/") ? String(text.dropLast()) : String(text))
            let authority = Authority(filled[...])
            if authority.userinfo?.contains("@") ?? false {
                throw UsageError("an @ in a user or a password is written %40")
            }
            if authority.user?.isEmpty ?? false {
                throw UsageError("a user is missing before the @: \(BrokerArgument.usage)")
            }
            user = try authority.user.map { text throws(UsageError) in try Self.decoded(text) }
            let password = try authority.password.map { text throws(UsageError) in try Self.decoded(text) }
            self.password = password == "" ? nil : password
            let port = authority.port == nil ? usual : authority.portNumber()
            let isHost = authority.host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !"/?#[]".utf8.contains($0) }
            guard !authority.host.isEmpty, isHost, let port else {
                throw UsageError("an address needs a host, and a port below 65536: \(BrokerArgument.usage)")
            }
            (host, self.port) = (authority.host, port)
        }

        private static func decoded(_ text: Substring) throws(UsageError) -> String {
            guard let decoded = String(text).percentDecoded, !decoded.utf8.contains(0) else {
                throw UsageError("a % in a user or a password is written %25")
            }
            return decoded
        }
    }
}
