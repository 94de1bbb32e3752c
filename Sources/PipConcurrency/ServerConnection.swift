internal import Glibc
internal import PipFrames
package import SystemPackage

/// Connects to servers by TCP.
package enum ServerConnection {
    /// The longest wait for one of a host's addresses.
    package static let timeout = Duration.seconds(3)

    /// The reason why a server cannot be reached, as a sentence without its full stop.
    package struct Problem: Error, Hashable, CustomStringConvertible {
        package let description: String
    }

    /// Connects to the first of a host's addresses that accepts.
    ///
    /// Blocks for the name's lookup, and for at most 3 seconds for each address.
    ///
    /// - Parameters:
    ///   - host: The host's name or address.
    ///   - port: The server's port.
    ///   - interruption: Ends the wait for an answer, but not the name's lookup.
    /// - Returns: The connected socket, which the caller must close. Reads and writes never block.
    /// - Throws: The reason why no address accepts.
    package static func open(
        _ host: String, _ port: Int, _ interruption: Interruption = Interruption()
    ) throws(Problem) -> FileDescriptor {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let result = unsafe getaddrinfo(host, "\(port)", &hints, &list)
        guard result == 0 else {
            throw Problem(description: "the host \(host) is not found: \(unsafe String(cString: gai_strerror(result)))")
        }
        defer { unsafe freeaddrinfo(list) }
        var reason = Errno.hostIsDown
        var entry = unsafe list
        while let address = unsafe entry {
            do throws(Errno) { return unsafe try connected(to: address.pointee, interruption) } catch { reason = error }
            unsafe entry = unsafe address.pointee.ai_next
        }
        throw Problem(description: "cannot connect to \(host), port \(port): \(reason)")
    }

    private static func connected(
        to address: addrinfo, _ interruption: Interruption
    ) throws(Errno) -> FileDescriptor {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let socket = unsafe Glibc.socket(address.ai_family, kind, 0)
        guard socket >= 0 else { throw Errno(rawValue: errno) }
        if unsafe Glibc.connect(socket, address.ai_addr, address.ai_addrlen) == 0 {
            return FileDescriptor(rawValue: socket)
        }
        do throws(Errno) {
            guard errno == EINPROGRESS else { throw Errno(rawValue: errno) }
            let deadline = MonotonicClock().now.advanced(by: timeout)
            guard interruption.wait(for: socket, events: POLLOUT, until: deadline) == .ready else {
                throw Errno.timedOut
            }
            var reason: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            guard unsafe getsockopt(socket, SOL_SOCKET, SO_ERROR, &reason, &size) == 0 else {
                throw Errno(rawValue: errno)
            }
            guard reason == 0 else { throw Errno(rawValue: reason) }
            return FileDescriptor(rawValue: socket)
        } catch {
            close(socket)
            throw error
        }
    }
}
