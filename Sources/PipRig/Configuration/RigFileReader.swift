internal import PipCompose
internal import Yams

/// Reads a ``RigFile``.
struct RigFileReader {
    private let file: ConfigurationFile

    init(path: String) throws(ConfigurationError) { file = try ConfigurationFile(path: path) }
    init(_ text: String, path: String) throws(ConfigurationError) { file = try ConfigurationFile(text, path: path) }

    static let keys = [
        "canvas", "cameras", "scenes", "scene", "effects", "overlays", "audio", "outputs", "stills", "panel",
        "pressure", "match-cameras", "draw", "run", "log",
    ]

    func read() throws(ConfigurationError) -> RigFile {
        let members = try file.members(of: file.root, "a configuration", known: Self.keys)
        var result = RigFile()
        if let node = members["canvas"] { try readCanvas(node, &result.rig) }
        guard let cameras = members["cameras"] else {
            throw file.mistake(file.root, "there are no cameras: write cameras: {main: {source: camera:0}}")
        }
        result.rig.pictures = try CameraReader(file: file).pictures(cameras)
        try SceneReader(file: file).read(members["scenes"], first: members["scene"], into: &result.rig)
        if let node = members["effects"] { try EffectReader(file: file).read(node, into: &result.rig) }
        if let node = members["overlays"] { result.rig.overlays = try OverlayReader(file: file).overlays(node) }
        let outputs = OutputReader(file: file, pictures: result.rig.pictures.map(\.name))
        if let node = members["audio"] { result.rig.sound = try outputs.sound(node) }
        if let node = members["outputs"] { try outputs.read(node, into: &result.rig) }
        if let node = members["stills"] { result.rig.stills = try outputs.stills(node) }
        if let node = members["match-cameras"] {
            result.rig.matching = try file.value(node, "match-cameras", CameraMatching.init(argument:))
        }
        let run = RunReader(file: file)
        if let node = members["draw"] { result.rig.drawing = try run.drawing(node) }
        if let node = members["pressure"] { result.pressure = try run.pressure(node) }
        if let node = members["panel"] { result.panel = try run.panel(node) }
        if let node = members["run"] { result.run = try run.run(node) }
        if let node = members["log"] { result.log = try run.log(node) }
        do throws(RigError) { try result.rig.check() } catch {
            throw ConfigurationError(file.path, error.description)
        }
        return result
    }

    private func readCanvas(_ node: Node, _ rig: inout Rig) throws(ConfigurationError) {
        let members = try file.members(of: node, "the canvas", known: ["size", "fps", "light"])
        rig.canvas = try members["size"].map { (node) throws(ConfigurationError) in
            try file.value(node, "size") { text throws(UsageError) in try PixelSize(argument: text) }
        }
        rig.clock = try members["fps"].map { (node) throws(ConfigurationError) in
            try file.value(node, "fps", ClockArgument.init)
        }
        if let node = members["light"] {
            let word = try file.choice(node, "light", Compositor.Light.allCases.map(\.rawValue))
            rig.light = Compositor.Light(rawValue: word) ?? .encoded
        }
    }
}

extension ConfigurationFile {
    /// A switch.
    func flag(_ node: Node, _ subject: String) throws(ConfigurationError) -> Bool {
        try value(node, subject) { text throws(UsageError) in
            guard case .flag(let isOn)? = ParameterValue(text, as: .flag) else {
                throw UsageError("\(text) is neither on nor off")
            }
            return isOn
        }
    }

    /// One of some words.
    func choice(_ node: Node, _ subject: String, _ words: [String]) throws(ConfigurationError) -> String {
        try value(node, subject) { text throws(UsageError) in
            guard words.contains(text) else {
                throw UsageError("there is no \(text)\(NearestName.hint(for: text, among: words))")
            }
            return text
        }
    }

    /// A word, or several as a list.
    func words(_ node: Node, _ subject: String) throws(ConfigurationError) -> [String] {
        guard case .sequence(let nodes) = node else { return [try text(node, subject)] }
        return try nodes.map { (node) throws(ConfigurationError) in try text(node, subject) }
    }

    /// An address or a path with options: `name?key=value&key=value`.
    ///
    /// - Parameters:
    ///   - name: The name, which may have options already.
    ///   - options: Further ones, with their nodes for messages.
    /// - Returns: The name with all options behind it.
    /// - Throws: ``ConfigurationError`` for a value that cannot stand there.
    func query(_ name: String, _ options: [(key: String, node: Node)]) throws(ConfigurationError) -> String {
        var result = name
        var separator = name.contains("?") ? "&" : "?"
        for (key, node) in options {
            // `20 GB` as people write it.
            let value = try text(node, key).filter { $0 != " " }
            guard !value.contains("&"), !value.contains("?") else {
                throw mistake(node, "\(key) is \(value), which has a & or a ? in it")
            }
            result += "\(separator)\(key)=\(value)"
            separator = "&"
        }
        return result
    }
}
