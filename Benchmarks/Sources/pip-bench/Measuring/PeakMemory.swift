import Glibc

/// The largest resident memory of a process so far.
enum PeakMemory {
    /// The `VmHWM` of a running process in KiB; nil for a process that has ended.
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

    /// Parses the `VmHWM` from the text of `/proc/PID/status`, in KiB.
    static func kibibytes(in status: String) -> Int? {
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) }
    }
}
