internal import Glibc

/// A program to run, with the log of its output.
struct Command {
    var arguments: [String]
    /// Variables that are added to our own.
    var environment: [String: String] = [:]
    /// The path of the log of all output; nil keeps none.
    var log: String?
    /// Returns false for lines of the standard output that are not logged.
    var isLogged: @Sendable (Substring) -> Bool = { _ in true }

    init(_ arguments: [String]) { self.arguments = arguments }

    /// The end of a program: its exit status, and the processor time of it and its children in seconds.
    struct End {
        let status: Int32
        let processorSeconds: Double
        var isSuccess: Bool { status == 0 }
    }

    /// Runs the program to its end.
    ///
    /// - Parameter shows: Returns true for a line of its output or errors that is printed.
    /// - Returns: The end of the program.
    func run(shows: (Substring) -> Bool = { _ in true }) -> End {
        run { line, _ in
            guard shows(line) else { return }
            print(line)
            fflush(nil)
        }
    }

    /// Runs the program and returns its standard output.
    ///
    /// Its errors are printed.
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
