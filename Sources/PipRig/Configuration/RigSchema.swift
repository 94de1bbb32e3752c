internal import PipCompose

/// The JSON Schema of configuration files, for editors.
///
/// Source: JSON Schema 2020-12, "Core" and "Validation".
package enum RigSchema {
    /// The schema as a document.
    package static var document: JSON {
        .object([
            "$schema": .string("https://json-schema.org/draft/2020-12/schema"),
            "title": .string("pip-compose"),
            "description": .string("A composition of cameras, with how it runs."),
            "type": .string("object"), "additionalProperties": .bool(false), "required": .array([.string("cameras")]),
            "properties": properties,
            "$defs": .object([
                "effect": effect, "chain": chain, "layer": layer, "flag": flag, "time": time,
                "policy": .object(["description": .string("A policy: preset or steps, timing, thresholds.")]),
            ]),
        ])
    }

    private static var properties: JSON {
        .object([
            "canvas": object(
                "The picture.",
                [
                    "size": text("1280x720, 720p, 1080p or 2160p."), "fps": number("Frames a second, max, or camera."),
                    "light": word(
                        "The light in which layers are blended: the encoded values, or linear light.",
                        Compositor.Light.allCases.map(\.rawValue)),
                ]),
            "cameras": .object([
                "type": .string("object"), "minProperties": .integer(1),
                "description": .string("The sources by name."),
                "additionalProperties": .object(["oneOf": .array([text("A source."), camera])]),
            ]),
            "scenes": .object([
                "type": .string("object"), "description": .string("Arrangements by name; the first one is shown."),
                "additionalProperties": scene,
            ]),
            "scene": text("The scene that is shown first."),
            "effects": .object([
                "type": .string("object"), "description": .string("Chains by the camera's name, or output."),
                "additionalProperties": reference("chain"),
            ]),
            "overlays": list("Texts, clocks and pictures above all.", overlay),
            "audio": object(
                "Sound.", ["inputs": list("The sources.", .object(["oneOf": .array([text("A source."), audio])]))]),
            "outputs": list(
                "Where the picture goes.", .object(["oneOf": .array([text("A file or an address."), output])])),
            "stills": list(
                "The pictures that SIGUSR2 takes.",
                .object([
                    "oneOf": .array([
                        text("A file."),
                        object(
                            "A file and its picture.",
                            [
                                "to": text("A .jpg or .png file; strftime's codes are filled in."),
                                "of": text("A camera."),
                                "quality": number("1 to 100."), "size": word("The camera's largest.", ["largest"]),
                                "flash": word("Whether the camera lights it.", ["on", "off", "auto"]),
                            ], required: ["to"]),
                    ])
                ])),
            "panel": .object(["oneOf": .array([text("[ADDRESS:]PORT or unix:PATH."), panel])]),
            "pressure": .object(["oneOf": .array([text("A policy's name or file."), pressure])]),
            "match-cameras": word("How cameras are matched once they have settled.", ["lock", "copy"]),
            "draw": object(
                "What draws.",
                [
                    "renderer": word("OpenGL ES, the CPU, or the cheaper.", ["auto", "gl", "cpu"]),
                    "threads": number("Threads that draw on the CPU."), "fuse": reference("flag"),
                    "share-buffers": word("Whether a GPU reads cameras' memory.", ["auto", "always", "never"]),
                ]),
            "run": object(
                "How long, and how it starts.",
                [
                    "duration": reference("time"), "frames": number("Output frames."),
                    "require-both": reference("flag"), "realtime": reference("flag"),
                    "stats": text("A file for the statistics."),
                ]),
            "log": object(
                "How events are written.",
                [
                    "format": word("One event a line.", ["text", "json"]),
                    "level": word("How much.", ["quiet", "normal", "verbose"]),
                ]),
        ])
    }

    private static var camera: JSON {
        object(
            "A source with its options.",
            [
                "source": text("A camera, a file, a pattern or a stream."), "mirror": reference("flag"),
                "when-missing": word(
                    "What is shown without frames.", AbsencePolicy.allCases.map(\.rawValue)),
                "mask": text("A picture that is white where this one shows."), "enabled": reference("flag"),
                "controls": .object([
                    "type": .string("object"),
                    "description": .string(
                        "By meaning: exposure (auto, once, locked, 1/50s), iso, gain, bias, metering, focus, white-balance (auto, "
                            + "once, locked, 4500K), zoom, power-line, hdr, stabilization, torch; others by drivers' names."
                    ),
                    "additionalProperties": .object([
                        "type": .array(["string", "number", "boolean"].map { .string($0) })
                    ]),
                ]),
                "preset": word("Of a camera.", CameraPreset.allCases.map(\.rawValue)),
                "size": text("1280x720."), "fps": number("Frames a second."),
                "limit": number("Of a camera: the most frames a second that are used; the device stays as it is."),
                "paused": reference("flag"),
                "format": text("mjpeg, yuyv, nv12 …"),
                "color-space": word(
                    "Of a camera whose driver converts colours.", CameraColorSpace.allCases.map(\.rawValue)),
                "rotate": .object([
                    "type": .array(["string", "integer"].map { .string($0) }),
                    "description": .string(
                        "Of a camera: degrees clockwise by which its picture is turned, mounting (as its driver says), or device (as "
                            + "the device is held)."),
                ]),
                "seed": number("Of a pattern."), "loop": reference("flag"), "from": reference("time"),
                "to": reference("time"), "latency": reference("time"), "transport": word("Of RTSP.", ["tcp", "udp"]),
            ], required: ["source"])
    }

    private static var scene: JSON {
        object(
            "An arrangement.",
            [
                "main": .object(["oneOf": .array([text("The camera that fills the canvas."), reference("layer")])]),
                "insets": list(
                    "Over it, lowest first.", .object(["oneOf": .array([text("A camera."), reference("layer")])])),
                "layout": word("A layout of all.", Layout.allCases.map(\.rawValue)),
                "of": list("The cameras of a layout.", text("A camera.")),
                "layers": list(
                    "All layers, lowest first.", .object(["oneOf": .array([text("A camera."), reference("layer")])])),
            ])
    }

    private static var layer: JSON {
        var keys: [(String, JSON)] = [("of", text("The camera."))]
        for key in LayerItems.keys {
            keys.append((key, .object(["type": .array(["string", "number", "boolean"].map { .string($0) })])))
        }
        return object("A layer's place and look.", members: keys, required: ["of"])
    }

    private static var overlay: JSON {
        .object([
            "type": .string("object"),
            "description": .string("A text, a clock, a watermark or a sticker with its place."),
            "oneOf": .array(OverlayReader.kinds.map { .object(["required": .array([.string($0)])]) }),
        ])
    }

    private static var audio: JSON {
        object(
            "A source of sound.",
            [
                "source": text("pulse, alsa:NAME, camera:NAME, movie:NAME, a .wav file."), "gain": text("-6 dB."),
                "name": text("By which outputs ask for it."), "high-pass": number("Hertz."),
                "balance": number("-1 to 1."), "mute": reference("flag"), "loop": reference("flag"),
            ], required: ["source"])
    }

    private static var output: JSON {
        var keys: [(String, JSON)] = [
            ("to", text("A file, an address, a device.")), ("of", text("A camera's own picture.")),
            ("paused", reference("flag")),
        ]
        for key in OutputReader.options {
            keys.append((key, .object(["type": .array(["string", "number", "boolean"].map { .string($0) })])))
        }
        return object("An output with its options.", members: keys, required: ["to"])
    }

    private static var panel: JSON {
        object(
            "The panel.",
            [
                "listen": text("[ADDRESS:]PORT or unix:PATH."), "token": text("${file:/run/secrets/token}."),
                "root": text("The folder in which outputs may be made."),
                "hosts": list("Names by which it is reached.", text("A name.")),
                "origins": list("Other pages that may use it.", text("https://example.org.")),
            ], required: ["listen"])
    }

    private static var pressure: JSON {
        object(
            "The response to heat, power and load.",
            [
                "policy": text("A name or a file."),
                "pin": word("Hold a level.", PressureLevel.allCases.map(\.name)), "wait": reference("flag"),
                "root": text("The folder that stands for /."),
                "preset": word("The steps of a policy.", PressurePolicy.presetNames),
                "steps": list("Steps of its own.", .object(["type": .string("object")])),
                "timing": .object(["type": .string("object")]), "thresholds": .object(["type": .string("object")]),
            ])
    }

    // MARK: Effects

    private static var chain: JSON {
        .object([
            "oneOf": .array([
                text("As on the command line: vignette=0.4,sobel."), list("First to last.", reference("effect")),
            ])
        ])
    }

    private static var effect: JSON {
        let names = EffectCatalogue.names.map { JSON.string($0) }
        return .object([
            "anyOf": .array([
                .object(["enum": .array(names)]), text("As on the command line, or a file: ./tint.glsl."),
                .object([
                    "type": .string("object"), "minProperties": .integer(1), "maxProperties": .integer(1),
                    "properties": .object(
                        EffectCatalogue.entries.map { JSON.Member(key: $0.name, value: values(of: $0)) }),
                ]),
            ])
        ])
    }

    private static func values(of entry: EffectEntry) -> JSON {
        var members = entry.parameters.map { ($0.name, schema(of: $0)) }
        members += [("essential", reference("flag")), ("muted", reference("flag"))]
        let all = object(entry.summary, members: members)
        guard let main = entry.parameters.first else { return all }
        return .object(["anyOf": .array([all, schema(of: main)])])
    }

    private static func schema(of parameter: EffectEntry.Parameter) -> JSON {
        let about = JSON.string(parameter.summary)
        return switch parameter.kind {
        case .number(let range):
            .object([
                "description": about, "type": .string("number"),
                "minimum": .number(Double(range.lowerBound), decimals: 4),
                "maximum": .number(Double(range.upperBound), decimals: 4),
            ])
        case .integer(let range):
            .object([
                "description": about, "type": .string("integer"), "minimum": .integer(range.lowerBound),
                "maximum": .integer(range.upperBound),
            ])
        case .flag: reference("flag")
        case .choice(let names): .object(["description": about, "enum": .array(names.map { .string($0) })])
        case .color, .file: .object(["description": about, "type": .string("string")])
        case .numbers, .points, .places:
            .object(["description": about, "type": .array([.string("string"), .string("number"), .string("array")])])
        }
    }

    // MARK: Pieces

    private static var flag: JSON {
        .object([
            "enum": .array([.bool(true), .bool(false), .string("on"), .string("off"), .string("yes"), .string("no")])
        ])
    }

    private static var time: JSON { text("10s, 1m30s, 500ms.", pattern: "^[0-9.]+(ms|s|m|h)?([0-9.]+(ms|s|m))*$") }

    private static func reference(_ name: String) -> JSON { .object(["$ref": .string("#/$defs/\(name)")]) }

    private static func text(_ about: String, pattern: String? = nil) -> JSON {
        var members: [JSON.Member] = [
            .init(key: "description", value: .string(about)),
            .init(key: "type", value: .array([.string("string"), .string("number")])),
        ]
        if let pattern { members.append(.init(key: "pattern", value: .string(pattern))) }
        return .object(members)
    }

    private static func number(_ about: String) -> JSON {
        .object(["description": .string(about), "type": .array([.string("number"), .string("string")])])
    }

    private static func word(_ about: String, _ words: [String]) -> JSON {
        .object(["description": .string(about), "enum": .array(words.map { .string($0) })])
    }

    private static func list(_ about: String, _ element: JSON) -> JSON {
        .object(["description": .string(about), "type": .string("array"), "items": element])
    }

    private static func object(
        _ about: String, _ members: KeyValuePairs<String, JSON>, required: [String] = []
    ) -> JSON {
        object(about, members: members.map { ($0.key, $0.value) }, required: required)
    }

    private static func object(_ about: String, members: [(String, JSON)], required: [String] = []) -> JSON {
        var result: [JSON.Member] = [
            .init(key: "description", value: .string(about)), .init(key: "type", value: .string("object")),
            .init(key: "additionalProperties", value: .bool(false)),
        ]
        if !required.isEmpty { result.append(.init(key: "required", value: .array(required.map { .string($0) }))) }
        result.append(.init(key: "properties", value: .object(members.map { JSON.Member(key: $0.0, value: $0.1) })))
        return .object(result)
    }
}
