internal import PipCompose

/// Reads the key `cameras` of a configuration.
struct CameraReader {
    let file: ConfigurationFile

    /// The keys of a camera that the reader appends to the source's text as options.
    private static let options =
        SourceArgument.cameraOptions + ["seed", "loop", "from", "to", "latency", "transport"]

    func pictures(_ node: YAMLNode) throws(ConfigurationError) -> [RigPicture] {
        var pictures: [RigPicture] = []
        for (name, node) in try file.pairs(of: node, "cameras", "name: {source: camera:0}") {
            pictures.append(try picture(name, node))
        }
        guard !pictures.isEmpty else { throw file.mistake(node, "there are no cameras: add main: {source: …}") }
        return pictures
    }

    private func picture(_ name: String, _ node: YAMLNode) throws(ConfigurationError) -> RigPicture {
        // A scalar is a source in the syntax of the command line.
        if case .scalar = node { return RigPicture(name, try file.value(node, name, SourceArgument.init)) }
        let keys = RigSections.camera
        let members = try file.members(
            of: node, "a camera", known: ["source", "controls"] + keys.map(\.name) + Self.options)
        guard let source = members["source"] else {
            throw file.mistake(node, "\(name) has no source: write source: camera:0, a file or a stream")
        }
        var text = try file.query(source, "source", members, options: Self.options)
        if let controls = members["controls"] {
            for (key, node) in try file.pairs(of: controls, "controls", "name: value") {
                text += "\(text.contains("?") ? "&" : "?")\(try control(key, node))"
            }
        }
        var picture: RigPicture
        do throws(UsageError) { picture = RigPicture(name, try SourceArgument(text)) } catch {
            throw file.mistake(source, error.description)
        }
        for key in keys {
            if let node = members[key.name] { try key.read(node, file, &picture) }
        }
        guard picture.isEnabled || picture.camera != nil else {
            throw file.mistake(node, "\(name) is not a camera, so it cannot be switched off")
        }
        return picture
    }

    /// Writes a control as an option of the source's text.
    ///
    /// The key is a setting of ``/PipCompose/CameraAdjustments``, or the name of a driver's control.
    private func control(_ key: String, _ node: YAMLNode) throws(ConfigurationError) -> String {
        let text = try file.text(node, key)
        if CameraAdjustments.isMeant(key, text) {
            var adjustments = CameraAdjustments()
            do throws(UsageError) { try adjustments.take(key, text) } catch {
                throw file.mistake(node, error.description)
            }
            return "\(key)=\(text)"
        }
        if case .flag(let isOn)? = ParameterValue(text, as: .flag) { return "control.\(key)=\(isOn ? 1 : 0)" }
        guard let value = Int(text) else {
            throw file.mistake(
                node, "\(key) is \(text), but a driver's control takes a whole number, on or off")
        }
        return "control.\(key)=\(value)"
    }
}
