/// The part of an address that names its server: `USER:PASSWORD@HOST:PORT`, of which all but the host may be missing.
///
/// An IPv6 address is in brackets: `[::1]:8080`.
///
/// Source: RFC 3986, 3.2 "Authority".
package struct Authority: Sendable, Equatable {
    /// The user and the password, as they are written; nil without them.
    package let userinfo: Substring?
    /// The host; an IPv6 address without its brackets.
    package let host: String
    /// The text in the place of the port, which may be no number; nil without one.
    package let port: Substring?

    package init(_ text: Substring) {
        let at = text.lastIndex(of: "@")
        userinfo = at.map { text[..<$0] }
        let place = at.map { text[text.index(after: $0)...] } ?? text
        if place.hasPrefix("["), let close = place.firstIndex(of: "]") {
            host = String(place[..<close].dropFirst())
            let rest = place[close...].dropFirst()
            // A text behind the bracket is no port without its colon.
            port = rest.isEmpty ? nil : rest.hasPrefix(":") ? rest.dropFirst() : "?"
        } else {
            let name = place.prefix { $0 != ":" }
            host = String(name)
            port = name.endIndex < place.endIndex ? place[name.endIndex...].dropFirst() : nil
        }
    }

    /// The user, as it is written; nil without one.
    package var user: Substring? { userinfo?.prefix { $0 != ":" } }

    /// The password, as it is written; nil without one.
    package var password: Substring? {
        guard let userinfo, let colon = userinfo.firstIndex(of: ":") else { return nil }
        return userinfo[colon...].dropFirst()
    }

    /// The port as a number.
    ///
    /// - Parameter least: The smallest port: 1, or 0 where 0 requests any free port.
    /// - Returns: The number; nil for another text, and without a port.
    package func portNumber(from least: Int = 1) -> Int? {
        guard let port, port.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(port) else { return nil }
        return (least...65_535).contains(number) ? number : nil
    }

    /// True for a loopback address, and for `localhost`.
    package static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.") && isAddress(host)
    }

    /// True for a literal IP address, which DNS rebinding cannot redirect.
    package static func isAddress(_ host: String) -> Bool {
        if host.contains(":") { return host.allSatisfy { $0.isHexDigit || ":.".contains($0) } }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { Int($0).map((0...255).contains) ?? false }
    }

    /// The text of a host and a port, with an IPv6 address in brackets.
    package static func text(_ host: String, _ port: Int? = nil) -> String {
        (host.contains(":") ? "[\(host)]" : host) + (port.map { ":\($0)" } ?? "")
    }
}
