internal import PipCompose

/// Reads the keys `scenes` and `scene` of a configuration.
struct SceneReader {
    let file: ConfigurationFile

    /// Reads all scenes into `rig`, and shows the scene that the key `scene` selects, or else the first one.
    ///
    /// Without scenes, the first camera fills the canvas and the others are insets.
    func read(_ node: YAMLNode?, first: YAMLNode?, into rig: inout Rig) throws(ConfigurationError) {
        let names = rig.pictures.map(\.name)
        if let node {
            for (name, node) in try file.pairs(of: node, "scenes", "name: {main: camera, insets: […]}") {
                guard RigScene.isName(name) else {
                    throw file.mistake(
                        node,
                        "\"\(name)\" is not a valid name for a scene: use 1 to 64 Unicode code points, no / and no "
                            + "control character, but not . or ..")
                }
                rig.scenes.append(RigScene(name, try layers(node, names)))
            }
        }
        if let first {
            rig.scene = try file.choice(first, "scene", rig.scenes.map(\.name))
        } else {
            rig.scene = rig.scenes.first?.name
        }
        let shown = rig.scenes.first { $0.name == rig.scene }
        rig.layers = shown?.layers ?? Self.usual(names)
    }

    /// The default layers: the first picture fills the canvas, and the others are insets.
    private static func usual(_ names: [String]) -> [RigLayer] {
        names.enumerated().map { index, name in
            index == 0 ? RigLayer(name) : RigLayer(name, InsetLayout(), usual: Layout.inset(at: index - 1))
        }
    }

    private func layers(_ node: YAMLNode, _ names: [String]) throws(ConfigurationError) -> [RigLayer] {
        let members = try file.members(of: node, "a scene", known: ["main", "insets", "layout", "of", "layers"])
        if let list = members["layers"] {
            try refuse(members, beside: "layers")
            return try file.elements(of: list, "layers").map { (node) throws(ConfigurationError) in
                try layer(node, names, usual: .full)
            }
        }
        if let layout = members["layout"] { return try whole(layout, members, names) }
        var layers: [RigLayer] = []
        if let main = members["main"] {
            if case .scalar = main {
                layers.append(RigLayer(try picture(main, names)))
            } else {
                layers.append(try layer(main, names, usual: .full))
            }
        }
        if let of = members["of"] {
            throw file.mistake(of, "\"of\" is for a scene with the key layout: add layout, or write main and insets")
        }
        guard let insets = members["insets"] else {
            guard !layers.isEmpty else { throw file.mistake(node, "a scene needs main, insets, layout or layers") }
            return layers
        }
        for (index, node) in try file.elements(of: insets, "insets").enumerated() {
            layers.append(try layer(node, names, usual: Layout.inset(at: index)))
        }
        return layers
    }

    private func refuse(_ members: [String: YAMLNode], beside key: String) throws(ConfigurationError) {
        for other in ["main", "insets", "layout", "of"] where other != key {
            if let node = members[other] {
                throw file.mistake(node, "\(other) and \(key) exclude each other: give one")
            }
        }
    }

    /// The layers of a scene with the key `layout`: one for each camera in `of`, or for all cameras without `of`.
    private func whole(
        _ node: YAMLNode, _ members: [String: YAMLNode], _ names: [String]
    ) throws(ConfigurationError) -> [RigLayer] {
        for key in ["main", "insets"] {
            if let node = members[key] {
                throw file.mistake(node, "\(key) and layout exclude each other: list the cameras under of")
            }
        }
        let layout: Layout = try file.value(node, "layout") { text throws(UsageError) in
            try known(text, as: "layout")
        }
        var shown = names
        if let of = members["of"] {
            shown = try file.elements(of: of, "of").map { (node) throws(ConfigurationError) in try picture(node, names)
            }
        }
        return zip(shown, layout.placements(count: shown.count)).map { name, place in
            var layer = RigLayer(name)
            layer.isVisible = place != nil
            if let place { layer.placement = place }
            return layer
        }
    }

    private func layer(_ node: YAMLNode, _ names: [String], usual: Placement) throws(ConfigurationError) -> RigLayer {
        if case .scalar = node { return RigLayer(try picture(node, names), InsetLayout(), usual: usual) }
        guard case .mapping(let mapping, _) = node else {
            throw file.mistake(node, "write a layer as {of: camera, at: top-right, width: 25%}")
        }
        let members = try file.members(of: node, "a layer", known: ["of"] + LayerItems.keys)
        guard let of = members["of"] else { throw file.mistake(node, "a layer needs a camera: {of: camera}") }
        var layer = RigLayer(try picture(of, names))
        layer.placement = usual
        if members["width"] == nil, members["height"] != nil { layer.placement.width = nil }
        for (key, value) in mapping {
            guard case .scalar(let name, _) = key, name != "of" else { continue }
            let text = try file.text(value, name)
            do throws(UsageError) { layer = try LayerItems.layer(layer, with: [(name, text)]) } catch {
                throw file.mistake(value, error.description)
            }
        }
        return layer
    }

    private func picture(_ node: YAMLNode, _ names: [String]) throws(ConfigurationError) -> String {
        let name = try file.text(node, "a camera's name")
        guard names.contains(name) else {
            throw file.mistake(node, "there is no camera \(name)\(NearestName.hint(for: name, among: names))")
        }
        return name
    }
}
