import Foundation
import Glibc

/// A TCP socket that listens on a free port of the loopback interface.
package final class ListeningSocket: Sendable {
    package let number: Int32
    package let port: Int

    package init() throws {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        number = socket
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(socket, $0, length) == 0 && listen(socket, 64) == 0
                    && getsockname(socket, $0, &length) == 0
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
    }

    deinit {
        // A thread that waits in `accept` returns.
        shutdown(number, Int32(SHUT_RDWR))
        close(number)
    }
}
