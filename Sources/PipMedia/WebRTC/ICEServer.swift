#if Media
/// A server that helps two peers to connect: a STUN server tells a peer its public address, a TURN server relays
/// packets.
///
/// Pass servers to a ``WebRTCBroadcast`` or a ``WHIPStream`` whose peers are behind routers.
///
/// ```swift
/// ICEServer("stun:stun.example.org:3478")
/// ICEServer("turn:turn.example.org:3478?transport=udp", username: "car-7", credential: secret)
/// ```
///
/// Source: RFC 7064 and RFC 7065, "stun" and "turn" URIs.
public struct ICEServer: Sendable, Hashable {
    /// The server's address: `stun:host:port`, `turn:host:port?transport=udp` or `turns:host:port`.
    public var address: String
    /// The user name for a TURN server; nil for a STUN server.
    public var username: String?
    /// The password for a TURN server; nil for a STUN server.
    public var credential: String?

    /// Creates a server from its address.
    ///
    /// - Parameters:
    ///   - address: An address `stun:host:port`, `turn:host:port?transport=udp` or `turns:host:port`.
    ///   - username: The user name, for TURN.
    ///   - credential: The password, for TURN.
    public init(_ address: String, username: String? = nil, credential: String? = nil) {
        self.address = address
        self.username = username
        self.credential = credential
    }

    /// The address as GStreamer's `webrtcbin` takes it.
    enum Location: Equatable {
        case stun(String)
        case turn(String)
    }

    /// Parses the address.
    ///
    /// - Throws: ``MediaError`` when the address is invalid, or when a TURN server lacks its user name or credential.
    func location() throws(MediaError) -> Location {
        func mistake(_ reason: String) -> MediaError {
            MediaError(kind: .failed, reason: "the ICE server \(address): \(reason)")
        }
        guard let colon = address.firstIndex(of: ":") else {
            throw mistake("its address must be stun:host:port, turn:host:port or turns:host:port")
        }
        let scheme = address[..<colon].lowercased()
        var rest = address[address.index(after: colon)...]
        if rest.hasPrefix("//") { rest = rest.dropFirst(2) }
        let halves = rest.split(separator: "?", maxSplits: 1)
        guard let host = halves.first,
            host.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || ".:-[]".contains($0)) })
        else { throw mistake("its host is missing or invalid") }
        // The port follows the last colon; the colons of an IPv6 address are in brackets.
        let port = host.lastIndex(of: ":").map { host[host.index(after: $0)...] }
        let hasPort = port.map { Int($0) != nil && !$0.isEmpty } ?? false
        switch scheme {
        case "stun": return .stun("stun://\(host)" + (hasPort ? "" : ":3478"))
        case "turn", "turns":
            guard let username, let credential else { throw mistake("TURN needs a user name and a credential") }
            let place = String(host) + (hasPort ? "" : scheme == "turns" ? ":5349" : ":3478")
            let transport = halves.count > 1 ? "?\(halves[1])" : ""
            guard ["", "?transport=udp", "?transport=tcp"].contains(transport) else {
                throw mistake("its transport must be udp or tcp")
            }
            return .turn("\(scheme)://\(username.escaped):\(credential.escaped)@\(place)\(transport)")
        default: throw mistake("its address must be stun:host:port, turn:host:port or turns:host:port")
        }
    }
}

extension String {
    /// The text with reserved characters percent-encoded.
    fileprivate var escaped: String {
        utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain = byte < 128 && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            if isPlain || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") {
                return String(Character(scalar))
            }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
    }
}
#endif
