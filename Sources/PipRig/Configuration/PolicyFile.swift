package import PipCompose

/// Reads a pressure policy from YAML.
///
/// ```yaml
/// steps:                        # or preset: keep-fps
///   - {at: fair, do: inset-rate, to: 15}
///   - {at: critical, do: inset-off}
///   - {at: critical, do: main-resolution, to: 1280x720, after: 20s}
///   - {at: shutdown, do: stop}
/// timing: {camera-hold: 60s}
/// thresholds:                   # in °C, in place of a thermometer's own limits
///   cpu-thermal: {fair: 65, serious: 72, critical: 78, shutdown: 84}
/// ```
package struct PolicyFile {
    private let file: ConfigurationFile

    /// The largest number of steps in a policy.
    private static let stepLimit = 64
    private static let mitigations = [
        "inset-rate", "effects", "bit-rate", "fast-encoding", "inset-resolution", "main-rate", "inset-off",
        "main-resolution", "pause", "stop",
    ]
    private static var levels: [RigKey<LevelThresholds>] {
        func key(_ name: String, _ path: WritableKeyPath<LevelThresholds, Double?>) -> RigKey<LevelThresholds> {
            .optional(name, path, RigSchema.number("Degrees Celsius."), read: celsius)
        }
        return [
            key("fair", \.fair), key("serious", \.serious), key("critical", \.critical), key("shutdown", \.shutdown),
        ]
    }
    private static var times: [RigKey<PressureTiming>] {
        func key(_ name: String, _ path: WritableKeyPath<PressureTiming, Duration>) -> RigKey<PressureTiming> {
            .value(name, path, usual: .zero, RigSchema.reference("time"), read: Duration.init(argument:))
        }
        return [
            key("restore-interval", \.restoreInterval), key("dwell", \.dwell), key("camera-hold", \.cameraHold),
            key("relapse-window", \.relapseWindow), key("relapse-hold", \.relapseHold),
            key("longest-hold", \.longestHold),
        ]
    }

    package init(path: String) throws(ConfigurationError) { file = try ConfigurationFile(path: path) }

    /// Parses the YAML text of a policy.
    ///
    /// Messages name the file by `path`.
    package init(_ text: String, path: String) throws(ConfigurationError) {
        file = try ConfigurationFile(text, path: path)
    }

    /// Prepares to read a policy that is a section of another file.
    init(_ file: ConfigurationFile) { self.file = file }

    /// The keys that a policy may have.
    static let keys = ["preset", "steps", "timing", "thresholds"]

    /// Reads the whole file as a policy.
    package func policy() throws(ConfigurationError) -> PressurePolicy {
        try policy(try file.members(of: file.root, "a policy", known: Self.keys))
    }

    /// Reads the members of a mapping as a policy.
    func policy(_ members: [String: YAMLNode]) throws(ConfigurationError) -> PressurePolicy {
        var policy = PressurePolicy.balanced
        switch (members["preset"], members["steps"]) {
        case (let preset?, nil): policy = try file.value(preset, "preset", PressurePolicy.preset(named:))
        case (nil, let list?): policy = try self.policy(of: list)
        case (let preset?, _?): throw file.mistake(preset, "preset and steps exclude each other: give one")
        case (nil, nil): throw file.mistake(file.root, "a policy needs a preset or steps")
        }
        if let node = members["timing"] { try file.read(node, "timing", Self.times, into: &policy.timing) }
        do throws(PressurePolicyError) {
            policy = try PressurePolicy(name: policy.name, steps: policy.steps, timing: policy.timing)
        } catch {
            throw file.mistake(members["timing"] ?? file.root, error.description)
        }
        if let node = members["thresholds"] { policy.thresholds = try thresholds(node) }
        return policy
    }

    private func policy(of list: YAMLNode) throws(ConfigurationError) -> PressurePolicy {
        let nodes = try file.elements(of: list, "steps")
        guard nodes.count <= Self.stepLimit else {
            throw file.mistake(
                list, "a policy may have \(Self.stepLimit) steps at most, and this one has \(nodes.count)")
        }
        var steps: [PressureStep] = []
        for node in nodes {
            steps.append(try step(node))
            // Checks after every step, so that an error names the line of the faulty step.
            do throws(PressurePolicyError) { _ = try PressurePolicy(steps: steps) } catch {
                throw file.mistake(node, error.description)
            }
        }
        do throws(PressurePolicyError) { return try PressurePolicy(steps: steps) } catch {
            throw file.mistake(list, error.description)
        }
    }

    private func step(_ node: YAMLNode) throws(ConfigurationError) -> PressureStep {
        let members = try file.members(of: node, "a step", known: ["at", "do", "to", "after"])
        guard let at = members["at"], let what = members["do"] else {
            throw file.mistake(node, "a step needs a level (at) and an action (do)")
        }
        let level = try file.value(at, "at", PressureLevel.init(argument:))
        let delay = try members["after"].map { (node) throws(ConfigurationError) in
            try file.value(node, "after", Duration.init(argument:))
        }
        return PressureStep(at: level, try mitigation(what, members["to"]), after: delay ?? .zero)
    }

    private func mitigation(_ what: YAMLNode, _ target: YAMLNode?) throws(ConfigurationError) -> PressureMitigation {
        let name = try file.text(what, "do")
        func needed() throws(ConfigurationError) -> YAMLNode {
            guard let target else { throw file.mistake(what, "\(name) needs a target: add the key \"to\"") }
            return target
        }
        func alone(_ mitigation: PressureMitigation) throws(ConfigurationError) -> PressureMitigation {
            if let target { throw file.mistake(target, "\(name) takes no target: remove the key \"to\"") }
            return mitigation
        }
        switch name {
        case "inset-rate": return .insetRate(try file.value(try needed(), name, FrameRate.init(argument:)))
        case "main-rate": return .mainRate(try file.value(try needed(), name, FrameRate.init(argument:)))
        case "inset-resolution": return .insetResolution(try file.value(try needed(), name, Self.size))
        case "main-resolution": return .mainResolution(try file.value(try needed(), name, Self.size))
        case "effects": return .effects(try file.value(try needed(), name, EffectQuality.init(argument:)))
        case "bit-rate": return .bitRate(try file.value(try needed(), name, Self.share))
        case "fast-encoding": return try alone(.fastEncoding)
        case "inset-off": return try alone(.insetOff)
        case "pause": return try alone(.pause)
        case "stop": return try alone(.stop)
        default:
            throw file.mistake(
                what, "there is no action \(name)\(NearestName.hint(for: name, among: Self.mitigations))")
        }
    }

    private func thresholds(_ node: YAMLNode) throws(ConfigurationError) -> [String: LevelThresholds] {
        var all: [String: LevelThresholds] = [:]
        for (sensor, node) in try file.pairs(of: node, "thresholds", "sensor: {level: degrees}") {
            var thresholds = LevelThresholds()
            try file.read(node, "the entry of \(sensor)", Self.levels, into: &thresholds)
            all[sensor] = thresholds
            // Checks every entry by itself, so that an error names the line of the faulty entry.
            do throws(PressurePolicyError) {
                _ = try PressurePolicy(steps: [], thresholds: [sensor: thresholds])
            } catch {
                throw file.mistake(node, error.description)
            }
        }
        return all
    }

    private static func share(_ text: String) throws(UsageError) -> Double {
        let number = text.hasSuffix("%") ? text.dropLast().filter { $0 != " " } : ""
        guard let value = Double(number), value.isFinite else {
            throw UsageError("\(text) is not a share of the bit rate: write 50%, for half of it")
        }
        return value / 100
    }

    private static func celsius(_ text: String) throws(UsageError) -> Double {
        guard let value = Double(text), value.isFinite else {
            throw UsageError("\(text) is not a temperature: write degrees Celsius, such as 75")
        }
        return value
    }

    private static func size(_ text: String) throws(UsageError) -> PixelSize { try PixelSize(argument: text) }
}
