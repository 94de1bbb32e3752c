import Foundation

/// A control group (cgroup) with limits for its processes.
struct ControlGroup {
    let folder: String

    /// Makes a group with limits such as `("cpu.max", "25000 100000")`, runs a function, and removes the group.
    static func with<R>(
        _ limits: [(file: String, value: String)], _ body: (ControlGroup) async throws -> R
    ) async throws -> R {
        let root = "/sys/fs/cgroup"
        try write("+cpu +memory", to: "\(root)/cgroup.subtree_control")
        let group = ControlGroup(folder: "\(root)/pip-test")
        try FileManager.default.createDirectory(atPath: group.folder, withIntermediateDirectories: true)
        defer { _ = unsafe rmdir(group.folder) }
        for limit in limits { try write(limit.value, to: "\(group.folder)/\(limit.file)") }
        return try await body(group)
    }

    /// The number after a key in a file of the group, such as `oom_kill` in `memory.events`; nil without the key.
    func number(_ key: String, in file: String) throws -> Int? {
        let lines = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8).split(separator: "\n")
        return lines.first { $0.hasPrefix("\(key) ") }.flatMap { Int($0.dropFirst(key.count + 1)) }
    }

    /// Runs `pip-compose` in a group, or in the group of this process if `group` is nil.
    ///
    /// - Returns: The statistics that the program wrote.
    static func compose(_ arguments: String, in group: ControlGroup?) throws -> [String: Any] {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "pip-compose").path
        let join = group.map { "echo $$ >\($0.folder)/cgroup.procs; " } ?? ""
        try runProgram(["sh", "-c", "\(join)exec \(program) \(arguments) --quiet --stats /run/pip-stats.json"])
        let data = try Data(contentsOf: URL(filePath: "/run/pip-stats.json"))
        return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }

    private static func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
    }
}
