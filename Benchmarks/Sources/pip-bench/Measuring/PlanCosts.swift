import Foundation

/// The costs of a frame as pip-compose predicts them, from `explain --format json`.
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

    /// Runs `explain` and reads its plan; nil for a command that fails.
    static func of(_ command: Command) -> PlanCosts? {
        guard let data = ChildProcess.output(of: command) else { return nil }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try? decoder.decode(PlanCosts.self, from: data)
    }
}

/// pip-compose's own catalogue of effects.
enum Catalogue {
    /// The names of the effects; empty for a program that fails.
    static func effects(of program: String) -> Set<String> {
        struct Effect: Codable { var name: String }
        guard let data = ChildProcess.output(of: Command([program, "effects", "--json"])),
            let effects = try? JSONDecoder().decode([Effect].self, from: data)
        else { return [] }
        return Set(effects.map(\.name))
    }
}

extension ChildProcess {
    /// A command's standard output; nil when it fails.
    static func output(of command: Command) -> Data? {
        let file = NSTemporaryDirectory() + "pip-bench-\(getpid())-output"
        defer { try? FileManager.default.removeItem(atPath: file) }
        guard (try? run(command, output: file)) != nil else { return nil }
        return try? Data(contentsOf: URL(fileURLWithPath: file))
    }
}
