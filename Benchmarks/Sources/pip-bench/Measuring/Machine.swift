import Foundation

/// The machine on which a measurement is made.
struct Machine: Codable, Sendable {
    var processor: String
    var cores: Int
    var memoryMebibytes: Int
    var system: String
    var kernel: String
    /// The load average of the minute before the measurement.
    ///
    /// Above 1, other processes have probably disturbed the measurement.
    var load: Double

    static func current() -> Machine {
        Machine(
            processor: field("model name", in: "/proc/cpuinfo") ?? field("Model", in: "/proc/cpuinfo") ?? "unknown",
            cores: ProcessInfo.processInfo.activeProcessorCount,
            memoryMebibytes: Int(ProcessInfo.processInfo.physicalMemory >> 20),
            system: ProcessInfo.processInfo.operatingSystemVersionString,
            kernel: text("/proc/sys/kernel/osrelease").trimmingCharacters(in: .whitespacesAndNewlines),
            load: Double(text("/proc/loadavg").split(separator: " ").first ?? "") ?? 0)
    }

    /// The first line that a program prints for its version, without a copyright notice.
    ///
    /// The result is `unknown` when the program fails or prints nothing.
    static func version(of program: String) -> String {
        let file = NSTemporaryDirectory() + "pip-bench-\(getpid())-version.txt"
        defer { try? FileManager.default.removeItem(atPath: file) }
        let option = program == "ffmpeg" ? "-version" : "--version"
        guard (try? ChildProcess.run(Command([program, option]), output: file)) != nil else { return "unknown" }
        let line = text(file).split(separator: "\n").first.map(String.init) ?? "unknown"
        return line.components(separatedBy: " Copyright").first ?? line
    }

    private static func field(_ name: String, in file: String) -> String? {
        for line in text(file).split(separator: "\n") where line.hasPrefix(name) {
            guard let colon = line.firstIndex(of: ":") else { continue }
            return line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        return nil
    }

    private static func text(_ file: String) -> String { (try? String(contentsOfFile: file, encoding: .utf8)) ?? "" }
}
