internal import PipCompose
internal import PipInputs

/// The JSON Schema of configuration files, for editors.
///
/// Source: JSON Schema 2020-12, "Core" and "Validation".
package enum RigSchema {
    /// The whole schema as a JSON document.
    package static var document: JSON {
        .object([
            "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "pip-compose",
            "description": "A composition of cameras, and the settings of its run.", "type": "object",
            "additionalProperties": false, "required": ["cameras"], "properties": properties,
            "$defs": JSON.object([
                "effect": effect, "chain": chain, "layer": layer,
                "flag": JSON.object([
                    "enum": JSON.array([true, false].map(\.json) + ["on", "off", "yes", "no"].map(\.json))
                ]),
                "time": text("10s, 1m30s, 500ms.", pattern: "^[0-9.]+(ms|s|m|h)?([0-9.]+(ms|s|m))*$"),
                "policy": JSON.object(["description": "A policy: preset or steps, timing, thresholds."]),
            ]),
        ])
    }

    private static var properties: JSON {
        .object([
            "version": JSON.object([
                "type": "integer", "minimum": 1, "maximum": RigFileReader.version,
                "description": "The version of the file's keys; 1 without this key.",
            ]),
            "canvas": section("The picture.", RigSections.canvas),
            "cameras": JSON.object([
                "type": "object", "minProperties": 1, "description": "The sources by name.",
                "additionalProperties": either(text("A source."), camera),
            ]),
            "scenes": map(
                "Arrangements by name; the first one is shown, unless the key scene names another.", of: scene),
            "scene": text("The scene that is shown first."),
            "effects": map("Chains by the camera's name, or output.", of: reference("chain")),
            "overlays": list("Texts, clocks and pictures over the cameras.", overlay),
            "audio": object("Sound.", ["inputs": list("The sources.", either(text("A source."), audio))]),
            "telemetry": list("The sources of values.", either(text("As on the command line."), telemetry)),
            "tracks": list("Files of values.", text("A .gpx or .csv file; strftime's codes are filled in.")),
            "outputs": list("The destinations of the picture.", either(text("A file or an address."), output)),
            "stills": list("The pictures that SIGUSR2 takes.", either(text("A file."), still)),
            "triggers": list("Actions and their causes.", either(text("As on the command line."), trigger)),
            "panel": either(
                text("[ADDRESS:]PORT or unix:PATH."), section("The panel.", RigSections.panel, required: ["listen"])),
            "mqtt": either(text("mqtt://HOST or mqtts://USER:${PASSWORD}@HOST."), broker),
            "pressure": either(text("A policy's name or file."), pressure),
            "match-cameras": word(
                "The way in which cameras are matched once they have settled.", CameraMatching.allCases.map(\.rawValue)),
            "draw": section("The renderer.", RigSections.drawing),
            "run": section("The length of a run, and how it starts.", RigSections.run),
            "log": section("The format of events.", RigSections.log),
        ])
    }

    private static var camera: JSON {
        let controls = JSON.object([
            "type": "object",
            "description": """
            Settings: exposure (auto, once, locked, 1/50s), iso, gain, bias, metering, focus, white-balance (auto, \
            once, locked, 4500K), zoom, power-line, hdr, stabilization, torch; or a driver's controls by their names.
            """,
            "additionalProperties": scalar(),
        ])
        let options: KeyValuePairs<String, JSON> = [
            "source": text("A camera, a file, a pattern or a stream."), "controls": controls,
            "preset": word("A camera's preset.", CameraPreset.allCases.map(\.rawValue)), "size": text("1280x720."),
            "fps": number("Frames a second."),
            "limit": number("The highest rate at which a camera's frames are used; the device keeps its own rate."),
            "paused": reference("flag"), "format": text("mjpeg, yuyv, nv12 …"),
            "color-space": word(
                "The colour space to which a camera's driver converts.", CameraColorSpace.allCases.map(\.rawValue)),
            "rotate": JSON.object([
                "type": ["string", "integer"],
                "description": """
                The degrees clockwise by which a camera's picture is turned, mounting (as its driver says), or device \
                (as the device is held).
                """,
            ]),
            "seed": number("A pattern's seed."), "loop": reference("flag"), "from": reference("time"),
            "to": reference("time"), "latency": reference("time"),
            "transport": word("The transport of RTSP.", ["tcp", "udp"]),
        ]
        return object(
            "A source with its options.",
            members: options.map { ($0.key, $0.value) } + RigSections.camera.map { ($0.name, $0.schema) },
            required: ["source"])
    }

    private static var still: JSON {
        object(
            "A file and its picture.",
            [
                "to": text("A .jpg or .png file; strftime's codes are filled in."), "of": text("A camera."),
                "quality": number("The quality of a JPEG file, 1 to 100."),
                "size": word("The camera's largest size.", ["largest"]),
                "flash": word("The mode of the camera's flash.", CameraFlash.allCases.map(\.rawValue)),
            ], required: ["to"])
    }

    private static let actions = "\(TriggerArgument.Action.words)."

    private static var trigger: JSON {
        object(
            "A cause and its action.",
            [
                "on": text(
                    """
                    lost, pressure:serious, sound>-20dB, motion:CAMERA>0.05, line, speed>130, key:DEVICE:KEY, \
                    gpio:CHIP:LINE or blow>2.5g.
                    """),
                "do": either(text(actions), list("Actions, in their order.", text(actions))),
                "for": reference("time"), "every": reference("time"), "name": text("The name of the moment."),
                "limit": reference("time"),
                "header": text("A header of the message to a web server: Authorization: Bearer ${TOKEN}."),
                "grab": reference("flag"),
                "edge": word("The change of a line.", LineRequest.Edge.allCases.map(\.rawValue)),
                "bias": word("The pull of a line.", LineRequest.Bias.allCases.map(\.rawValue)),
                "active": word("The voltage of an active line.", ["high", "low"]), "debounce": reference("time"),
                "axis": word("The direction of a blow.", InputCause.Axis.allCases.map(\.rawValue)),
            ], required: ["on"])
    }

    private static var telemetry: JSON {
        object(
            "A source of values for texts and triggers.",
            [
                "from": text("gpsd, gpsd:HOST:PORT, nmea:PORT, json:FILE, can:BUS, track:FILE, accelerometer or api."),
                "baud": number("A serial port's rate."), "dbc": text("The DBC file of a bus."),
                "signals": text("The bus's signals: A+B."), "start": text("A track's time of the first picture."),
                "offset": text("A track's delay: 2s or -2s."), "name": text("The name before each value's own."),
                "valid": reference("time"),
            ], required: ["from"])
    }

    private static var scene: JSON {
        let shown = either(text("A camera."), reference("layer"))
        return object(
            "An arrangement.",
            [
                "main": either(text("The camera that fills the canvas."), reference("layer")),
                "insets": list("The pictures over the main one, lowest first.", shown),
                "layout": word("A layout of all pictures.", Layout.allCases.map(\.rawValue)),
                "of": list("The cameras of a layout.", text("A camera.")),
                "layers": list("All layers, lowest first.", shown),
            ])
    }

    private static var layer: JSON {
        object(
            "A layer's place and look.",
            members: [("of", text("The camera."))] + LayerItems.keys.map { ($0, scalar()) }, required: ["of"])
    }

    private static var overlay: JSON {
        .object([
            "type": "object", "description": "A text, a clock, a gauge, a watermark or a sticker with its place.",
            "oneOf": OverlayReader.kinds.map { JSON.object(["required": [$0]]) },
        ])
    }

    private static var audio: JSON {
        object(
            "A source of sound.",
            [
                "source": text("pulse, alsa:NAME, camera:NAME, movie:NAME, stream:NAME, or a sound file."),
                "gain": text("-6 dB."),
                "name": text("The name by which outputs select the source."), "high-pass": number("Hertz."),
                "balance": number("-1 to 1."), "mute": reference("flag"), "loop": reference("flag"),
            ], required: ["source"])
    }

    private static var output: JSON {
        let keys = [
            ("to", text("A file, an address, a device.")), ("of", text("A camera's own picture.")),
            ("paused", reference("flag")),
        ]
        return object(
            "An output with its options.", members: keys + OutputReader.options.map { ($0, scalar()) },
            required: ["to"])
    }

    private static var broker: JSON {
        object(
            "The MQTT broker to which the state is reported.",
            [
                "broker": text("mqtt://HOST or mqtts://USER:${PASSWORD}@HOST."),
                "name": text("The name with which all topics begin."),
                "ca": text("A file with the authorities of the broker's certificate."),
                "discovery": word("The form in which the device is announced.", ["homeassistant", "off"]),
                "thumbnail": text("The time between two pictures, or off."),
            ], required: ["broker"])
    }

    private static var pressure: JSON {
        let policy = [
            ("policy", text("A name or a file.")),
            ("preset", word("The steps of a policy.", PressurePolicy.presetNames)),
            ("steps", list("The steps of a policy of the file's own.", .object(["type": "object"]))),
            ("timing", JSON.object(["type": "object"])), ("thresholds", JSON.object(["type": "object"])),
        ]
        return object(
            "The response to heat, power and load.",
            members: policy + RigSections.pressure.map { ($0.name, $0.schema) })
    }

    // MARK: Effects

    private static var chain: JSON {
        either(
            text("As on the command line: vignette=0.4,sobel."),
            list("The effects, first to last.", reference("effect")))
    }

    private static var effect: JSON {
        .object([
            "anyOf": [
                JSON.object(["enum": EffectCatalogue.names]),
                text("As on the command line, or a file: ./tint.glsl."),
                JSON.object([
                    "type": "object", "minProperties": 1, "maxProperties": 1,
                    "properties": JSON.object(EffectCatalogue.entries.map { JSON.Member($0.name, values(of: $0)) }),
                ]),
            ]
        ])
    }

    private static func values(of entry: EffectEntry) -> JSON {
        var members = entry.parameters.map { ($0.name, schema(of: $0)) }
        members += [("essential", reference("flag")), ("muted", reference("flag"))]
        let all = object(entry.summary, members: members)
        guard let main = entry.parameters.first else { return all }
        return .object(["anyOf": [all, schema(of: main)]])
    }

    private static func schema(of parameter: EffectEntry.Parameter) -> JSON {
        let about = parameter.summary
        return switch parameter.kind {
        case .number(let range):
            .object([
                "description": about, "type": "number", "minimum": JSON.number(Double(range.lowerBound), decimals: 4),
                "maximum": JSON.number(Double(range.upperBound), decimals: 4),
            ])
        case .integer(let range):
            .object(["description": about, "type": "integer", "minimum": range.lowerBound, "maximum": range.upperBound])
        case .flag: reference("flag")
        case .choice(let names): word(about, names)
        case .color, .file: .object(["description": about, "type": "string"])
        case .numbers, .points, .places: .object(["description": about, "type": ["string", "number", "array"]])
        }
    }

    // MARK: Pieces

    static func reference(_ name: String) -> JSON { .object(["$ref": "#/$defs/\(name)"]) }

    static func text(_ about: String, pattern: String? = nil) -> JSON {
        var schema = JSON.object(["description": about, "type": ["string", "number"]])
        if let pattern { schema.add("pattern", pattern) }
        return schema
    }

    static func number(_ about: String) -> JSON { .object(["description": about, "type": ["number", "string"]]) }

    static func word(_ about: String, _ words: [String]) -> JSON { .object(["description": about, "enum": words]) }

    static func list(_ about: String, _ element: JSON) -> JSON {
        .object(["description": about, "type": "array", "items": element])
    }

    /// The schema of an option's value, which the parser of the option checks.
    private static func scalar() -> JSON { .object(["type": ["string", "number", "boolean"]]) }

    private static func map(_ about: String, of value: JSON) -> JSON {
        .object(["type": "object", "description": about, "additionalProperties": value])
    }

    private static func either(_ schemas: JSON...) -> JSON { .object(["oneOf": schemas]) }

    private static func section<Section>(
        _ about: String, _ keys: [RigKey<Section>], required: [String] = []
    ) -> JSON {
        object(about, members: keys.map { ($0.name, $0.schema) }, required: required)
    }

    private static func object(_ about: String, _ keys: KeyValuePairs<String, JSON>, required: [String] = []) -> JSON {
        object(about, members: keys.map { ($0.key, $0.value) }, required: required)
    }

    private static func object(_ about: String, members: [(String, JSON)], required: [String] = []) -> JSON {
        var schema = JSON.object(["description": about, "type": "object", "additionalProperties": false])
        if !required.isEmpty { schema.add("required", required) }
        schema.add("properties", JSON.object(members.map { JSON.Member($0.0, $0.1) }))
        return schema
    }
}
