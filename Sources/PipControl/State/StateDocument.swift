#if Control
internal import PipCompose
internal import PipFrames
internal import PipRig
internal import PipText

/// Writes the state of a composition as the JSON document that clients read.
struct StateDocument {
    private let snapshot: LiveRig.Snapshot
    private let session: Session
    private let statistics: SessionStatistics
    private let facts: PanelFacts
    private let telemetry: Telemetry

    init(_ live: LiveRig, _ facts: PanelFacts) {
        snapshot = live.snapshot
        session = live.session
        statistics = live.session.statistics
        self.facts = facts
        telemetry = live.telemetry
    }

    /// The whole state document.
    var json: JSON {
        let rig = snapshot.rig
        return .object([
            "program": facts.program, "elapsed": JSON.number(statistics.elapsed.inSeconds, decimals: 1),
            "canvas": JSON.object([
                "width": statistics.output.size.width, "height": statistics.output.size.height,
                "fps": JSON.number(session.outputRate.framesPerSecond, decimals: 3), "light": rig.light.rawValue,
            ]),
            "output": output, "scene": JSON.object(["name": rig.scene, "changed": !rig.isSceneUnchanged]),
            "scenes": rig.scenes.map(\.name), "layers": rig.layers.map(layer), "cameras": rig.pictures.map(camera),
            "chains": JSON.object(
                (rig.pictures.map(\.name) + [Rig.output]).map { target in
                    JSON.Member(target, (rig.chains[target] ?? []).map(Self.effect))
                }),
            "outputs": rig.outputs.map(outputState), "pressure": pressure, "plan": plan,
            "telemetry": telemetry.document,
            "can": JSON.object([
                "preview": facts.preview, "outputs": facts.root != nil, "stills": facts.root != nil,
                "recordings": facts.recordings,
            ]),
        ])
    }

