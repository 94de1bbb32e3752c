import ArgumentParser
import Foundation
import PipCompose
import PipRig

/// Where the process starts.
@main
enum EntryPoint {
    /// Watches for signals from the first moment on.
    static let interrupts = InterruptWatch()

    // Not async: an async one runs on another thread, and what is prepared here belongs to the first.
    static func main() {
        StandardStreams.fillGaps()
        _ = interrupts
        Session.prepareProcess()
        Task.detached {
            let status = await run(Array(CommandLine.arguments.dropFirst()))
            // Nothing is left to flush, and libraries' threads may still run: leave without their destructors.
            _exit(status)
        }
        while true { pause() }
    }

    /// Runs the command that the arguments ask for.
    ///
    /// - Returns: The process's exit status; whatever went wrong has been told.
    private static func run(_ arguments: [String]) async -> Int32 {
        do {
            var command = try RootCommand.parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return ExitStatus.success.rawValue
        } catch let error as CommandError {
            Terminal.standardError.write("error: \(error)\n")
            return error.status.rawValue
        } catch {
            return report(error)
        }
    }

    /// Prints what the argument parser has to say: help, a version, or what is wrong with the arguments.
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
