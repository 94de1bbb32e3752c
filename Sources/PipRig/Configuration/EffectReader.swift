internal import PipCompose

/// Reads the key `effects` of a configuration.
struct EffectReader {
    let file: ConfigurationFile

    /// Reads the effect chains of the cameras and of the output into `result`.
    ///
    /// Remarks on effects that other libraries define differently go to `result.remarks`.
    func read(_ node: YAMLNode, into result: inout RigFile) throws(ConfigurationError) {
        let names = result.rig.pictures.map(\.name) + [Rig.output]
        for (target, node) in try file.pairs(of: node, "effects", "camera: [effect, …]") {
            guard names.contains(target) else {
                throw file.mistake(
                    node, "effects: there is no camera \(target)\(NearestName.hint(for: target, among: names))")
            }
            for link in try chain(node) {
                let id = result.rig.makeID("e")
                result.rig.chains[target, default: []].append(
                    RigEffect(id: id, link.effect, isEssential: link.isEssential, isMuted: link.isMuted))
                if let note = link.note { result.remarks.append("\(file.path), effects of \(target): \(note)") }
            }
        }
    }

    private func chain(_ node: YAMLNode) throws(ConfigurationError) -> [ChainEffect] {
        // A scalar is a chain in the syntax of the command line.
        if case .scalar = node { return try file.value(node, "effects", EffectArgument.chain) }
        var chain: [ChainEffect] = []
        for node in try file.elements(of: node, "a chain of effects") {
            if case .scalar = node {
                chain += try file.value(node, "effects", EffectArgument.chain)
            } else {
                chain.append(try link(node))
            }
        }
        return chain
    }

    private func link(_ node: YAMLNode) throws(ConfigurationError) -> ChainEffect {
        let pairs = try file.pairs(of: node, "an effect", "name: value")
        guard pairs.count == 1, let (name, values) = pairs.first else {
            throw file.mistake(node, "write an effect as one name with its values: {vignette: 0.4}")
        }
        var item = ChainSyntax.Item(name: name)
        var (isEssential, isMuted) = (false, false)
        switch values {
        case .mapping:
            for (key, node) in try file.pairs(of: values, name, "parameter: value") {
                switch key {
                case "essential": isEssential = try file.flag(node, key)
                case "muted": isMuted = try file.flag(node, key)
                default: item.values.append(ChainSyntax.Value(key: key, text: try Self.text(node, key, file)))
                }
            }
        default: item.values.append(ChainSyntax.Value(key: nil, text: try Self.text(values, name, file)))
        }
        do throws(UsageError) {
            var link = try EffectArgument.link(item)
            (link.isEssential, link.isMuted) = (isEssential, isMuted)
            return link
        } catch { throw file.mistake(node, error.description) }
    }

    /// Reads a value as text.
    ///
    /// The elements of a list are joined by spaces, as on the command line.
    private static func text(
        _ node: YAMLNode, _ subject: String, _ file: ConfigurationFile
    ) throws(ConfigurationError) -> String {
        guard case .sequence = node else { return try file.text(node, subject) }
        return try file.words(node, subject).joined(separator: " ")
    }
}
