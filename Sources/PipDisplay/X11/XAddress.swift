internal import CDisplay
internal import Glibc
internal import SystemPackage

/// The address of an X server, as `DISPLAY` has it: `:0`, `localhost:10.0`.
struct XAddress: Equatable {
    /// As it was written.
    let text: String
    /// The machine; empty for this one.
    let host: String
    let number: Int
    let screen: Int

    /// Nil for what is no such address.
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

    /// Source: RFC 1198, "FYI on the X Window System".
    private static let firstPort = 6000

    /// Connects to it.
    ///
    /// - Returns: The connection, on which nothing was said.
    /// - Throws: ``DisplayError`` when nobody listens.
    func connect() throws(DisplayError) -> DisplaySocket {
        let result: Int32
        if host.isEmpty {
            let path = "/tmp/.X11-unix/X\(number)"
            let first = unsafe pip_display_connect(path)
            result = first >= 0 ? first : unsafe pip_display_connect("@" + path)
            // What is said of the file is said of both.
            if result < 0 { throw failure(Errno(rawValue: -first)) }
        } else {
            result = unsafe pip_display_connect_host(host, Int32(Self.firstPort + number), 2000)
        }
        guard result >= 0 else { throw failure(Errno(rawValue: -result)) }
        return DisplaySocket(result)
    }

    private func failure(_ reason: Errno) -> DisplayError {
        DisplayError("no X server answers at \(text): connect: \(reason)")
    }
}
