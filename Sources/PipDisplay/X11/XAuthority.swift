internal import Glibc

/// The keys of X servers, from the file that `XAUTHORITY` names or from `~/.Xauthority`.
///
/// Source: libXau, `Xauth.h`.
struct XAuthority {
    /// A server's authorization: the protocol's name, and the key.
    struct Key: Equatable {
        let name: [UInt8]
        let data: [UInt8]
    }

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the file of keys; a file that cannot be read counts as empty.
    ///
    /// - Parameter environment: Returns the value of an environment variable; nil when it is not set.
    init(_ environment: (String) -> String?) {
        let path = environment("XAUTHORITY") ?? environment("HOME").map { $0 + "/.Xauthority" } ?? ""
        // At most 1 MiB is read, because files of keys are small.
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        var count = 0
        if let file = unsafe fopen(path, "r") {
            count = unsafe fread(&bytes, 1, bytes.count, file)
            unsafe fclose(file)
        }
        self.init(Array(bytes[..<count]))
    }

    /// Finds the key for a display of this machine, or of another machine that the file names.
    ///
    /// - Parameters:
    ///   - address: The address of the display.
    ///   - hostName: This machine's name.
    /// - Returns: The key; nil when the file has no key for the display.
    func key(of address: XAddress, hostName: String) -> Key? {
        let isHere = address.host.isEmpty || address.host == "localhost"
        var place = 0
        while let family = number(&place), let host = field(&place), let display = field(&place),
            let name = field(&place), let data = field(&place)
        {
            let isDisplay = display.isEmpty || display == Array("\(address.number)".utf8)
            // Family 256 means this machine, and 65535 any machine. Other families are matched by the host's name only.
            let isHost =
                family == 65535 || family == 256 && isHere && host == Array(hostName.utf8)
                || host == Array(address.host.utf8)
            if isDisplay, isHost, name == Self.cookie { return Key(name: name, data: data) }
        }
        return nil
    }

    private static let cookie = Array("MIT-MAGIC-COOKIE-1".utf8)

    /// Reads a big-endian number of two bytes and advances `place`; returns nil at the end.
    private func number(_ place: inout Int) -> Int? {
        guard place + 2 <= bytes.count else { return nil }
        defer { place += 2 }
        return Int(bytes[place]) << 8 | Int(bytes[place + 1])
    }

    /// Reads a length and a field of this length, and advances `place`; returns nil at the end.
    private func field(_ place: inout Int) -> [UInt8]? {
        guard let count = number(&place), place + count <= bytes.count else { return nil }
        defer { place += count }
        return Array(bytes[place..<place + count])
    }
}
