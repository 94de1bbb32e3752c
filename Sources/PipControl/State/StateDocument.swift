#if Control
internal import PipCompose
internal import PipFrames
internal import PipRig

/// The state of a composition as clients see it.
struct StateDocument {
    private let snapshot: LiveRig.Snapshot
    private let session: Session
    private let statistics: SessionStatistics
    private let facts: PanelFacts

    init(_ live: LiveRig, _ facts: PanelFacts) {
        snapshot = live.snapshot
        session = live.session
        statistics = live.session.statistics
        self.facts = facts
    }

    /// The whole document.
    var json: JSON {
        let rig = snapshot.rig
        return .object([
            "program": .string(facts.program), "elapsed": .number(statistics.elapsed.inSeconds, decimals: 1),
            "canvas": .object([
                "width": .integer(statistics.output.size.width), "height": .integer(statistics.output.size.height),
                "fps": .number(session.outputRate.framesPerSecond, decimals: 3),
                "light": .string(rig.light.rawValue),
            ]),
            "output": output,
            "scene": .object(["name": .string(rig.scene), "changed": .bool(!rig.isSceneUnchanged)]),
            "scenes": .array(rig.scenes.map { .string($0.name) }),
            "layers": .array(rig.layers.map(layer)), "cameras": .array(rig.pictures.map(camera)),
            "chains": .object(
                (rig.pictures.map(\.name) + [Rig.output]).map { target in
                    JSON.Member(key: target, value: .array((rig.chains[target] ?? []).map(Self.effect)))
                }),
            "outputs": .array(rig.outputs.map(outputState)), "pressure": pressure, "plan": plan,
            "can": .object([
                "preview": .string(facts.preview), "outputs": .bool(facts.root != nil),
                "stills": .bool(facts.root != nil),
            ]),
        ])
    }

    private var output: JSON {
        let output = statistics.output
        return .object([
            "frames": .integer(output.frames), "fps": .number(output.framesPerSecond, decimals: 2),
            "missed": .integer(output.missed), "thinned": .integer(output.thinned),
            "latency_ms": percentiles(statistics.latency), "skew_ms": percentiles(statistics.skew),
        ])
    }

    private func percentiles(_ values: SessionStatistics.Percentiles?) -> JSON {
        guard let values else { return .null }
        return .object([
            "p50": milliseconds(values.p50), "p99": milliseconds(values.p99), "max": milliseconds(values.max),
        ])
    }

    private func milliseconds(_ duration: Duration) -> JSON { .number(duration.inSeconds * 1000, decimals: 1) }

    // MARK: Pictures

    /// A layer with its keys, and where it is drawn.
    func layer(_ layer: RigLayer) -> JSON {
        var members = [
            JSON.Member(key: "id", value: .string(layer.picture)),
            JSON.Member(key: "main", value: .bool(snapshot.rig.layers.first?.picture == layer.picture)),
            JSON.Member(key: "rect", value: rect(of: layer)),
        ]
        for (key, value) in LayerItems.values(of: layer) { members.append(JSON.Member(key: key, value: value.json)) }
        return .object(members)
    }

    private func rect(of layer: RigLayer) -> JSON {
        guard let handle = snapshot.layers[layer.picture], let rect = session.place(of: handle)?.rect else {
            return .null
        }
        return .object([
            "x": .integer(rect.x), "y": .integer(rect.y), "width": .integer(rect.width),
            "height": .integer(rect.height),
        ])
    }

    private func camera(_ picture: RigPicture) -> JSON {
        let node = snapshot.sources[picture.name]?.node.id
        let source = statistics.sources.first { $0.id == node }
        let isCamera = picture.camera != nil
        let state =
            picture.isEnabled ? source?.state?.rawValue ?? (source == nil ? "opening" : "streaming") : "disabled"
        let isDelivering = state == "streaming"
        var members: [JSON.Member] = [
            .init(key: "id", value: .string(picture.name)), .init(key: "source", value: .string(picture.source.text)),
            .init(key: "kind", value: .string(picture.source.kindName)), .init(key: "state", value: .string(state)),
            .init(key: "enabled", value: .bool(picture.isEnabled)), .init(key: "can_disable", value: .bool(isCamera)),
            .init(key: "reason", value: reason(state, source, of: picture)),
            .init(key: "device", value: .string(source?.device)),
            .init(key: "format", value: .string(source?.format)),
            .init(key: "size", value: .string(source?.size.description)),
            .init(key: "fps", value: .number(isDelivering ? source?.framesPerSecond ?? 0 : 0, decimals: 1)),
            .init(key: "delivered", value: .integer(source?.delivered ?? 0)),
            .init(key: "used", value: .integer(source?.used ?? 0)), .init(key: "drops", value: drops(source?.drops)),
            .init(key: "events", value: .array((source?.events ?? []).suffix(8).map { .string($0) })),
            .init(key: "when_missing", value: .string(picture.absence.rawValue)),
            .init(key: "mirror", value: .bool(picture.isMirrored)),
        ]
        let device = source?.device.flatMap { facts.devices[$0] }
        let wish = picture.camera?.wish
        let nominal =
            wish?.frameRate
            ?? device?.modes.first { "\($0.size)" == source?.size.description }?.frameRate
        members.append(
            .init(key: "nominal_fps", value: nominal.map { .number($0.framesPerSecond, decimals: 2) } ?? .null))
        members.append(.init(key: "rotation", value: .string(wish?.rotation.description)))
        let limit = wish?.rateLimit.map { JSON.number($0.framesPerSecond, decimals: 2) }
        members.append(.init(key: "rate_limit", value: limit ?? .null))
        members.append(.init(key: "paused", value: .bool(wish?.isPaused ?? false)))
        members.append(.init(key: "modes", value: device?.listedModes ?? .array([])))
        let adjustments = (wish?.adjustments.words ?? []).map { word in
            JSON.Member(key: word.key, value: .string(word.value))
        }
        members.append(.init(key: "adjustments", value: .object(adjustments)))
        members.append(.init(key: "controls", value: .array((device?.controls ?? []).compactMap(\.document))))
        return .object(members)
    }

