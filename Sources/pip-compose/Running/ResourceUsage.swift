import CPlatform

/// The CPU time and memory that the process has used since its start.
struct ResourceUsage: Sendable, Equatable {
    var userSeconds = 0.0
    var systemSeconds = 0.0
    /// The peak of the resident memory.
    var peakMebibytes = 0.0

    /// The present usage.
    static var current: ResourceUsage {
        let usage = pip_process_usage()
        return ResourceUsage(
            userSeconds: Double(usage.user_microseconds) / 1e6, systemSeconds: Double(usage.system_microseconds) / 1e6,
            peakMebibytes: Double(usage.peak_kibibytes) / 1024)
    }
}
