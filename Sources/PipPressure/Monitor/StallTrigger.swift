internal import CPlatform
internal import Glibc

/// A file of pressure stall information that wakes its poller when tasks wait too long.
///
/// Source: the kernel's "PSI - Pressure Stall Information", "Monitoring for pressure thresholds".
final class StallTrigger: WakeSource {
    /// The window, which has to be a multiple of two seconds without privileges.
    private static let windowInMicroseconds = 2_000_000

    let descriptor: Int32
    var events: Int32 { Int32(POLLPRI) }

    /// Sets the trigger; nil where the kernel does not permit it.
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

    /// Nothing is read, since polling has consumed the event.
    func take(_ ready: Int32) throws(WakeSourceLost) -> EarlyWake? {
        // The control group is gone.
        guard ready & Int32(POLLERR | POLLHUP | POLLNVAL) == 0 else { throw WakeSourceLost() }
        return .stall
    }

    /// The trigger's text for the file: stall time and window in microseconds, at the threshold of fair.
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