    /// Why a source does not stream, with what helps.
    private func reason(_ state: String, _ source: SessionStatistics.Source?, of picture: RigPicture) -> JSON {
        switch state {
        case "streaming": return .null
        case "disabled": return .string("it is switched off")
        default:
            if let event = source?.events.last { return .string(event) }
            guard picture.camera != nil, state == "lost" else { return .string("no frame has come yet") }
            return .string("there is no \(picture.source.text): plug it in, and the picture begins by itself")
        }
    }

    private func drops(_ counts: DropCounts?) -> JSON {
        guard let counts else { return .object([]) }
        return .object(
            DropReason.allCases.filter { counts[$0] > 0 }.map {
                JSON.Member(key: $0.rawValue, value: .integer(counts[$0]))
            })
    }

    /// A mode of a camera.
    static func mode(_ mode: CameraMode) -> JSON {
        .object([
            "format": .string("\(mode.format)"), "size": .string("\(mode.size)"),
            "fps": mode.frameRate.map { .number($0.framesPerSecond, decimals: 3) } ?? .null,
        ])
    }

    /// An effect of a chain with its values.
    static func effect(_ link: RigEffect) -> JSON {
        .object([
            "id": .string(link.id), "effect": .string(link.effect.catalogueName),
            "values": .object(link.effect.settingsNow.map { JSON.Member(key: $0.name, value: $0.value.json) }),
            "muted": .bool(link.isMuted), "essential": .bool(link.isEssential),
        ])
    }

    // MARK: Outputs

    /// An output with its state and counts.
    func outputState(_ output: RigOutput) -> JSON {
        let handle = snapshot.outputs[output.id]
        let counts = handle?.statistics
        var (state, error) = ("waiting", counts?.error?.description)
        switch handle?.state {
        case .running: state = "running"
        case .paused: state = "paused"
        case .finished: state = "finished"
        case .failed(let reason): (state, error) = ("failed", reason.description)
        case .waiting, nil: break
        }
        let bytes = facts.sizes[output.id]
        return .object([
            "id": .string(output.id), "to": .string(output.sink.text), "of": .string(output.of ?? Rig.output),
            "kind": .string(output.sink.kindName), "state": .string(state), "written": .integer(counts?.written ?? 0),
            "dropped": drops(counts?.drops), "bytes": bytes.map { .integer($0.bytes) } ?? .null,
            "bits_per_second": bytes?.bitRate.map { .integer($0) } ?? .null,
            "connections": .integer(counts?.connections ?? 0),
            "seconds": .number(Double(counts?.written ?? 0) / max(session.outputRate.framesPerSecond, 1), decimals: 1),
            "encoder": .string(counts?.encoder), "error": .string(error),
            "can_split": .bool(output.sink.hasParts), "configured": .bool(!output.isAdded),
        ])
    }

    // MARK: The machine

    private var pressure: JSON {
        let pressure = statistics.pressure
        var given: [String] = []
        for event in pressure.events {
            given.removeAll { event.restored.map(\.description).contains($0) }
            given += event.taken.map(\.description).filter { !given.contains($0) }
        }
        return .object([
            "level": .string(pressure.state.level.name), "known": .bool(pressure.state.isKnown),
            "pinned": .string(facts.pressure.pinned?.name), "policy": .string(facts.pressure.policy),
            "policies": .array(PressurePolicy.presetNames.map { .string($0) }), "temperature": temperature,
            "given_up": .array(given.map { .string($0) }),
            "why": .array(
                pressure.state.readings.filter { $0.level > .nominal }.map { .string($0.description) }),
        ])
    }

    /// The highest temperature that is read, in °C.
    private var temperature: JSON {
        let values = statistics.pressure.state.readings.compactMap(\.celsius)
        return values.max().map { .number($0, decimals: 1) } ?? .null
    }

    private var plan: JSON {
        let cost = session.plan.cost
        return .object([
            "renderer": .string("\(session.renderer)"), "passes": .integer(cost.passes),
            "pixels": .integer(cost.pixels),
        ])
    }
}

extension PressureReading {
    /// The temperature of a thermometer, in °C; nil for other sources.
    var celsius: Double? { detail.firstRange(of: " °C").flatMap { Double(detail[..<$0.lowerBound]) } }
}

extension LayerItems.Value {
    var json: JSON {
        switch self {
        case .none: .null
        case .flag(let isOn): .bool(isOn)
        case .integer(let number): .integer(number)
        case .number(let number): .number(number)
        case .text(let text): .string(text)
        }
    }
}

extension SourceArgument {
    /// The kind of source, in a word.
    var kindName: String {
        switch kind {
        case .camera: "camera"
        case .stream: "stream"
        case .pattern: "pattern"
        case .picture, .y4m, .raw, .movie: "file"
        }
    }
}

extension SinkArgument {
    /// The kind of output, in a word.
    var kindName: String {
        switch kind {
        case .movie, .wav: "recording"
        case .stream, .whip: "stream"
        case .y4m, .raw, .png, .jpeg: "file"
        case .virtualCamera: "virtual-camera"
        case .elements: "elements"
        case .display(let display): display.isWindow ? "window" : "screen"
        case .null: "null"
        }
    }
}
#endif
