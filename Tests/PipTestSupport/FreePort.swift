import Foundation
import Glibc

/// Finds free ports of the loopback interface for the servers of a test.
///
/// The ports lie below those that the kernel gives to connections, so that no connection of another test takes a port
/// before its server does. The tests of all processes count in one file, so that no two get the same port.
package enum FreePort {
    private static let ports = 20_000..<32_000
    private static let counter = "/tmp/pip-test-ports"

    /// A TCP port that no test has had for a long time.
    package static func tcp() throws -> Int { try find([SOCK_STREAM], count: 1) }

    /// The first of some adjacent UDP ports that no test has had for a long time.
    package static func udp(count: Int = 1) throws -> Int { try find([SOCK_DGRAM], count: count) }

    /// The first of some adjacent ports that are free for TCP and UDP.
    package static func any(count: Int = 1) throws -> Int { try find([SOCK_STREAM, SOCK_DGRAM], count: count) }

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

    private static func find(_ types: [__socket_type], count: Int) throws -> Int {
        for _ in ports {
            let first = try next(count)
            let block = first..<first + count
            if types.allSatisfy({ type in block.allSatisfy { isFree($0, type) } }) { return first }
        }
        throw POSIXError(.EADDRNOTAVAIL)
    }

    /// Takes the next numbers of all processes' counter.
    private static func next(_ count: Int) throws -> Int {
        let file = unsafe open(counter, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        defer { close(file) }
        guard flock(file, LOCK_EX) == 0 else { throw POSIXError(.EIO) }
        var bytes = [UInt8](repeating: 0, count: 16)
        let length = unsafe max(pread(file, &bytes, bytes.count, 0), 0)
        let last = Int(String(decoding: bytes[..<length], as: UTF8.self)) ?? ports.lowerBound
        let first = ports.contains(last) && ports.contains(last + count - 1) ? last : ports.lowerBound
        let text = "\(first + count)"
        guard unsafe pwrite(file, text, text.utf8.count, 0) == text.utf8.count else { throw POSIXError(.EIO) }
        return first
    }

    private static func isFree(_ port: Int, _ type: __socket_type) -> Bool {
        let socket = socket(AF_INET, Int32(type.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                unsafe bind(socket, name, length) == 0
            }
        }
    }
}
