internal import CPlatform
internal import Glibc

/// A pressure stall information (PSI) file, with a trigger that wakes its poller when tasks wait too long.
///
/// Source: the kernel's "PSI - Pressure Stall Information", "Monitoring for pressure thresholds".
final class StallTrigger: WakeSource {
    /// The length of the trigger's window; unprivileged processes must use a multiple of two seconds.
    private static let windowInMicroseconds = 2_000_000

    let descriptor: Int32
    var events: Int32 { Int32(POLLPRI) }

    /// Opens the file and sets the trigger; nil when the kernel refuses either.
    init?(_ file: Stalls.File, root: String) {
        descriptor = unsafe open(root + file.path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let text = Self.text(for: file.resource)
        let bytes = Array(text.utf8) + [0]
        let written = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        guard written >= 0 else {
            close(descriptor)
            return nil
        }
    }

    deinit { close(descriptor) }

    /// Reads nothing, since `poll` has consumed the event.
    func take(_ ready: Int32) throws(WakeSourceLost) -> EarlyWake? {
        // The kernel reports an error once the control group has been removed.
        guard ready & Int32(POLLERR | POLLHUP | POLLNVAL) == 0 else { throw WakeSourceLost() }
        return .stall
    }

    /// The text that sets the trigger for the threshold of the level fair: the kind of stall, and the stall time and
    /// the window in microseconds.
    static func text(for resource: StallResource) -> String {
        let (kind, percent) =
            switch resource {
            case .cpu: ("some", PressureThresholds.processorStalls.fair)
            case .memory: ("full", PressureThresholds.memoryStalls.fair)
            case .io: ("full", PressureThresholds.diskStalls.fair)
            }
        return "\(kind) \(Int(percent ?? 100) * windowInMicroseconds / 100) \(windowInMicroseconds)"
    }
}
