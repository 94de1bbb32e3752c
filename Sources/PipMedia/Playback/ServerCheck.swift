#if Media
internal import PipConcurrency
internal import PipFrames
internal import SystemPackage

/// Finds the reason why a server cannot be reached, which GStreamer's elements do not tell.
struct ServerCheck: Sendable {
    let host: String
    let port: Int

    /// The time between two checks for an interruption.
    private static let pollInterval = Duration.milliseconds(50)

    /// Connects to the server, and disconnects.
    ///
    /// Blocks for at most 3 seconds.
    ///
    /// - Parameter interruption: Ends the wait.
    /// - Returns: The reason why the server cannot be reached, as a sentence without its full stop. Nil when the server
    ///   accepts connections, and after an interruption.
    func problem(_ interruption: Interruption) -> String? {
        let answer = Monitor<Answer?>(nil)
        // The name lookup cannot be interrupted: when no answer comes, its thread is abandoned.
        _ = WorkerThread(name: "pip-server") { [self] in
            let found = connect(interruption)
            answer.update { $0 = found }
        }
        let clock = MonotonicClock()
        let deadline = clock.now.advanced(by: ServerConnection.timeout)
        while !interruption.isRaised, clock.now < deadline {
            if let found = answer.wait(until: min(deadline, clock.now.advanced(by: Self.pollInterval)), { $0 }) {
                return found.problem
            }
        }
        return interruption.isRaised ? nil : "\(host), port \(port), does not answer"
    }

    private struct Answer { let problem: String? }

    private func connect(_ interruption: Interruption) -> Answer {
        do throws(ServerConnection.Problem) {
            let socket = try ServerConnection.open(host, port, interruption)
            try? socket.close()
            return Answer(problem: nil)
        } catch {
            return Answer(problem: error.description)
        }
    }
}
#endif
