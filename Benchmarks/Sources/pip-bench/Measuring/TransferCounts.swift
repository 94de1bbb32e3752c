import Glibc

/// The numbers of bytes that a process has read and written by system calls.
///
/// Transfers from and to the page cache count; memory mappings do not.
struct TransferCounts: Sendable, Equatable {
    var read: Int
    var written: Int
}

extension TransferCounts {
    /// Reads the counts of a process that has not been reaped yet; nil where the kernel does not count.
    ///
    /// Source: proc_pid_io(5).
    init?(of process: pid_t) {
        let file = unsafe open("/proc/\(process)/io", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe Glibc.read(file, &buffer, buffer.count)
        guard count > 0 else { return nil }
        self.init(String(decoding: buffer[..<count], as: UTF8.self))
    }

    /// Parses the text of `/proc/PID/io`; nil when a count is missing.
    init?(_ text: String) {
        func value(_ name: String) -> Int? {
            text.split(separator: "\n").first { $0.hasPrefix("\(name): ") }.flatMap {
                Int($0.dropFirst(name.count + 2))
            }
        }
        guard let read = value("rchar"), let written = value("wchar") else { return nil }
        (self.read, self.written) = (read, written)
    }
}
