#if Control
internal import PipCompose
internal import PipRig

/// The endpoints of the effect catalogue and of the effect chains.
struct ChainEndpoints {
    let context: PanelContext

    private static let base = "/api/v1/chains/{target}"
    private static let longest = 64

    var routes: [Route] {
        let values = Schema.object([
            "values": Schema.anyObject(nullable: true), "muted": Schema.flag(nullable: true),
            "essential": Schema.flag(nullable: true),
        ])
        return [
            Route(
                method: "GET", path: "/api/v1/effects", summary: "All effects with their parameters.",
                answer: AnswerSchema.record(["effects": AnswerSchema.list(Self.entry)]), handler: catalogue),
            Route(
                method: "GET", path: "/api/v1/effects/{name}", summary: "A picture of an effect, as NAME.jpg.",
                responseType: "image/jpeg", handler: thumbnail),
            Route(method: "GET", path: Self.base, summary: "A chain.", answer: Self.chainAnswer, handler: get),
            Route(
                method: "PUT", path: Self.base, summary: "Puts a chain together; known ids keep their state.",
                body: Schema.list(Schema.effect), answer: Self.chainAnswer, handler: put),
            Route(
                method: "PATCH", path: Self.base, summary: "Mutes or unmutes a whole chain.",
                body: Schema.object(["muted": Schema.flag()], required: ["muted"]), answer: Self.chainAnswer,
                handler: mute),
            Route(
                method: "POST", path: "\(Self.base)/effects", summary: "Adds an effect at the end.",
                body: Schema.effect,
                status: 201, answer: AnswerSchema.reference("effect"), handler: post),
            Route(
                method: "PATCH", path: "\(Self.base)/effects/{id}", summary: "Sets an effect's values and switches.",
                body: values, answer: AnswerSchema.reference("effect"), handler: patch),
            Route(
                method: "DELETE", path: "\(Self.base)/effects/{id}", summary: "Takes an effect out.", status: 204,
                handler: delete),
        ]
    }

    private static let chainAnswer = AnswerSchema.list(AnswerSchema.reference("effect"))
    private static let entry = AnswerSchema.record([
        "name": AnswerSchema.text, "summary": AnswerSchema.text, "thumbnail": AnswerSchema.text,
        "parameters": AnswerSchema.list(
            AnswerSchema.record(["name": AnswerSchema.text, "kind": AnswerSchema.text, "summary": AnswerSchema.text])),
    ])

    private func catalogue(_ request: PanelRequest) async throws -> PanelResponse {
        let entries = EffectCatalogue.entries.map { entry -> JSON in
            guard case .object(let members) = entry.json else { return entry.json }
            return .object(members + [.init("thumbnail", "/api/v1/effects/\(entry.name).jpg")])
        }
        return .json(.object(["effects": entries]), headers: ["Cache-Control": "max-age=3600"])
    }

    private func thumbnail(_ request: PanelRequest) async throws -> PanelResponse {
        let file = request[variable: "name"]
        guard file.hasSuffix(".jpg"), let type = EffectCatalogue.type(named: String(file.dropLast(4))) else {
            throw Problem(404, "there is no effect \(file)")
        }
        let picture = try await context.previews.thumbnail(of: type)
        return PanelResponse(
            status: 200, headers: ["Content-Type": "image/jpeg", "Cache-Control": "max-age=3600"],
            body: .bytes(picture))
    }

    private func get(_ request: PanelRequest) async throws -> PanelResponse {
        try chain(try target(request))
    }

    private func put(_ request: PanelRequest) async throws -> PanelResponse {
        guard case .array(let elements)? = JSON(reading: request.body) else {
            throw Problem(422, "the body must be a list of effects")
        }
        guard elements.count <= Self.longest else { throw Problem(422, "a chain has \(Self.longest) effects at most") }
        let target = try target(request)
        let requested = try elements.map { (element) throws(Problem) in
            try RequestedEffect(try Fields(element, of: Schema.effect, named: "each effect"), needsEffect: true)
        }
        try await context.change(request) { rig in
            let old = rig.chains[target] ?? []
            var used: Set<String> = []
            var chain: [RigEffect] = []
            for wanted in requested {
                let known = old.first {
                    $0.id == wanted.id && $0.effect.catalogueName == wanted.effect && !used.contains($0.id)
                }
                if let known { used.insert(known.id) }
                chain.append(try wanted.effect(over: known, in: &rig, context))
            }
            rig.chains[target] = chain
        }
        return try chain(target)
    }

    private func mute(_ request: PanelRequest) async throws -> PanelResponse {
        guard let isMuted = try request.fields.flag("muted") else { throw Problem(422, "muted is missing") }
        let target = try target(request)
        try await context.change(request) { rig in
            for index in (rig.chains[target] ?? []).indices { rig.chains[target]?[index].isMuted = isMuted }
        }
        return try chain(target)
    }

