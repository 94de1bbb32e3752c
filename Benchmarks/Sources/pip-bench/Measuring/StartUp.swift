import Foundation

/// The time from starting a program until its first frame.
struct StartUp: Codable, Sendable {
    /// The time in milliseconds when neither the program nor the driver has compiled shaders on disk.
    var cold: Double
    /// The time in milliseconds with the compiled shaders of the preceding run.
    var warm: Double

    /// Measures a command that writes a frame of at least `bytes` bytes to standard output.
    ///
    /// Takes the medians of `turns` cold and `turns` warm runs. Nil if `turns` is 0.
    ///
    /// - Throws: ``CommandError`` for a run that fails or writes fewer bytes.
    static func measure(_ command: Command, bytes: Int, turns: Int) throws -> StartUp? {
        var cold: [Double] = []
        var warm: [Double] = []
        for turn in 0..<turns {
            let cache = NSTemporaryDirectory() + "pip-bench-\(getpid())-cache-\(turn)"
            defer { try? FileManager.default.removeItem(atPath: cache) }
            var command = command
            command.environment["XDG_CACHE_HOME"] = cache
            cold.append(try ChildProcess.secondsToOutput(command, bytes: bytes) * 1000)
            warm.append(try ChildProcess.secondsToOutput(command, bytes: bytes) * 1000)
        }
        guard let cold = Spread(cold), let warm = Spread(warm) else { return nil }
        return StartUp(cold: cold.median, warm: warm.median)
    }
}