    private var output: JSON {
        let output = statistics.output
        return .object([
            "frames": output.frames, "fps": JSON.number(output.framesPerSecond, decimals: 2), "missed": output.missed,
            "thinned": output.thinned, "latency_ms": percentiles(statistics.latency),
            "skew_ms": percentiles(statistics.skew),
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

    /// A layer with its properties, and its rectangle on the canvas; a null rectangle means that the layer shows
    /// nothing.
    func layer(_ layer: RigLayer) -> JSON {
        var document = JSON.object([
            "id": layer.picture, "main": snapshot.rig.layers.first?.picture == layer.picture, "rect": rect(of: layer),
        ])
        for (key, value) in LayerItems.values(of: layer) { document.add(key, value) }
        return document
    }

    private func rect(of layer: RigLayer) -> JSON {
        guard let handle = snapshot.layers[layer.picture], let rect = session.place(of: handle)?.rect else {
            return .null
        }
        return .object(["x": rect.x, "y": rect.y, "width": rect.width, "height": rect.height])
    }

    private func camera(_ picture: RigPicture) -> JSON {
        let node = snapshot.sources[picture.name]?.node.id
        let source = statistics.sources.first { $0.id == node }
        let state =
            picture.isEnabled ? source?.state?.rawValue ?? (source == nil ? "opening" : "streaming") : "disabled"
        let device = source?.device.flatMap { facts.devices[$0] }
        let wish = picture.camera?.wish
        let nominal = wish?.frameRate ?? device?.modes.first { "\($0.size)" == source?.size.description }?.frameRate
        let adjustments = (wish?.adjustments.words ?? []).map { JSON.Member($0.key, $0.value) }
        func rate(_ value: FrameRate?) -> JSON? { value.map { JSON.number($0.framesPerSecond, decimals: 2) } }
        let measured = JSON.number(state == "streaming" ? source?.framesPerSecond ?? 0 : 0, decimals: 1)
        let events = Array((source?.events ?? []).suffix(8))
        return .object([
            "id": picture.name, "source": picture.source.text, "kind": picture.source.kindName, "state": state,
            "enabled": picture.isEnabled, "can_disable": picture.camera != nil,
            "reason": reason(state, source, of: picture), "device": source?.device, "format": source?.format,
            "size": source?.size.description,
            "fps": measured,
            "delivered": source?.delivered ?? 0, "used": source?.used ?? 0, "drops": drops(source?.drops),
            "events": events, "when_missing": picture.absence.rawValue,
            "mirror": picture.isMirrored, "nominal_fps": rate(nominal),
            "rotation": wish?.rotation.description,
            "rate_limit": rate(wish?.rateLimit), "paused": wish?.isPaused ?? false,
            "modes": device?.listedModes ?? .array([]),
            "adjustments": JSON.object(adjustments), "controls": (device?.controls ?? []).compactMap(\.document),
        ])
    }

    /// The reason why a source delivers no frames, with a remedy if known; null for a source that delivers frames.
    private func reason(_ state: String, _ source: SessionStatistics.Source?, of picture: RigPicture) -> JSON {
        switch state {
        case "streaming": return .null
        case "disabled": return .string("the camera is switched off")
        default:
            if let event = source?.events.last { return .string(event) }
            if state == "ended" { return .string("the source has ended") }
            guard picture.camera != nil, state == "lost" else { return .string("no frame has come yet") }
            return .string("there is no \(picture.source.text): plug it in, and the picture begins by itself")
        }
    }

    private func drops(_ counts: DropCounts?) -> JSON {
        guard let counts else { return .object([]) }
        return .object(
            DropReason.allCases.filter { counts[$0] > 0 }.map {
                JSON.Member($0.rawValue, counts[$0])
            })
    }

    static func mode(_ mode: CameraMode) -> JSON {
        .object([
            "format": "\(mode.format)", "size": "\(mode.size)",
            "fps": mode.frameRate.map { JSON.number($0.framesPerSecond, decimals: 3) },
        ])
    }

    /// The JSON of an effect in a chain, with its values.
    static func effect(_ link: RigEffect) -> JSON {
        .object([
            "id": link.id, "effect": link.effect.catalogueName,
            "values": JSON.object(link.effect.presentSettings.map { JSON.Member($0.name, $0.value) }),
            "muted": link.isMuted, "essential": link.isEssential,
        ])
    }

    // MARK: Outputs

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
        let seconds = Double(counts?.written ?? 0) / max(session.outputRate.framesPerSecond, 1)
        return .object([
            "id": output.id, "to": output.sink.text, "of": output.of ?? Rig.output, "kind": output.sink.kindName,
            "state": state, "written": counts?.written ?? 0, "dropped": drops(counts?.drops),
            "bytes": bytes?.bytes, "bits_per_second": bytes?.bitRate,
            "connections": counts?.connections ?? 0,
            "seconds": JSON.number(seconds, decimals: 1),
            "encoder": counts?.encoder, "error": error, "can_split": output.sink.hasParts,
            "has_clips": output.sink.hasClips, "configured": !output.isAdded,
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
            "level": pressure.state.level.name, "known": pressure.state.isKnown, "pinned": pressure.pinned?.name,
            "policy": pressure.policy.name ?? "a file's", "policies": PressurePolicy.presetNames,
            "temperature": temperature,
            "given_up": given,
            "why": JSON.array(
                pressure.state.readings.filter { $0.level > .nominal }.map { .string($0.description) }),
        ])
    }

    /// The highest measured temperature, in °C; null without a thermometer.
    private var temperature: JSON {
        let values = statistics.pressure.state.readings.compactMap(\.celsius)
        return values.max().map { .number($0, decimals: 1) } ?? .null
    }

    private var plan: JSON {
        let cost = session.plan.cost
        return .object(["renderer": "\(session.renderer)", "passes": cost.passes, "pixels": cost.pixels])
    }
}

extension PressureReading {
    /// The temperature in a thermometer's reading, in °C; nil for a reading of another sensor.
    var celsius: Double? { detail.firstRange(of: " °C").flatMap { Double(detail[..<$0.lowerBound]) } }
}

extension LayerItems.Value: JSONConvertible {
    package var json: JSON {
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
    /// The kind of source as the API reports it.
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
    /// The kind of output as the API reports it.
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
