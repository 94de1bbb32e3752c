import Glibc

/// The memory that a process occupies alone, without pages of files, which the kernel can share and drop.
struct OwnMemory: Codable, Sendable, Equatable {
    /// The largest reading of the run, in MiB.
    var peak = 0.0
    /// The memory of the middle of the run's readings, in order of size, in MiB.
    var steady = 0.0

    /// Creates the memory from readings at equal intervals, in KiB.
    init(_ readings: [Int]) {
        let sorted = readings.sorted()
        guard let most = sorted.last else { return }
        (peak, steady) = (Double(most) / 1024, Double(sorted[sorted.count / 2]) / 1024)
    }

    /// Reads the present memory of a process, in KiB; nil for a process that has ended.
    ///
    /// Source: proc_pid_status(5).
    static func kibibytes(of process: pid_t) -> Int? {
        let file = unsafe open("/proc/\(process)/status", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe read(file, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return kibibytes(in: String(decoding: buffer[..<count], as: UTF8.self))
    }

    /// Adds up `RssAnon` and `RssShmem` of the text of `/proc/PID/status`, in KiB.
    static func kibibytes(in status: String) -> Int? {
        let sizes = status.split(separator: "\n").filter { $0.hasPrefix("RssAnon:") || $0.hasPrefix("RssShmem:") }
            .compactMap { $0.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) } }
        return sizes.isEmpty ? nil : sizes.reduce(0, +)
    }
}
