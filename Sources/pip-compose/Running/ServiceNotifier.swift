import FoundationEssentials
import Glibc
import PipCompose
import PipRig
import Synchronization

/// Reports the state of the process to the service manager, such as systemd.
///
/// Does nothing in a process that no service manager started. A message is a datagram of `NAME=value` lines, sent to
/// the socket in `NOTIFY_SOCKET`. Sending never blocks.
///
/// Source: systemd, `sd_notify(3)`, "Description" and "Notes", and `sd_watchdog_enabled(3)`.
final class ServiceNotifier: Sendable {
    /// The socket that sends the messages; -1 in a process that no service manager started.
    private let socket: Int32
    private let address: [UInt8]
    private let watchdogInterval: Duration?
    /// True if a service manager started the process, and may restart it.
    let isManaged: Bool
    private let nextSign = Mutex<Timestamp>(.zero)

    /// Creates a notifier.
    ///
    /// - Parameters:
    ///   - environment: The environment, with `NOTIFY_SOCKET` and `WATCHDOG_USEC`.
    ///   - process: The identifier of this process, compared with `WATCHDOG_PID`.
    init(environment: [String: String] = ProcessInfo.processInfo.environment, process: Int32 = getpid()) {
        let address = environment["NOTIFY_SOCKET"].flatMap(Self.socketAddress(of:)) ?? []
        socket = address.isEmpty ? -1 : Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        self.address = address
        isManaged = ["NOTIFY_SOCKET", "WATCHDOG_USEC"].contains { environment[$0]?.isEmpty == false }
        watchdogInterval = socket < 0 ? nil : Self.watchdogInterval(environment, process)
    }

    deinit {
        if socket >= 0 { close(socket) }
    }

    /// True if the service manager expects a heartbeat from this process.
    var hasWatchdog: Bool { watchdogInterval != nil }

    /// Reports that the service is ready, when the first frame is drawn.
    func isReady(_ status: String) { send("READY=1\nSTATUS=\(Self.line(status))") }

    func tell(_ status: String) { send("STATUS=\(Self.line(status))") }

    /// Reports that the service is stopping.
    func isStopping() { send("STOPPING=1\nSTATUS=finishing the files") }

    /// Sends the heartbeat `WATCHDOG=1` if it is due.
    ///
    /// Only the frame loop calls this function, so that the manager notices when the loop is stuck.
    ///
    /// - Parameter now: The current time.
    func live(_ now: Timestamp) {
        guard let watchdogInterval else { return }
        let isDue = nextSign.withLock { next in
            guard now >= next else { return false }
            next = now.advanced(by: watchdogInterval)
            return true
        }
        if isDue { send("WATCHDOG=1") }
    }

    private func send(_ message: String) {
        guard socket >= 0 else { return }
        let bytes = Array(message.utf8)
        unsafe address.withUnsafeBytes { raw in
            guard let start = unsafe raw.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return }
            // Errors are ignored: a manager that is gone or busy must not disturb the frames.
            _ = unsafe sendto(
                socket, bytes, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL), start,
                socklen_t(raw.count))
        }
    }

    /// The bytes of a `sockaddr_un` for a path, or for an abstract name that begins with `@`; nil for any other text,
    /// and for a name that is too long.
    static func socketAddress(of name: String) -> [UInt8]? {
        guard name.hasPrefix("/") || name.hasPrefix("@"), name.utf8.count > 1 else { return nil }
        let isAbstract = name.hasPrefix("@")
        var path = Array(name.utf8)
        if isAbstract { path[0] = 0 } else { path.append(0) }
        guard path.count <= MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
        return unsafe withUnsafeBytes(of: sa_family_t(AF_UNIX)) { unsafe Array($0) } + path
    }

    /// The interval of the heartbeat, half of the manager's limit; nil if the manager does not watch this process.
    static func watchdogInterval(_ environment: [String: String], _ process: Int32) -> Duration? {
        guard let text = environment["WATCHDOG_USEC"], let microseconds = Int64(text), microseconds > 0 else {
            return nil
        }
        if let meant = environment["WATCHDOG_PID"], Int32(meant) != process { return nil }
        return .microseconds(microseconds) / 2
    }

    /// Replaces line breaks by spaces, because a line break would start another variable.
    private static func line(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
