internal import PipCompose

/// Reads the sections `pressure`, `panel`, `mqtt` and `run` of a configuration.
struct RunReader {
    let file: ConfigurationFile

    func pressure(_ node: YAMLNode) throws(ConfigurationError) -> RigFile.PressureSettings {
        var pressure = RigFile.PressureSettings()
        if case .scalar = node {
            (pressure.policy, pressure.policyPath) = try policy(node)
            return pressure
        }
        let members = try file.read(
            node, "pressure", RigSections.pressure, others: ["policy"] + PolicyFile.keys, into: &pressure)
        if let node = members["policy"] {
            (pressure.policy, pressure.policyPath) = try policy(node)
        } else if PolicyFile.keys.contains(where: { members[$0] != nil }) {
            pressure.policy = try PolicyFile(file).policy(members)
        }
        return pressure
    }

    /// Reads a policy that is given as a preset's name or as the path of a file.
    private func policy(_ node: YAMLNode) throws(ConfigurationError) -> (PressurePolicy, path: String?) {
        switch try file.value(node, "pressure", PolicyArgument.init) {
        case .preset(let policy): (policy, nil)
        case .file(let path): (try PolicyFile(path: path).policy(), path)
        }
    }

    func panel(_ node: YAMLNode) throws(ConfigurationError) -> RigFile.PanelSettings {
        if case .scalar = node { return RigFile.PanelSettings(try file.text(node, "panel")) }
        var panel = RigFile.PanelSettings("")
        let members = try file.read(node, "the panel", RigSections.panel, into: &panel)
        guard members["listen"] != nil else {
            throw file.mistake(node, "the panel needs an address: {listen: 127.0.0.1:8080}")
        }
        return panel
    }

    func broker(_ node: YAMLNode) throws(ConfigurationError) -> BrokerArgument {
        if case .scalar = node { return try file.value(node, "mqtt", BrokerArgument.init) }
        let members = try file.members(of: node, "mqtt", known: ["broker"] + BrokerArgument.options)
        guard let broker = members["broker"] else {
            throw file.mistake(node, "mqtt needs a broker: {broker: mqtt://HOST}")
        }
        let text = try file.query(broker, "broker", members, options: BrokerArgument.options)
        do throws(UsageError) { return try BrokerArgument(text) } catch {
            throw file.mistake(node, error.description)
        }
    }

    func run(_ node: YAMLNode) throws(ConfigurationError) -> RigFile.RunSettings {
        var run = RigFile.RunSettings()
        let members = try file.read(node, "run", RigSections.run, into: &run)
        if let frames = members["frames"], members["duration"] != nil {
            throw file.mistake(frames, "duration and frames exclude each other: give one")
        }
        return run
    }
}
