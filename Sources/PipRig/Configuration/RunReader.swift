internal import Foundation
internal import PipCompose
internal import Yams

/// Reads the keys of a configuration that say how it runs: `draw`, `pressure`, `panel`, `run` and `log`.
struct RunReader {
    let file: ConfigurationFile

    func drawing(_ node: Node) throws(ConfigurationError) -> RigDrawing {
        let members = try file.members(of: node, "draw", known: ["renderer", "threads", "fuse", "share-buffers"])
        var drawing = RigDrawing()
        if let node = members["renderer"] {
            drawing.renderer =
                switch try file.choice(node, "renderer", ["auto", "gl", "cpu"]) {
                case "gl": .gl
                case "cpu": .cpu
                default: .automatic
                }
        }
        if let node = members["threads"] {
            drawing.threads = try file.value(node, "threads") { text throws(UsageError) in
                try number(text, in: 1...256, named: "threads")
            }
        }
        if let node = members["fuse"] { drawing.fuses = try file.flag(node, "fuse") }
        if let node = members["share-buffers"] {
            drawing.sharing =
                switch try file.choice(node, "share-buffers", ["auto", "always", "never"]) {
                case "always": .always
                case "never": .never
                default: .automatic
                }
        }
        return drawing
    }

    func pressure(_ node: Node) throws(ConfigurationError) -> RigFile.PressureWish {
        var pressure = RigFile.PressureWish()
        if case .scalar = node {
            (pressure.policy, pressure.policyPath) = try policy(node)
            return pressure
        }
        let members = try file.members(
            of: node, "pressure", known: ["policy", "pin", "wait", "root"] + PolicyFile.keys)
        if let node = members["policy"] {
            (pressure.policy, pressure.policyPath) = try policy(node)
        } else if PolicyFile.keys.contains(where: { members[$0] != nil }) {
            pressure.policy = try PolicyFile(file).policy(members)
        }
        if let node = members["pin"] { pressure.pinned = try file.value(node, "pin", PressureLevel.init(argument:)) }
        if let node = members["wait"] { pressure.waits = try file.flag(node, "wait") }
        if let node = members["root"] {
            pressure.root = try file.text(node, "root")
            guard FileManager.default.isReadableFile(atPath: pressure.root + "/.") else {
                throw file.mistake(node, "root: \(pressure.root) is not a folder that can be read")
            }
        }
        return pressure
    }

    /// A policy by its name, or from a file of its own.
    private func policy(_ node: Node) throws(ConfigurationError) -> (PressurePolicy, path: String?) {
        switch try file.value(node, "pressure", PolicyArgument.init) {
        case .preset(let policy): (policy, nil)
        case .file(let path): (try PolicyFile(path: path).policy(), path)
        }
    }

    func panel(_ node: Node) throws(ConfigurationError) -> RigFile.PanelWish {
        if case .scalar = node { return RigFile.PanelWish(try file.text(node, "panel")) }
        let members = try file.members(of: node, "the panel", known: ["listen", "token", "root", "hosts", "origins"])
        guard let listen = members["listen"] else {
            throw file.mistake(node, "the panel says where it listens: {listen: 127.0.0.1:8080}")
        }
        var panel = RigFile.PanelWish(try file.text(listen, "listen"))
        if let node = members["token"] { panel.token = try file.text(node, "token") }
        if let node = members["root"] { panel.root = try file.text(node, "root") }
        if let node = members["hosts"] { panel.hosts = try file.words(node, "hosts") }
        if let node = members["origins"] { panel.origins = try file.words(node, "origins") }
        return panel
    }

    func run(_ node: Node) throws(ConfigurationError) -> RigFile.RunWish {
        let members = try file.members(
            of: node, "run", known: ["duration", "frames", "require-both", "realtime", "stats"])
        var run = RigFile.RunWish()
        if let node = members["duration"] { run.duration = try file.value(node, "duration", Duration.init(argument:)) }
        if let node = members["frames"] {
            run.frames = try file.value(node, "frames") { text throws(UsageError) in
                try number(text, in: 1...1_000_000_000, named: "frames")
            }
            if members["duration"] != nil { throw file.mistake(node, "duration and frames exclude each other") }
        }
        if let node = members["require-both"] { run.requiresCameras = try file.flag(node, "require-both") }
        if let node = members["realtime"] { run.isRealTime = try file.flag(node, "realtime") }
        if let node = members["stats"] { run.statistics = try file.text(node, "stats") }
        return run
    }

    func log(_ node: Node) throws(ConfigurationError) -> RigFile.LogWish {
        let members = try file.members(of: node, "log", known: ["format", "level"])
        var log = RigFile.LogWish()
        if let node = members["format"] { log.format = try file.choice(node, "format", ["text", "json"]) }
        if let node = members["level"] { log.level = try file.choice(node, "level", ["quiet", "normal", "verbose"]) }
        return log
    }
}
