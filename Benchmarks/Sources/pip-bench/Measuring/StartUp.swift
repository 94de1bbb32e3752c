import Foundation

/// The time from starting the program to its first frame.
struct StartUp: Codable, Sendable {
    /// Milliseconds without compiled shaders on disk, neither the program's nor the driver's.
    var cold: Double
    /// Milliseconds with the compiled shaders of the run before.
    var warm: Double

    /// Measures a command that writes a frame of at least `bytes` bytes to its standard output; medians of `turns`
    /// runs.
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
