import Glibc

/// A program of the guest that did not do what it was started for.
struct ProgramFailure: Error, CustomStringConvertible {
    let command: String
    let said: String

    var description: String { "`\(command)` failed: \(said)" }
}

/// Runs a program to its end.
///
/// - Returns: Its standard output.
@discardableResult
func runProgram(_ words: [String]) throws -> String {
    let (said, status) = try Background(["env"] + words, includesErrors: true).finish()
    guard status == 0 else { throw ProgramFailure(command: words.joined(separator: " "), said: said) }
    return said
}

/// Loads a kernel module, does something, and unloads it whatever happened.
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

/// Unloads a module, and waits for the moment that a device takes to be closed.
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
