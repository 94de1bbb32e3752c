import Foundation
import Glibc

/// Finds free ports of the loopback interface for the servers of a test.
package enum FreePort {
    /// A TCP port that was free a moment ago.
    package static func tcp() throws -> Int { try find(SOCK_STREAM) }

    /// A UDP port that was free a moment ago.
    package static func udp() throws -> Int { try find(SOCK_DGRAM) }

    /// True if a program listens on a TCP port of 127.0.0.1, or of all IPv4 addresses.
    ///
    /// The check opens no connection, which a server for a single client would mistake for its client.
    package static func hasListener(_ port: Int) throws -> Bool {
        let name = "0100007F:" + String(format: "%04X", port)
        let anywhere = "00000000:" + String(format: "%04X", port)
        return try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8).split(separator: "\n").contains { line in
            let fields = line.split(separator: " ")
            return fields.count > 3 && fields[3] == "0A" && (fields[1] == name || fields[1] == anywhere)
        }
    }

    private static func find(_ type: __socket_type) throws -> Int {
        let socket = socket(AF_INET, Int32(type.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                unsafe bind(socket, name, length) == 0 && getsockname(socket, name, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
