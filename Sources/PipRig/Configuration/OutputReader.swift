internal import PipCompose

/// Reads the keys `outputs`, `stills`, `triggers`, `telemetry` and `audio` of a configuration.
struct OutputReader {
    let file: ConfigurationFile
    /// The names of the cameras in configuration order.
    let pictures: [String]

    /// The options of all kinds of outputs.
    ///
    /// Each kind's parser refuses the options of the other kinds.
    static let options = [
        "format", "quality", "on-full", "size", "fps", "audio", "audio-bitrate", "codec", "bitrate", "gop", "speed",
        "encoder", "threads", "segment", "event", "lock", "keep", "overwrite", "frames", "rotate", "values", "every",
        "speed-up", "when", "token", "ice", "sdp", "fit", "fullscreen", "display", "certificate", "key", "announce",
    ]

    func read(_ node: YAMLNode, into rig: inout Rig) throws(ConfigurationError) {
        for node in try file.elements(of: node, "outputs") {
            let (text, of, isPaused) = try output(node)
            let sink: SinkArgument
            do throws(UsageError) { sink = try SinkArgument(text) } catch {
                throw file.mistake(node, error.description)
            }
            if let target = sink.picture, target != .output {
                throw file.mistake(node, "\(text): write of: CAMERA for one camera's own picture")
            }
            var output = RigOutput(id: rig.makeID("o"), sink, of: of)
            output.isPaused = isPaused
            rig.outputs.append(output)
        }
    }

    private func output(_ node: YAMLNode) throws(ConfigurationError) -> (text: String, of: String?, isPaused: Bool) {
        if case .scalar = node { return (try file.text(node, "an output"), nil, false) }
        let members = try file.members(of: node, "an output", known: ["to", "of", "paused"] + Self.options)
        guard let to = members["to"] else { throw file.mistake(node, "an output needs a destination: {to: out.mp4}") }
        let text = try file.query(to, "to", members, options: Self.options)
        let of = try members["of"].map { (node) throws(ConfigurationError) in try picture(node) }
        let isPaused = try members["paused"].map { (node) throws(ConfigurationError) in try file.flag(node, "paused") }
        return (text, of == Rig.output ? nil : of, isPaused ?? false)
    }

    func stills(_ node: YAMLNode) throws(ConfigurationError) -> [StillArgument] {
        try file.elements(of: node, "stills").map { (node) throws(ConfigurationError) in
            if case .scalar = node { return try file.value(node, "a still", StillArgument.init) }
            let members = try file.members(of: node, "a still", known: ["to", "of"] + StillArgument.options)
            guard let to = members["to"] else {
                throw file.mistake(node, "a still needs a file: {to: still.jpg}")
            }
            var text = try file.query(to, "to", members, options: StillArgument.options)
            if let of = members["of"] { text = "\(target(try picture(of))):\(text)" }
            do throws(UsageError) { return try StillArgument(text) } catch {
                throw file.mistake(node, error.description)
            }
        }
    }

    func triggers(_ node: YAMLNode) throws(ConfigurationError) -> [TriggerArgument] {
        try file.elements(of: node, "triggers").map { (node) throws(ConfigurationError) in
            if case .scalar = node { return try file.value(node, "a trigger", TriggerArgument.init) }
            let members = try file.members(of: node, "a trigger", known: ["on"] + TriggerArgument.options)
            guard let on = members["on"] else {
                throw file.mistake(node, "a trigger needs a cause: {on: lost, do: clip}")
            }
            var text = try file.text(on, "on")
            for key in TriggerArgument.options {
                guard let node = members[key] else { continue }
                for value in try values(node, key) { text += ",\(key)=\(TriggerText.quoted(value, of: key))" }
            }
            do throws(UsageError) { return try TriggerArgument(text) } catch {
                throw file.mistake(node, error.description)
            }
        }
    }

    func tracks(_ node: YAMLNode) throws(ConfigurationError) -> [TrackArgument] {
        try file.elements(of: node, "tracks").map { (node) throws(ConfigurationError) in
            try file.value(node, "a track", TrackArgument.init)
        }
    }

