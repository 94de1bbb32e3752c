import Foundation

/// The costs of a frame that pip-compose predicts, from `explain --format json`.
struct PlanCosts: Codable, Sendable {
    struct Cost: Codable, Sendable {
        var passes: Int
        var pixelsShaded: Int
        var bytesUploaded: Int
        var bytesReadBack: Int
        var bytesBlitted: Int

        var bytesMoved: Int { bytesUploaded + bytesReadBack + bytesBlitted }
    }

    var renderer: String
    var cost: Cost

    /// Runs an `explain` command and parses the printed plan; nil when the command fails or the plan cannot be parsed.
    static func of(_ command: Command) -> PlanCosts? {
        guard let data = ChildProcess.output(of: command) else { return nil }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try? decoder.decode(PlanCosts.self, from: data)
    }
}

/// The effects that pip-compose has.
enum Catalogue {
    /// The names of a program's effects; empty when the program fails or its output cannot be parsed.
    static func effects(of program: String) -> Set<String> {
        struct Effect: Codable { var name: String }
        guard let data = ChildProcess.output(of: Command([program, "effects", "--json"])),
            let effects = try? JSONDecoder().decode([Effect].self, from: data)
        else { return [] }
        return Set(effects.map(\.name))
    }
}

extension ChildProcess {
    /// The standard output of a command; nil when the command fails.
    static func output(of command: Command) -> Data? {
        let file = NSTemporaryDirectory() + "pip-bench-\(getpid())-output"
        defer { try? FileManager.default.removeItem(atPath: file) }
        guard (try? run(command, output: file)) != nil else { return nil }
        return try? Data(contentsOf: URL(fileURLWithPath: file))
    }
}
