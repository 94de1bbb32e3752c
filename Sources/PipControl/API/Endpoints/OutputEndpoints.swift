#if Control
internal import PipCompose
internal import PipRig

/// The endpoints that list, start, pause and end outputs, and take stills.
struct OutputEndpoints {
    let context: PanelContext

    private static let base = "/api/v1/outputs"
    private static let most = 32

    var routes: [Route] {
        [
            Route(
                method: "GET", path: Self.base, summary: "All outputs.",
                answer: AnswerSchema.record(["outputs": AnswerSchema.list(AnswerSchema.reference("output"))]),
                handler: list),
            Route(
                method: "POST", path: Self.base,
                summary: "Begins an output: a file below the panel's folder, or a stream.",
                body: Self.target, status: 201,
                answer: AnswerSchema.reference("output"), handler: post),
            Route(
                method: "PATCH", path: "\(Self.base)/{id}", summary: "Pauses, resumes or splits an output.",
                body: Schema.object(["state": Schema.choice(["paused", "running", "split"])], required: ["state"]),
                answer: AnswerSchema.reference("output"), handler: patch),
            Route(
                method: "DELETE", path: "\(Self.base)/{id}", summary: "Ends an output; its file is finished.",
                status: 204,
                handler: delete),
            Route(
                method: "POST", path: "/api/v1/moments",
                summary: "Marks a moment: each recording of clips writes one around it.",
                body: Schema.object(["name": Schema.text(), "reason": Schema.text(nullable: true)]), status: 201,
                answer: AnswerSchema.record(["name": AnswerSchema.text, "recordings": AnswerSchema.integer]),
                handler: mark),
            Route(
                method: "POST", path: "/api/v1/stills",
                summary: "Takes a picture into a file below the panel's folder.",
                body: Self.target, status: 201,
                answer: AnswerSchema.record(["path": AnswerSchema.text]), handler: takeStill),
            Route(
                method: "GET", path: "/api/v1/still.jpg", summary: "Takes a picture.", query: [("of", Schema.text())],
                responseType: "image/jpeg", handler: still),
        ]
    }

    private static var target: JSON {
        Schema.object(
            ["to": Schema.text(most: Fields.longestAddress), "of": Schema.text(nullable: true)], required: ["to"])
    }

    private func list(_ request: PanelRequest) async throws -> PanelResponse {
        let document = context.document
        return .json(.object(["outputs": context.live.rig.outputs.map(document.outputState)]))
    }

    private func post(_ request: PanelRequest) async throws -> PanelResponse {
        let fields = request.fields
        let to = try fields.needed("to", most: Fields.longestAddress)
        let of = try fields.text("of").flatMap { $0 == Rig.output ? nil : $0 }
        let sink = try self.sink(to)
        let id = try await context.change(request) { rig in
            guard rig.outputs.count < Self.most else {
                throw RigError(.conflict, "there are \(Self.most) outputs, the maximum: delete one first")
            }
            let id = rig.makeID("o")
            var output = RigOutput(id: id, sink, of: of)
            output.isAdded = true
            rig.outputs.append(output)
            return id
        }
        return try answer(id, status: 201, headers: ["Location": "\(Self.base)/\(id)"])
    }

    private func sink(_ to: String) throws -> SinkArgument {
        // A client must not send secrets of the machine to a server of its choice.
        guard !to.contains("${") else {
            throw Problem(422, "only the command and its configuration may refer to secrets such as ${NAME}")
        }
        // A client must not use GStreamer elements, devices or displays of the machine.
        let foreign = ["/", "-", "virtual-camera:", "window:", "kms:"]
        guard !to.contains("gst:"), !foreign.contains(where: to.hasPrefix),
            to.unicodeScalars.allSatisfy({ $0.value >= 0x20 })
        else {
            throw Problem(422, "\(to) must be a path below the panel's folder, or a stream such as rtmp://host/app")
        }
        guard !to.contains("://") else {
            let sink = try SinkArgument(to)
            guard sink.kindName == "stream" else {
                throw Problem(422, "\(sink.text) must be a stream such as rtmp://host/app")
            }
            return sink
        }
        if to == "null:" || to.hasPrefix("null:?") { return try SinkArgument(to) }
        let folder = try context.folder
        guard ["recording", "file"].contains(try SinkArgument(try folder.path(of: to)).kindName) else {
            throw Problem(422, "\(to) must be a file that pip-compose writes, such as drive.mp4")
        }
        return try SinkArgument(try folder.prepare(to))
    }

    private func patch(_ request: PanelRequest) async throws -> PanelResponse {
        let id = request[variable: "id"]
        let state = try request.fields.needed("state")
        guard let output = context.live.snapshot.outputs[id] else { throw Problem(Self.unknown(id)) }
        switch state {
        case "paused", "running":
            try await context.change(request) { rig in
                rig.outputs[try Self.index(of: id, in: rig)].isPaused = state == "paused"
            }
        case "split": do throws(SessionError) { try output.split() } catch { throw Problem(409, error.description) }
        default: throw Problem(422, "state is \(state), but must be paused, running or split")
        }
        return try answer(id)
    }

    private func delete(_ request: PanelRequest) async throws -> PanelResponse {
        let id = request[variable: "id"]
        try await context.change(request) { rig in rig.outputs.remove(at: try Self.index(of: id, in: rig)) }
        return PanelResponse(status: 204)
    }

    private func mark(_ request: PanelRequest) async throws -> PanelResponse {
        let fields = request.fields
        let name = try fields.text("name") ?? "panel"
        let count = context.live.session.mark(name, reason: try fields.text("reason"))
        guard count > 0 else {
            throw Problem(409, "no output records clips: add one such as clip-%H%M%S.mp4?event=15s+10s")
        }
        return .json(.object(["name": name, "recordings": count]), status: 201)
    }

    private static func unknown(_ id: String) -> RigError { RigError(.unknown, "there is no output \(id)") }

    private static func index(of id: String, in rig: Rig) throws(RigError) -> Int {
        guard let index = rig.outputs.firstIndex(where: { $0.id == id }) else { throw unknown(id) }
        return index
    }

    private func answer(_ id: String, status: Int = 200, headers: [String: String] = [:]) throws -> PanelResponse {
        let rig = context.live.rig
        let output = rig.outputs[try Self.index(of: id, in: rig)]
        return .json(context.document.outputState(output), status: status, headers: headers)
    }

    // MARK: Stills

    private func takeStill(_ request: PanelRequest) async throws -> PanelResponse {
        let fields = request.fields
        let to = try fields.needed("to", most: Fields.longestAddress)
        guard !to.contains("?") else { throw Problem(422, "\(to) must be a path without options") }
        let folder = try context.folder
        let argument = try StillArgument(try folder.prepare(to))
        let still = try await picture(try fields.text("of"), argument.format)
        return .json(.object(["path": try still.write(to: argument.path)]), status: 201)
    }

    private func still(_ request: PanelRequest) async throws -> PanelResponse {
        let still = try await picture(request.query["of"], .jpeg)
        return PanelResponse(
            status: 200, headers: ["Content-Type": "image/jpeg", "Cache-Control": "no-store"], body: .bytes(still.bytes)
        )
    }

    private func picture(_ of: String?, _ format: Still.Format) async throws -> Still {
        await Readiness.wait { context.live.session.isRunning }
        return try await context.live.still(of: of == Rig.output ? nil : of, as: format)
    }
}
#endif
