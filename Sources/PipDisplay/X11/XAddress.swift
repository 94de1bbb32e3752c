internal import CDisplay
internal import Glibc
internal import SystemPackage

/// The address of an X server in the form of `DISPLAY`: `:0`, `localhost:10.0`.
struct XAddress: Equatable {
    /// The address as it was written.
    let text: String
    /// The name of the host to connect to; empty for a local socket.
    let host: String
    let number: Int
    let screen: Int

    /// Parses an address; returns nil for a text in another form.
    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let parts = text[text.index(after: colon)...].split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let number = Int(parts[0]), (0..<0xffff - Self.firstPort).contains(number),
            let screen = parts.count == 2 ? Int(parts[1]) : 0, screen >= 0
        else { return nil }
        self.text = text
        self.number = number
        self.screen = screen
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        self.host = host == "unix" ? "" : String(host)
    }

    /// The TCP port of display 0.
    ///
    /// Source: RFC 1198, "FYI on the X Window System".
    private static let firstPort = 6000

    /// The server's name in messages.
    var server: String { "the X server at \(text)" }

    /// Connects to the server.
    ///
    /// Blocks while the name of another machine is looked up, then for at most two seconds for each of its addresses.
    ///
    /// - Returns: The new connection, on which nothing was sent.
    /// - Throws: ``DisplayError`` when no server listens.
    func connect() throws(DisplayError) -> DisplaySocket {
        let result: Int32
        if host.isEmpty {
            let path = "/tmp/.X11-unix/X\(number)"
            let file = unsafe pip_display_connect(path)
            let abstract = file < 0 ? unsafe pip_display_connect("@" + path) : file
            // When both sockets fail, the error of the socket file is reported.
            result = abstract < 0 ? file : abstract
        } else {
            result = unsafe pip_display_connect_host(host, Int32(Self.firstPort + number), 2000)
        }
        guard result >= 0 else {
            throw DisplayError("no X server answers at \(text): connect: \(Errno(rawValue: -result))")
        }
        return DisplaySocket(result, to: server)
    }
}
