internal import PipCompose

/// Reads a configuration file into a ``RigFile``, and checks its composition.
struct RigFileReader {
    private let file: ConfigurationFile

    init(path: String) throws(ConfigurationError) { file = try ConfigurationFile(path: path) }
    init(_ text: String, path: String) throws(ConfigurationError) { file = try ConfigurationFile(text, path: path) }

    /// The version of the files that are written, and the newest one that is read.
    static let version = 1
    static let keys = [
        "version", "canvas", "cameras", "scenes", "scene", "effects", "overlays", "audio", "telemetry", "tracks",
        "outputs", "stills", "triggers", "panel", "mqtt", "pressure", "match-cameras", "draw", "run", "log",
    ]

    /// Checks that the file, whose version is 1 where it states none, is not of a later version.
    ///
    /// The version is checked before the keys, because a later version may have others.
    private func checkVersion() throws(ConfigurationError) {
        guard case .mapping(let pairs, _) = file.root else { return }
        let node = pairs.first { if case .scalar("version", _) = $0.key { true } else { false } }?.value
        guard let node else { return }
        let version = try file.value(node, "version") { text throws(UsageError) in
            guard let number = Int(text), number > 0 else {
                throw UsageError("\(text) is not the version of a configuration; leave the key out, or write 1")
            }
            return number
        }
        guard version <= Self.version else {
            throw file.mistake(
                node, "it has version \(version), and this program reads version \(Self.version): install a newer one")
        }
    }

    func read() throws(ConfigurationError) -> RigFile {
        try checkVersion()
        let members = try file.members(of: file.root, "a configuration", known: Self.keys)
        var result = RigFile()
        if let node = members["canvas"] {
            try file.read(node, "the canvas", RigSections.canvas, into: &result.rig)
        }
        guard let cameras = members["cameras"] else {
            throw file.mistake(file.root, "there are no cameras: write cameras: {main: {source: camera:0}}")
        }
        result.rig.pictures = try CameraReader(file: file).pictures(cameras)
        try SceneReader(file: file).read(members["scenes"], first: members["scene"], into: &result.rig)
        if let node = members["effects"] { try EffectReader(file: file).read(node, into: &result) }
        if let node = members["overlays"] { result.rig.overlays = try OverlayReader(file: file).overlays(node) }
        let outputs = OutputReader(file: file, pictures: result.rig.pictures.map(\.name))
        if let node = members["audio"] { result.rig.sound = try outputs.sound(node) }
        if let node = members["telemetry"] { result.rig.telemetry = try outputs.telemetry(node) }
        if let node = members["tracks"] { result.rig.tracks = try outputs.tracks(node) }
        if let node = members["outputs"] { try outputs.read(node, into: &result.rig) }
        if let node = members["stills"] { result.rig.stills = try outputs.stills(node) }
        if let node = members["triggers"] { result.rig.triggers = try outputs.triggers(node) }
        if let node = members["match-cameras"] {
            result.rig.matching = try file.value(node, "match-cameras", CameraMatching.init(argument:))
        }
        let run = RunReader(file: file)
        if let node = members["draw"] { try file.read(node, "draw", RigSections.drawing, into: &result.rig.drawing) }
        if let node = members["pressure"] { result.pressure = try run.pressure(node) }
        if let node = members["panel"] { result.panel = try run.panel(node) }
        if let node = members["mqtt"] { result.broker = try run.broker(node) }
        if let node = members["run"] { result.run = try run.run(node) }
        if let node = members["log"] { try file.read(node, "log", RigSections.log, into: &result.log) }
        do throws(RigError) {
            try result.rig.check()
            try result.rig.checkActions()
        } catch {
            throw ConfigurationError(file.path, error.description)
        }
        return result
    }
}

extension ConfigurationFile {
    /// Reads a scalar that must be `on`, `off` or a synonym.
    func flag(_ node: YAMLNode, _ subject: String) throws(ConfigurationError) -> Bool {
        try value(node, subject, Self.flag)
    }

    /// Reads `on` or `off`, or a synonym such as `true` and `no`.
    static func flag(_ text: String) throws(UsageError) -> Bool { try onOff(text, named: "the value") }

    /// Reads a scalar that must be one of `words`.
    func choice(_ node: YAMLNode, _ subject: String, _ words: [String]) throws(ConfigurationError) -> String {
        try value(node, subject) { text throws(UsageError) in
            guard words.contains(text) else { throw NearestName.unknown(subject, text, among: words) }
            return text
        }
    }

    /// Reads a scalar, or a list of scalars, as words.
    func words(_ node: YAMLNode, _ subject: String) throws(ConfigurationError) -> [String] {
        guard case .sequence(let nodes, _) = node else { return [try text(node, subject)] }
        return try nodes.map { (node) throws(ConfigurationError) in try text(node, subject) }
    }

    /// Appends the options in `members` to a path or address: `name?key=value&key=value`.
    ///
    /// - Parameters:
    ///   - node: The path or address, which may have options itself.
    ///   - subject: The key of the path or address.
    ///   - members: The members of the mapping.
    ///   - options: The keys that are options, in the order in which they are written.
    /// - Returns: The path or address with all options.
    /// - Throws: ``ConfigurationError`` for an option's value that contains `&` or `?`.
    func query(
        _ node: YAMLNode, _ subject: String, _ members: [String: YAMLNode], options: [String]
    ) throws(ConfigurationError) -> String {
        var result = try text(node, subject)
        for key in options {
            guard let node = members[key] else { continue }
            // People write `20 GB` with a space; a name or a path keeps its own.
            let isName = ["announce", "certificate", "key"].contains(key)
            let value = try text(node, key).filter { isName || $0 != " " }
            guard !value.contains("&"), !value.contains("?") else {
                throw mistake(node, "\(key) is \(value), but must not contain & or ?")
            }
            result += "\(result.contains("?") ? "&" : "?")\(key)=\(value)"
        }
        return result
    }
}
