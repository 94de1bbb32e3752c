import CPlatform

/// The CPU time and the memory that the process has used since its start.
struct ResourceUsage: Sendable, Equatable {
    var userSeconds = 0.0
    var systemSeconds = 0.0
    /// The largest resident memory so far, in MiB.
    var peakMebibytes = 0.0

    /// The CPU time and the memory that the process has used up to now.
    static var current: ResourceUsage {
        let usage = pip_process_usage()
        return ResourceUsage(
            userSeconds: Double(usage.user_microseconds) / 1e6, systemSeconds: Double(usage.system_microseconds) / 1e6,
            peakMebibytes: Double(usage.peak_kibibytes) / 1024)
    }
}
