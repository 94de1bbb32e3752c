#if Control
internal import PipCompose
internal import PipRig

/// The endpoints of layers and scenes.
struct LayerEndpoints {
    let context: PanelContext

    private static let base = "/api/v1"

    var routes: [Route] { layerRoutes + sceneRoutes }

    private var layerRoutes: [Route] {
        [
            Route(
                method: "PATCH", path: "\(Self.base)/layers/{id}", summary: "Changes a layer's place and look.",
                body: Schema.object(Schema.layer + [.init("duration", Schema.duration)]),
                answer: AnswerSchema.reference("layer"), handler: patchLayer),
            Route(
                method: "PATCH", path: "\(Self.base)/scene", summary: "Changes several layers at once.",
                body: Schema.object(
                    [
                        "layers": .object(["type": "object", "additionalProperties": Schema.object(Schema.layer)]),
                        "duration": Schema.duration,
                    ], required: ["layers"]), answer: Self.layersAnswer, handler: patchScene),
            Route(
                method: "POST", path: "\(Self.base)/swap",
                summary: "Exchanges two layers' pictures: those of a and b, or of the two visible layers.",
                body: Schema.object([
                    "a": Schema.text(nullable: true), "b": Schema.text(nullable: true), "duration": Schema.duration,
                ]),
                answer: Self.layersAnswer, handler: swap),
            Route(
                method: "GET", path: "\(Self.base)/layer", summary: "The layer at a point of the picture.",
                query: [("x", Schema.number(0...65536)), ("y", Schema.number(0...65536))], answer: Self.hitAnswer,
                handler: hit),
        ]
    }

    private var sceneRoutes: [Route] {
        [
            Route(
                method: "PUT", path: "\(Self.base)/scenes/{name}", summary: "Saves the present layers as a scene.",
                body: Schema.object([:]), answer: Self.nameAnswer, handler: save),
            Route(
                method: "PATCH", path: "\(Self.base)/scenes/{name}", summary: "Renames a scene.",
                body: Schema.object(["name": Schema.sceneName], required: ["name"]), answer: Self.nameAnswer,
                handler: rename
            ),
            Route(
                method: "DELETE", path: "\(Self.base)/scenes/{name}", summary: "Forgets a scene.", status: 204,
                handler: delete),
            Route(
                method: "POST", path: "\(Self.base)/scenes/{name}/activate", summary: "Shows a scene.",
                body: Schema.object([
                    "transition": Schema.choice(["cut", "fade", "slide"], nullable: true), "duration": Schema.duration,
                ]), answer: Self.layersAnswer, handler: activate),
        ]
    }

    private static let layersAnswer = AnswerSchema.record(["layers": AnswerSchema.list(AnswerSchema.reference("layer"))]
    )
    private static let nameAnswer = AnswerSchema.record(["name": AnswerSchema.text])
    private static let hitAnswer = AnswerSchema.record(["layer": AnswerSchema.optional("string")])

    private func patchLayer(_ request: PanelRequest) async throws -> PanelResponse {
        let fields = request.fields
        let items = try Self.items(fields)
        let id = request[variable: "id"]
        try await context.change(request, by: try fields.duration().map { LiveRig.Motion($0) }) { rig in
            try Self.change(id, items, &rig)
        }
        return try layer(id)
    }

    private func patchScene(_ request: PanelRequest) async throws -> PanelResponse {
        let fields = request.fields
        var changes: [(String, [(key: String, text: String?)])] = []
        for (name, value) in try Fields(fields["layers"] ?? .null, of: nil, named: "layers").all {
            let properties = try Fields(value, of: Schema.object(Schema.layer), named: "the layer \(name)")
            changes.append((name, try Self.items(properties)))
        }
        try await context.change(request, by: try fields.duration().map { LiveRig.Motion($0) }) { [changes] rig in
            for (name, items) in changes { try Self.change(name, items, &rig) }
        }
        return layers
    }

    private static func items(_ fields: Fields) throws(Problem) -> [(key: String, text: String?)] {
        var items: [(key: String, text: String?)] = []
        for (key, value) in fields.all where key != "duration" {
            try checkKind(value, of: key)
            let text = try Fields.argument(value, key)
            if key == "width" || key == "height", let side = text.flatMap({ Double($0) }),
                side > Double(Schema.largestSide)
            {
                throw Problem(422, "\(key) is \(text ?? ""), but must be at most \(Schema.largestSide)")
            }
            if text?.isEmpty == true { throw Problem(422, "\(key) is empty") }
            items.append((key, text))
        }
        return items
    }

    private static func checkKind(_ value: JSON, of key: String) throws(Problem) {
        if value == .null { return }
        let wanted: String
        switch key {
        case "visible", "mirror":
            if case .bool = value { return }
            wanted = "true or false"
        case "at", "border", "fit", "crop", "blend", "sampling":
            if case .string = value { return }
            wanted = "a text"
        default:
            if case .integer = value { return }
            if case .number = value { return }
            let isLength = key == "width" || key == "height"
            if isLength, case .string = value { return }
            wanted = isLength ? "a number of pixels or a text such as 25%" : "a number"
        }
        throw Problem(422, "\(key) must be \(wanted)")
    }