    func telemetry(_ node: YAMLNode) throws(ConfigurationError) -> [TelemetryArgument] {
        try file.elements(of: node, "telemetry").map { (node) throws(ConfigurationError) in
            if case .scalar = node { return try file.value(node, "a source of values", TelemetryArgument.init) }
            let members = try file.members(
                of: node, "a source of values", known: ["from"] + TelemetryArgument.options)
            guard let from = members["from"] else {
                throw file.mistake(node, "a source of values needs a place: {from: gpsd}")
            }
            var text = try file.text(from, "from")
            for key in TelemetryArgument.options {
                guard let node = members[key] else { continue }
                let value = try file.text(node, key)
                guard !value.contains(",") else { throw file.mistake(node, "\(key) cannot have a comma") }
                text += ",\(key)=\(key == "valid" ? value.filter { $0 != " " } : value)"
            }
            do throws(UsageError) { return try TelemetryArgument(text) } catch {
                throw file.mistake(node, error.description)
            }
        }
    }

    /// Reads the value of a trigger's option, or the list of its actions.
    private func values(_ node: YAMLNode, _ key: String) throws(ConfigurationError) -> [String] {
        guard key == "do", case .sequence(let nodes, _) = node else { return [try file.text(node, key)] }
        return try nodes.map { (node) throws(ConfigurationError) in try file.text(node, key) }
    }

    func sound(_ node: YAMLNode) throws(ConfigurationError) -> [AudioArgument] {
        var list = node
        if case .mapping = node {
            let members = try file.members(of: node, "audio", known: ["inputs"])
            guard let inputs = members["inputs"] else { throw file.mistake(node, "audio needs the key inputs") }
            list = inputs
        }
        return try file.elements(of: list, "inputs").map { (node) throws(ConfigurationError) in
            if case .scalar = node { return try audio(try file.text(node, "a source of sound"), node) }
            let keys = ["source", "gain", "name", "high-pass", "balance", "mute", "loop"]
            let members = try file.members(of: node, "a source of sound", known: keys)
            guard let source = members["source"] else {
                throw file.mistake(node, "a source of sound needs the key source: {source: pulse}")
            }
            var text = try file.text(source, "source")
            for key in keys.dropFirst() {
                guard let node = members[key] else { continue }
                text += ",\(key)=\(try file.text(node, key).filter { $0 != " " })"
            }
            return try audio(text, node)
        }
    }

    /// Parses a source of sound.
    ///
    /// A configuration names cameras, but the command line numbers pictures, so this method replaces the name by the
    /// number.
    private func audio(_ text: String, _ node: YAMLNode) throws(ConfigurationError) -> AudioArgument {
        var text = text
        for prefix in ["camera:", "movie:", "stream:"] where text.hasPrefix(prefix) {
            let name = text.dropFirst(prefix.count).prefix { $0 != "," }
            guard pictures.contains(String(name)) else {
                throw file.mistake(
                    node, "\(text): \(NearestName.unknown("camera", String(name), among: pictures))")
            }
            let rest = text.dropFirst(prefix.count + name.count)
            let options = rest.contains("name=") ? String(rest) : "\(rest),name=\(prefix)\(name)"
            text = "\(prefix)\(target(String(name)))\(options)"
        }
        do throws(UsageError) { return try AudioArgument(text) } catch { throw file.mistake(node, error.description) }
    }

    private func picture(_ node: YAMLNode) throws(ConfigurationError) -> String {
        try file.value(node, "of") { name throws(UsageError) in
            let names = pictures + [Rig.output]
            guard names.contains(name) else { throw NearestName.unknown("camera", name, among: names) }
            return name
        }
    }

    /// The command line's target for a camera's name; the composed picture for any other name.
    private func target(_ name: String) -> PictureTarget {
        guard let index = pictures.firstIndex(of: name) else { return .output }
        return index == 0 ? .main : .inset(index - 1)
    }
}
