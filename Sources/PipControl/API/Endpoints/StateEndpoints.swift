#if Control
internal import PipCompose
internal import PipRig

/// The endpoints of the state, its events, pressure, the configuration, health and metrics.
struct StateEndpoints {
    let context: PanelContext

    var routes: [Route] {
        [
            Route(
                method: "GET", path: "/api/v1/state", summary: "The state.", answer: AnswerSchema.reference("state"),
                handler: state),
            Route(
                method: "GET", path: "/api/v1/events", summary: "Each change of state, as it happens.",
                responseType: "text/event-stream", ends: false, handler: events),
            Route(
                method: "PATCH", path: "/api/v1/pressure", summary: "Pins the pressure, or takes another policy.",
                body: Schema.object([
                    "pinned": Schema.choice(Self.levels.map(\.name), nullable: true),
                    "policy": Schema.choice(PressurePolicy.presetNames, nullable: true),
                ]), answer: AnswerSchema.reference("pressure"), handler: pressure),
            Route(
                method: "GET", path: "/api/v1/config",
                summary: "The composition as a configuration, without secrets.",
                responseType: "application/yaml", handler: configuration),
            Route(
                method: "POST", path: "/api/v1/config", summary: "Reads the configuration file again.",
                body: Schema.object([:]), answer: AnswerSchema.record(["revision": AnswerSchema.integer]),
                handler: reload),
            Route(
                method: "GET", path: "/metrics", summary: "Counters for Prometheus.", responseType: "text/plain",
                handler: metrics),
            Route(
                method: "GET", path: "/healthz", summary: "200 while frames are made.", isOpen: true,
                responseType: "text/plain", handler: { _ in try health() }),
            Route(
                method: "GET", path: "/readyz", summary: "200 once frames are made.", isOpen: true,
                responseType: "text/plain", handler: { _ in try health() }),
        ]
    }

    /// The levels that a client may pin.
    ///
    /// The level `shutdown` is left out, because it may end the composition.
    private static let levels = PressureLevel.allCases.filter { $0 < .shutdown }

    private func state(_ request: PanelRequest) async throws -> PanelResponse {
        let state = await context.watch.update()
        let headers = ["ETag": state.tag, "Cache-Control": "no-cache"]
        if request.headers["if-none-match"]?.split(separator: ",").contains(where: {
            $0.drop { $0 == " " } == state.tag
        }) == true {
            return PanelResponse(status: 304, headers: headers)
        }
        return .json(state.document, headers: headers)
    }

    private func events(_ request: PanelRequest) async throws -> PanelResponse {
        let feed = context.watch.feed
        await context.watch.update()
        guard let reader = await feed.join() else { throw Problem(429, "too many clients follow events: try later") }
        let place = Lease { Task { await feed.leave(reader.id) } }
        let known = request.headers["last-event-id"].flatMap { Int($0) }
        return PanelResponse(
            status: 200, headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-store"],
            body: .stream { write in
                defer { withExtendedLifetime(place) {} }
                var last = known
                try await write(Array("retry: 1000\n\n".utf8))
                for await _ in reader.signs {
                    let events = await feed.events(after: last)
                    last = events.last?.id ?? last
                    // A comment line keeps the connection alive when there is no event.
                    let text = events.isEmpty ? ": here\n\n" : events.map(\.text).joined()
                    try await write(Array(text.utf8))
                }
            })
    }

    // MARK: The machine

    private func pressure(_ request: PanelRequest) async throws -> PanelResponse {
        let fields = request.fields
        var policy: PressurePolicy?
        var pinned: PressureLevel?
        if fields.has("pinned") {
            pinned = try (try? fields.text("pinned")).flatMap(\.self).map(PressureLevel.init(argument:))
            if fields["pinned"] != nil, pinned == nil { throw UsageError("pinned must be a level's name") }
            if pinned == .shutdown {
                throw UsageError(
                    "pinned is shutdown, which may end the composition: pin \(Self.levels.last?.name ?? "") at most")
            }
        }
        if let value = fields["policy"] {
            guard case .string(let name) = value else { throw UsageError("policy must be the name of a policy") }
            policy = try PressurePolicy.preset(named: name)
        }
        if let policy { await context.live.session.setPressurePolicy(policy) }
        if fields.has("pinned") { await context.live.session.pinPressure(pinned) }
        let state = await context.watch.update()
        return .json(state.document["pressure"] ?? .null)
    }

    private func configuration(_ request: PanelRequest) async throws -> PanelResponse {
        var file = RigFile()
        file.rig = context.live.rig
        return .text(RigFileWriter.text(of: file), type: "application/yaml; charset=utf-8")
    }

    private func reload(_ request: PanelRequest) async throws -> PanelResponse {
        guard let reload = context.reload else {
            throw Problem(409, "pip-compose was started without a configuration file, so there is none to read again")
        }
        try await reload()
        await context.watch.update()
        return .json(.object(["revision": context.live.snapshot.revision]))
    }

    private func metrics(_ request: PanelRequest) async throws -> PanelResponse {
        .text(
            Metrics(context.live, context.watch.presentFacts, viewers: context.previews.viewers).text,
            type: "text/plain; version=0.0.4; charset=utf-8")
    }

    private func health() throws -> PanelResponse {
        context.watch.recordFrameCount()
        guard let reason = context.watch.watchdog.problem else { return .text("ok\n") }
        throw Problem(503, reason)
    }
}
#endif
