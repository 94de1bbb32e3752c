#if Media
internal import PipFrames
internal import Glibc
internal import Synchronization

/// The TCP socket of a connection, found among the process's file descriptors, because GStreamer does not reveal it.
///
/// The socket tells how many bytes the receiver's system has not acknowledged. A server that hangs keeps its connection
/// open, and shows no other sign for many seconds.
final class StreamSocket: Sendable {
    /// The descriptors that some `StreamSocket` has claimed.
    private static let claimed = Mutex<Set<Int32>>([])

    /// The server's TCP port; nil for a connection that does not use TCP.
    private let port: Int?
    private let earlierDescriptors: Set<Int32>
    private let descriptor = Mutex<Int32>(-1)

    /// Notes the open descriptors; create this object before the connection, whose descriptor must be a new one.
    ///
    /// - Parameter port: The server's TCP port. Nil for a connection that does not use TCP.
    init(port: Int?) {
        self.port = port
        earlierDescriptors = port == nil ? [] : Set(Self.descriptors())
    }

    deinit {
        let descriptor = descriptor.withLock { $0 }
        if descriptor >= 0 { Self.claimed.withLock { _ = $0.remove(descriptor) } }
    }

    /// The number of bytes that are sent but not acknowledged, or wait in the send queue; 0 without a TCP connection.
    var unacknowledgedBytes: Int {
        withDescriptor { descriptor in
            var bytes: Int32 = 0
            // `TIOCOUTQ` equals `SIOCOUTQ`, whose macro Swift does not import.
            return unsafe ioctl(descriptor, UInt(TIOCOUTQ), &bytes) == 0 ? Int(bytes) : 0
        } ?? 0
    }

    /// The number of bytes that the receiver's system has acknowledged since the connection began; nil without a TCP
    /// connection.
    var acknowledgedBytes: Int? {
        withDescriptor { descriptor in
            // The field `tcpi_bytes_acked` has 64 bits at offset 120 of `struct tcp_info` (Linux,
            // `include/uapi/linux/tcp.h`).
            var info = InlineArray<24, UInt64>(repeating: 0)
            var size = socklen_t(24 * 8)
            var words = info.mutableSpan
            let result = unsafe words.withUnsafeMutableBufferPointer {
                unsafe getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, $0.baseAddress, &size)
            }
            return result == 0 && size >= 128 ? Int(clamping: info[15]) : nil
        } ?? nil
    }

    /// Calls a function with the descriptor of the connection's socket; returns nil when the connection has no socket.
    private func withDescriptor<R>(_ body: (Int32) -> R) -> R? {
        guard port != nil else { return nil }
        return descriptor.withLock { descriptor in
            if descriptor >= 0, Self.peerPort(of: descriptor) != port {
                let closed = descriptor
                Self.claimed.withLock { _ = $0.remove(closed) }
                descriptor = -1
            }
            if descriptor < 0 { descriptor = find() }
            return descriptor >= 0 ? body(descriptor) : nil
        }
    }

    private func find() -> Int32 {
        for candidate in Self.descriptors()
        where !earlierDescriptors.contains(candidate) && Self.peerPort(of: candidate) == port {
            if Self.claimed.withLock({ $0.insert(candidate).inserted }) { return candidate }
        }
        return -1
    }

    /// The remote port of a TCP connection; nil for any other descriptor.
    private static func peerPort(of descriptor: Int32) -> Int? {
        var kind: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &kind, &size) == 0, kind == Int32(SOCK_STREAM.rawValue)
        else { return nil }
        var address = sockaddr_storage()
        size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return unsafe withUnsafeMutablePointer(to: &address) { pointer -> Int? in
            let general = unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
            guard unsafe getpeername(descriptor, general, &size) == 0 else { return nil }
            // The port has the same offset in both address families.
            guard [AF_INET, AF_INET6].contains(Int32(unsafe general.pointee.sa_family)) else { return nil }
            let four = unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr_in.self)
            return unsafe Int(UInt16(bigEndian: four.pointee.sin_port))
        }
    }

    private static func descriptors() -> [Int32] { Folder.entries(of: "/proc/self/fd").compactMap { Int32($0) } }
}
#endif
