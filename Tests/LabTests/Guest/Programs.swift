import Glibc

/// The failure of a program that a test runs in the guest.
struct ProgramFailure: Error, CustomStringConvertible {
    let command: String
    let said: String

    var description: String { "`\(command)` failed: \(said)" }
}

/// Runs a program to its end, and throws ``ProgramFailure`` if its exit status is not 0.
///
/// - Returns: The standard output and standard error of the program.
@discardableResult
func runProgram(_ words: [String]) throws -> String {
    let (said, status) = try Background(["env"] + words, includesErrors: true).finish()
    guard status == 0 else { throw ProgramFailure(command: words.joined(separator: " "), said: said) }
    return said
}

/// Loads a kernel module with parameters, runs a function, and unloads the module even after an error.
func withModule<R>(_ name: String, _ parameters: [String] = [], _ body: () async throws -> R) async throws -> R {
    try runProgram(["modprobe", name] + parameters)
    do {
        let result = try await body()
        try unloadModule(name)
        return result
    } catch {
        try? unloadModule(name)
        throw error
    }
}

/// Unloads a module.
///
/// Tries again for about a second, because devices of the module may still be open.
private func unloadModule(_ name: String) throws {
    for attempt in 1... {
        do {
            try runProgram(["modprobe", "--remove", name])
            return
        } catch {
            if attempt == 40 { throw error }
            usleep(25_000)
        }
    }
}
