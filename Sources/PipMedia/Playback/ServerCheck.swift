#if Media
internal import Glibc
internal import PipConcurrency
internal import PipFrames
internal import SystemPackage

/// Finds the reason why a server cannot be reached, which GStreamer's elements do not tell.
struct ServerCheck: Sendable {
    let host: String
    let port: Int

    /// The longest wait for the name lookup, and for the connection.
    private static let timeout = Duration.seconds(3)
    /// The time between two checks for an interruption.
    private static let pollInterval = Duration.milliseconds(50)

    /// Connects to the server, and disconnects.
    ///
    /// Blocks for at most 3 seconds.
    ///
    /// - Parameter interruption: Ends the wait.
    /// - Returns: The reason why the server cannot be reached, as a sentence without its full stop. Nil when the server
    ///   accepts connections, and after an interruption.
    func problem(_ interruption: Interruption) -> String? {
        let answer = Monitor<Answer?>(nil)
        // The name lookup cannot be interrupted: when no answer comes, its thread is abandoned.
        _ = WorkerThread(name: "pip-server") { [self] in
            let found = connect(interruption)
            answer.update { $0 = found }
        }
        let clock = MonotonicClock()
        let deadline = clock.now.advanced(by: Self.timeout)
        while !interruption.isRaised, clock.now < deadline {
            if let found = answer.wait(until: min(deadline, clock.now.advanced(by: Self.pollInterval)), { $0 }) {
                return found.problem
            }
        }
        return interruption.isRaised ? nil : "\(host), port \(port), does not answer"
    }

    private struct Answer { let problem: String? }

    private func connect(_ interruption: Interruption) -> Answer {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let result = unsafe getaddrinfo(host, "\(port)", &hints, &list)
        guard result == 0 else {
            return Answer(problem: "the host \(host) is not found: \(unsafe String(cString: gai_strerror(result)))")
        }
        defer { unsafe freeaddrinfo(list) }
        var reason = Errno.hostIsDown
        var entry = unsafe list
        while let address = unsafe entry {
            guard let refusal = unsafe refusal(of: address.pointee, interruption) else { return Answer(problem: nil) }
            reason = refusal
            unsafe entry = unsafe address.pointee.ai_next
        }
        return Answer(problem: "cannot connect to \(host), port \(port): \(reason)")
    }

    /// Returns the error of connecting to one of the host's addresses; nil when the connection succeeds.
    private func refusal(of address: addrinfo, _ interruption: Interruption) -> Errno? {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let socket = unsafe Glibc.socket(address.ai_family, kind, 0)
        guard socket >= 0 else { return Errno(rawValue: errno) }
        defer { close(socket) }
        if unsafe Glibc.connect(socket, address.ai_addr, address.ai_addrlen) == 0 { return nil }
        guard errno == EINPROGRESS else { return Errno(rawValue: errno) }
        let deadline = MonotonicClock().now.advanced(by: Self.timeout)
        guard interruption.wait(for: socket, events: POLLOUT, until: deadline) == .ready else { return .timedOut }
        var reason: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(socket, SOL_SOCKET, SO_ERROR, &reason, &size) == 0 else {
            return Errno(rawValue: errno)
        }
        return reason == 0 ? nil : Errno(rawValue: reason)
    }
}
#endif