    private func post(_ request: PanelRequest) async throws -> PanelResponse {
        let wanted = try RequestedEffect(request.fields, needsEffect: true)
        let target = try target(request)
        let id = try await context.change(request) { rig in
            guard rig.chains[target]?.count ?? 0 < Self.longest else {
                throw RigError(.conflict, "a chain has \(Self.longest) effects at most")
            }
            let effect = try wanted.effect(over: nil, in: &rig, context)
            rig.chains[target, default: []].append(effect)
            return effect.id
        }
        let address = "/api/v1/chains/\(target)/effects/\(id)"
        return try effect(id, target, status: 201, headers: ["Location": address])
    }

    private func patch(_ request: PanelRequest) async throws -> PanelResponse {
        let wanted = try RequestedEffect(request.fields, needsEffect: false)
        let (target, id) = (try target(request), request[variable: "id"])
        try await context.change(request) { rig in
            let index = try Self.index(of: id, target, rig)
            let effect = try wanted.effect(over: rig.chains[target]?[index], in: &rig, context)
            rig.chains[target]?[index] = effect
        }
        return try effect(id, target)
    }

    private func delete(_ request: PanelRequest) async throws -> PanelResponse {
        let (target, id) = (try target(request), request[variable: "id"])
        try await context.change(request) { rig in
            let index = try Self.index(of: id, target, rig)
            rig.chains[target]?.remove(at: index)
        }
        return PanelResponse(status: 204)
    }

    private func target(_ request: PanelRequest) throws -> String {
        let target = request[variable: "target"]
        if target != Rig.output { try context.live.rig.checkPicture(target, for: "chains") }
        return target
    }

    private static func index(of id: String, _ target: String, _ rig: Rig) throws(RigError) -> Int {
        guard let index = rig.chains[target]?.firstIndex(where: { $0.id == id }) else {
            throw RigError(.unknown, "there is no effect \(id) in the chain of \(target)")
        }
        return index
    }

    private func chain(_ target: String) throws -> PanelResponse {
        .json(.array((context.live.rig.chains[target] ?? []).map(StateDocument.effect)))
    }

    private func effect(
        _ id: String, _ target: String, status: Int = 200, headers: [String: String] = [:]
    ) throws -> PanelResponse {
        guard let link = context.live.rig.chains[target]?.first(where: { $0.id == id }) else {
            throw Problem(404, "there is no effect \(id) in the chain of \(target)")
        }
        return .json(StateDocument.effect(link), status: status, headers: headers)
    }

    /// The settings of an effect that a request sets; nil keeps the setting of an existing effect.
    private struct RequestedEffect: Sendable {
        let id: String?
        let effect: String?
        let values: [ChainSyntax.Value]
        let isMuted: Bool?
        let isEssential: Bool?

        init(_ fields: Fields, needsEffect: Bool) throws(Problem) {
            id = try fields.text("id")
            effect = needsEffect ? try fields.needed("effect") : nil
            (isMuted, isEssential) = (try fields.flag("muted"), try fields.flag("essential"))
            var values: [ChainSyntax.Value] = []
            if let given = fields["values"] {
                for (key, value) in try Fields(given, of: nil, named: "values").all {
                    guard let text = try Fields.argument(value, key), !text.isEmpty else { continue }
                    values.append(ChainSyntax.Value(key: key, text: text))
                }
            }
            self.values = values
        }

        /// Applies the request to an existing effect, or to a new effect with default values if `known` is nil.
        func effect(over known: RigEffect?, in rig: inout Rig, _ context: PanelContext) throws -> RigEffect {
            if let known {
                var link = known
                try Self.checkFiles(values, of: known.effect)
                link.effect = try EffectArgument.setting(values, in: known.effect)
                link.isMuted = isMuted ?? known.isMuted
                link.isEssential = isEssential ?? known.isEssential
                return link
            }
            // A client must not make the program read arbitrary files of the machine.
            let effect = effect ?? ""
            try Self.checkFiles(values, of: try EffectArgument.match(named: effect).kind.type.init())
            let made = try EffectArgument.link(ChainSyntax.Item(name: effect, values: values)).effect
            return RigEffect(id: rig.makeID("e"), made, isEssential: isEssential ?? false, isMuted: isMuted ?? false)
        }

        private static func checkFiles(_ values: [ChainSyntax.Value], of effect: any Effect) throws(RigError) {
            for setting in effect.presentSettings where setting.kind == .file {
                guard values.contains(where: { $0.key == setting.name && $0.text != "\(setting.value)" }) else {
                    continue
                }
                throw RigError(
                    .invalid, "\(setting.name) is a file, which only the command or its configuration may choose")
            }
        }
    }
}
#endif
