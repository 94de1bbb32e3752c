internal import Glibc

/// A program to run, and the log for its output.
struct Command {
    var arguments: [String]
    /// The variables to add to those of this process.
    var environment: [String: String] = [:]
    /// The path of the log of the standard output and the standard error; nil for no log.
    var log: String?
    /// False for a line of the standard output that the log must not contain.
    var isLogged: @Sendable (Substring) -> Bool = { _ in true }

    init(_ arguments: [String]) { self.arguments = arguments }

    /// The end of a program: its exit status, and the processor seconds of the program and its children.
    struct End {
        let status: Int32
        let processorSeconds: Double
        var isSuccess: Bool { status == 0 }
    }

    /// Runs the program to its end, and prints its output.
    ///
    /// - Parameter shows: Returns false for a line of output or errors that must not be printed.
    /// - Returns: The exit status and the processor time.
    func run(shows: (Substring) -> Bool = { _ in true }) -> End {
        run { line, _ in
            guard shows(line) else { return }
            print(line)
            fflush(nil)
        }
    }

    /// Runs the program to its end, and returns its standard output.
    ///
    /// The standard error is printed.
    func output() -> (status: Int32, text: String) {
        var text = ""
        let end = run { line, isError in
            if isError { complain(String(line)) } else { text += line + "\n" }
        }
        return (end.status, text)
    }

    private func run(_ take: (Substring, Bool) -> Void) -> End {
        var processes = Processes()
        _ = processes.start(self)
        while true {
            for event in processes.wait() {
                switch event {
                case .line(_, let line, let isError): take(line, isError)
                case .ended(_, let status, let seconds): return End(status: status, processorSeconds: seconds)
                }
            }
            if let signal = Interrupts.next() {
                processes.killAll()
                exit(128 + signal)
            }
        }
    }
}