    private static func change(_ name: String, _ items: [(key: String, text: String?)], _ rig: inout Rig) throws {
        guard let index = rig.layers.firstIndex(where: { $0.picture == name }) else {
            try rig.checkPicture(name, for: "layers")
            // The picture has no layer, so the request adds one.
            rig.layers.append(try LayerItems.layer(RigLayer(name), with: items))
            return
        }
        rig.layers[index] = try LayerItems.layer(rig.layers[index], with: items)
    }

    private func swap(_ request: PanelRequest) async throws -> PanelResponse {
        let fields = request.fields
        let (first, second) = (try fields.text("a"), try fields.text("b"))
        let motion = try fields.duration().map { LiveRig.Motion($0) }
        try await context.change(request, by: motion) { rig in
            let visible = rig.layers.indices.filter { rig.layers[$0].isVisible }
            func index(_ name: String?, _ usual: Int) throws -> Int {
                guard let name else {
                    guard visible.count == 2 else {
                        throw RigError(
                            .conflict,
                            "name the layers to swap as a and b: \(visible.count) layers are visible, not 2")
                    }
                    return visible[usual]
                }
                guard let index = rig.layers.firstIndex(where: { $0.picture == name }) else {
                    throw RigError(.unknown, "there is no layer \(name)")
                }
                return index
            }
            let (a, b) = (try index(first, 0), try index(second, 1))
            guard a != b else { throw RigError(.conflict, "a and b must be two different layers") }
            (rig.layers[a].picture, rig.layers[b].picture) = (rig.layers[b].picture, rig.layers[a].picture)
        }
        return layers
    }

    private func hit(_ request: PanelRequest) async throws -> PanelResponse {
        guard let x = Double(request.query["x"] ?? "0"), let y = Double(request.query["y"] ?? "0"), x.isFinite,
            y.isFinite,
            (0...65536).contains(x), (0...65536).contains(y)
        else { throw Problem(422, "x and y must be numbers of pixels from 0 to 65536") }
        let layers = context.live.snapshot.layers
        guard let compositor = layers.values.first?.compositor,
            let hit = context.live.session.layer(atX: x, y: y, of: compositor),
            let name = layers.first(where: { $0.value == hit.layer })?.key
        else { return .json(.object(["layer": JSON.null])) }
        return .json(
            .object([
                "layer": name, "source": name, "x": JSON.number(hit.x, decimals: 2),
                "y": JSON.number(hit.y, decimals: 2),
            ]))
    }

    // MARK: Scenes

    private func save(_ request: PanelRequest) async throws -> PanelResponse {
        let name = try Self.sceneName(request[variable: "name"])
        try await context.change(request) { rig in
            guard rig.scenes.count < 256 || rig.scenes.contains(where: { $0.name == name }) else {
                throw RigError(.conflict, "there are 256 scenes, the maximum: delete one first")
            }
            let scene = RigScene(name, rig.layers)
            if let index = rig.scenes.firstIndex(where: { $0.name == name }) {
                rig.scenes[index] = scene
            } else {
                rig.scenes.append(scene)
            }
            rig.scene = name
        }
        return .json(.object(["name": name]))
    }

    private func rename(_ request: PanelRequest) async throws -> PanelResponse {
        let new = try Self.sceneName(try request.fields.needed("name"))
        let old = request[variable: "name"]
        try await context.change(request) { rig in
            let index = try rig.index(ofScene: old)
            guard new == old || !rig.scenes.contains(where: { $0.name == new }) else {
                throw RigError(.conflict, "there is already a scene \(new)")
            }
            rig.scenes[index].name = new
            if rig.scene == old { rig.scene = new }
        }
        return .json(.object(["name": new]))
    }

    private func delete(_ request: PanelRequest) async throws -> PanelResponse {
        let name = request[variable: "name"]
        try await context.change(request) { rig in
            rig.scenes.remove(at: try rig.index(ofScene: name))
            if rig.scene == name { rig.scene = nil }
        }
        return PanelResponse(status: 204)
    }

    private func activate(_ request: PanelRequest) async throws -> PanelResponse {
        let fields = request.fields
        let name = request[variable: "name"]
        let word = try fields.text("transition") ?? "cut"
        let duration = try fields.duration()
        let motion: LiveRig.Motion?
        switch word {
        case "cut": motion = nil
        case "fade": motion = LiveRig.Motion(duration ?? .milliseconds(500), .fade)
        case "slide": motion = LiveRig.Motion(duration ?? .milliseconds(500), .slide(.left))
        default: throw Problem(422, "transition is \(word), but must be cut, fade or slide")
        }
        try await context.change(request, by: motion) { rig in try rig.show(scene: name) }
        return layers
    }

    private static func sceneName(_ name: String) throws(Problem) -> String {
        guard RigScene.isName(name) else {
            throw Problem(
                422,
                "\"\(name)\" is not a valid name for a scene: use 1 to 64 Unicode code points, no / and no control "
                    + "character, but not . or ..")
        }
        return name
    }

    // MARK: Answers

    private func layer(_ id: String) throws -> PanelResponse {
        guard let layer = context.live.rig.layers.first(where: { $0.picture == id }) else {
            throw Problem(404, "there is no layer \(id)")
        }
        return .json(context.document.layer(layer))
    }

    private var layers: PanelResponse {
        let document = context.document
        return .json(.object(["layers": context.live.rig.layers.map(document.layer)]))
    }
}
#endif
