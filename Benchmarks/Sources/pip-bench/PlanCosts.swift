import Foundation

/// What pip-compose says that a frame takes, from `explain --format json`.
struct PlanCosts: Codable, Sendable {
    struct Cost: Codable, Sendable {
        var passes: Int
        var pixelsShaded: Int
        var bytesUploaded: Int
        var bytesReadBack: Int
        var bytesCopied: Int
    }

    var renderer: String
    var cost: Cost

    /// Asks for the plan of a command; nil when it cannot be had.
    static func of(_ command: Command) -> PlanCosts? {
        let file = NSTemporaryDirectory() + "pip-bench-\(getpid())-plan.json"
        defer { try? FileManager.default.removeItem(atPath: file) }
        guard (try? ChildProcess.run(command, output: file)) != nil,
            let data = try? Data(contentsOf: URL(fileURLWithPath: file))
        else { return nil }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try? decoder.decode(PlanCosts.self, from: data)
    }
}
