#if Control
internal import PipFrames

/// The panel's address: `[ADDRESS:]PORT` or `unix:PATH`.
public enum PanelAddress: Sendable, Equatable, CustomStringConvertible {
    /// An IPv4 or IPv6 address, or a host name, and a port. Port 0 selects a free port.
    case host(String, port: Int)
    /// The path of a Unix socket.
    case unix(String)

    /// Parses an address.
    ///
    /// A port without an address means 127.0.0.1.
    ///
    /// - Throws: ``PanelError`` with examples of valid addresses.
    public init(_ text: String) throws(PanelError) {
        let mistake = PanelError(
            "\"\(text)\" is not an address for the panel: write 8080, 127.0.0.1:8080, [::1]:8080, or unix:PATH "
                + "(at most 103 bytes)")
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst("unix:".count))
            guard !path.isEmpty, path.utf8.count < 104 else { throw mistake }
            self = .unix(path)
            return
        }
        let authority = Authority(text.contains(":") ? text[...] : "127.0.0.1:\(text)")
        let name = authority.host
        guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || ".:-_".contains($0)) }),
            authority.userinfo == nil, let port = authority.portNumber(from: 0)
        else { throw mistake }
        self = .host(name, port: port)
    }

    /// True when only programs on this machine can reach the address.
    public var isLocal: Bool {
        switch self {
        case .unix: true
        case .host(let name, _): Authority.isLoopback(name)
        }
    }

    public var description: String {
        switch self {
        case .unix(let path): "unix:\(path)"
        case .host(let name, let port): Authority.text(name, port)
        }
    }
}

/// The reason why a panel cannot be created or started, as a sentence.
public struct PanelError: Error, Equatable, CustomStringConvertible {
    public let description: String
    /// True for a failure of the machine, false for a mistake in the options.
    public let isUnavailable: Bool

    package init(_ description: String, isUnavailable: Bool = false) {
        self.description = description
        self.isUnavailable = isUnavailable
    }
}
#endif
