internal import Glibc

/// The file with the keys of X servers: `XAUTHORITY`, or `~/.Xauthority`.
///
/// Source: libXau, `Xauth.h`.
struct XAuthority {
    /// The key of a server.
    struct Key: Equatable {
        let name: [UInt8]
        let data: [UInt8]
    }

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// - Parameter environment: Gives the value of a variable.
    /// - Returns: The file's content; empty when there is none.
    static func read(_ environment: (String) -> String?) -> XAuthority {
        let path = environment("XAUTHORITY") ?? environment("HOME").map { $0 + "/.Xauthority" } ?? ""
        guard let file = unsafe fopen(path, "r") else { return XAuthority([]) }
        defer { unsafe fclose(file) }
        // A file of keys is small; whatever is larger is something else.
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return XAuthority(Array(bytes[..<count]))
    }

    /// The key of a display of this machine, or of another by its host's name; nil when there is none.
    ///
    /// - Parameters:
    ///   - address: The display.
    ///   - hostName: This machine's name.
    /// - Returns: The key.
    func key(of address: XAddress, hostName: String) -> Key? {
        let isHere = address.host.isEmpty || address.host == "localhost"
        var place = 0
        while place + 2 <= bytes.count {
            let family = Int(bytes[place]) << 8 | Int(bytes[place + 1])
            place += 2
            guard let host = field(&place), let number = field(&place), let name = field(&place),
                let data = field(&place)
            else { return nil }
            let isNumber = number.isEmpty || number == Array("\(address.number)".utf8)
            // 256 is this machine, 65535 any; of the others, which hold binary addresses, the name may still be known.
            let isHost =
                family == 65535 || family == 256 && isHere && host == Array(hostName.utf8)
                || host == Array(address.host.utf8)
            if isNumber, isHost, name == Self.cookie { return Key(name: name, data: data) }
        }
        return nil
    }

    private static let cookie = Array("MIT-MAGIC-COOKIE-1".utf8)

    /// The next field: its length in two bytes, the highest first, and its bytes.
    private func field(_ place: inout Int) -> [UInt8]? {
        guard place + 2 <= bytes.count else { return nil }
        let count = Int(bytes[place]) << 8 | Int(bytes[place + 1])
        guard place + 2 + count <= bytes.count else { return nil }
        defer { place += 2 + count }
        return Array(bytes[place + 2..<place + 2 + count])
    }
}
