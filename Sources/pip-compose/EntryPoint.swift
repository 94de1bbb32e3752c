import ArgumentParser
import Glibc
import PipCompose
import PipRig

@main
enum EntryPoint {
    /// The watch for signals, which starts before any other thread.
    static let interrupts = InterruptWatch()

    // An async `main` may continue on another thread, but these preparations must run on the first thread.
    static func main() {
        StandardStreams.fillGaps()
        // The Swift runtime reads the arguments there, and ends the process if it cannot.
        guard unsafe access("/proc/self/cmdline", R_OK) == 0 else {
            Terminal.standardError.write("error: /proc cannot be read: run `mount -t proc proc /proc`\n")
            _exit(ExitStatus.unavailable.rawValue)
        }
        _ = interrupts
        Session.prepareProcess()
        Console.takeEngineWarnings()
        Task.detached {
            let status = await run(Array(CommandLine.arguments.dropFirst()))
            // `_exit` runs no destructors: nothing is left to flush, and threads of libraries may still run.
            _exit(status)
        }
        while true { pause() }
    }

    /// Runs the command that the arguments select, and reports its error.
    ///
    /// - Returns: The exit status of the process.
    private static func run(_ arguments: [String]) async -> Int32 {
        var command: any ParsableCommand
        do { command = try RootCommand.parseAsRoot(arguments) } catch { return report(error) }
        do {
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return ExitStatus.success.rawValue
        } catch let error where error is ExitCode || RootCommand.exitCode(for: error) != .failure {
            return report(error)
        } catch {
            // The parser knows no error of the library.
            let failure = CommandError(error)
            Terminal.standardError.write("error: \(failure)\n")
            return failure.status.rawValue
        }
    }

    /// Prints the help, the version or the error of the argument parser; prints nothing for an exit code.
    ///
    /// - Returns: The exit status of the process.
    private static func report(_ error: any Error) -> Int32 {
        if let code = error as? ExitCode { return code.rawValue }
        let code = RootCommand.exitCode(for: error)
        if code == .success {
            let message = RootCommand.fullMessage(for: error, columns: HelpPage.columns)
            Terminal.standardOutput.write(HelpPage.fitted(message) + "\n")
        } else {
            Terminal.standardError.write("error: \(ParserMessage.short(RootCommand.message(for: error)))\n")
        }
        return code.rawValue
    }
}
