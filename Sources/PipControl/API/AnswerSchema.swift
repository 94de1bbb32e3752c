#if Control
internal import PipRig

/// The JSON Schemas of the API's answers.
///
/// Clients can rely on the listed members. Later versions may add members.
enum AnswerSchema {
    /// The named schemas, which other schemas refer to by ``reference(_:)``.
    static let named = JSON.object([
        "problem": problem, "layer": layer, "camera": camera, "effect": effect, "output": output, "pressure": pressure,
        "state": state, "recording": recording, "value": value,
    ])

    /// A `$ref` to a schema in ``named``.
    static func reference(_ name: String) -> JSON { .object(["$ref": "#/components/schemas/\(name)"]) }

    /// The schema of an object that has at least `members`.
    static func record(_ members: KeyValuePairs<String, JSON>) -> JSON {
        .object([
            "type": "object", "required": members.map(\.key),
            "properties": JSON.object(members.map { JSON.Member($0.key, $0.value) }),
        ])
    }

    /// The schema of a list whose elements match `element`.
    static func list(_ element: JSON) -> JSON { .object(["type": "array", "items": element]) }

    // MARK: Types

    static let text = JSON.object(["type": "string"])
    static let integer = JSON.object(["type": "integer"])
    static let number = JSON.object(["type": "number"])
    static let flag = JSON.object(["type": "boolean"])
    /// The schema that allows every value.
    static let anything = JSON.object([])

    static func optional(_ names: String...) -> JSON { .object(["type": names + ["null"]]) }

    private static func map(of value: JSON) -> JSON { .object(["type": "object", "additionalProperties": value]) }

    private static func orNull(_ schema: JSON) -> JSON { .object(["anyOf": [schema, .object(["type": "null"])]]) }

    // MARK: Parts of the state

    /// The schema of the body of an error answer, a problem document.
    ///
    /// Source: RFC 9457.
    private static var problem: JSON {
        .object([
            "type": "object", "required": ["title", "status", "detail"],
            "properties": JSON.object(["type": text, "title": text, "status": integer, "detail": text]),
        ])
    }

    private static var layer: JSON {
        let rect = record(["x": integer, "y": integer, "width": integer, "height": integer])
        let length = optional("string", "integer")
        return record([
            "id": text, "main": flag, "rect": orNull(rect), "visible": flag, "at": text, "width": length,
            "height": length, "margin": integer, "opacity": number, "radius": number, "border": optional("string"),
            "shadow": optional("number"), "rotate": integer, "mirror": flag, "fit": text, "crop": optional("string"),
            "z": integer, "blend": optional("string"), "sampling": text,
        ])
    }

    private static var camera: JSON {
        let mode = record(["format": text, "size": text, "fps": optional("number")])
        let control = record([
            "name": text, "title": text, "kind": Schema.choice(["integer", "boolean", "menu"]), "minimum": integer,
            "maximum": integer, "step": integer, "default": integer, "value": optional("integer"), "active": flag,
            "read_only": flag,
        ])
        return record([
            "id": text, "source": text, "kind": Schema.choice(["camera", "stream", "file", "pattern"]),
            "state": Schema.choice(["streaming", "opening", "stalled", "lost", "disabled", "closed", "ended"]),
            "enabled": flag, "can_disable": flag, "reason": optional("string"), "device": optional("string"),
            "format": optional("string"), "size": optional("string"), "fps": number, "delivered": integer,
            "used": integer, "drops": map(of: integer), "events": list(text), "when_missing": text, "mirror": flag,
            "nominal_fps": optional("number"), "rotation": optional("string"), "rate_limit": optional("number"),
            "paused": flag, "modes": list(mode), "adjustments": map(of: text), "controls": list(control),
        ])
    }

    private static var effect: JSON {
        record(["id": text, "effect": text, "values": map(of: anything), "muted": flag, "essential": flag])
    }

    private static var output: JSON {
        record([
            "id": text, "to": text, "of": text, "kind": text,
            "state": Schema.choice(["waiting", "running", "paused", "finished", "failed"]), "written": integer,
            "dropped": map(of: integer), "bytes": optional("integer"), "bits_per_second": optional("integer"),
            "connections": integer, "seconds": number, "encoder": optional("string"), "error": optional("string"),
            "can_split": flag, "has_clips": flag, "configured": flag,
        ])
    }

    private static var value: JSON {
        record(["name": text, "value": optional("number", "string"), "present": flag])
    }

    private static var recording: JSON {
        record([
            "name": text, "start": number, "duration": number, "bytes": integer, "cameras": list(text),
            "moments": list(record(["offset": integer, "text": text])),
            "state": Schema.choice(["complete", "recording", "interrupted", "damaged"]), "locked": flag,
        ])
    }

    /// The schema of a day with recordings.
    static var recordingDay: JSON {
        record([
            "date": text, "from": optional("integer"), "to": optional("integer"),
            "offsets": list(record(["from": integer, "seconds": integer])), "count": integer, "bytes": integer,
            "clips": integer,
        ])
    }

    private static var pressure: JSON {
        record([
            "level": text, "known": flag, "pinned": optional("string"), "policy": text, "policies": list(text),
            "temperature": optional("number"), "given_up": list(text), "why": list(text),
        ])
    }

    private static var state: JSON {
        let percentiles = orNull(record(["p50": number, "p99": number, "max": number]))
        return record([
            "program": text, "elapsed": number,
            "canvas": record(["width": integer, "height": integer, "fps": number, "light": text]),
            "output": record([
                "frames": integer, "fps": number, "missed": integer, "thinned": integer, "latency_ms": percentiles,
                "skew_ms": percentiles,
            ]),
            "scene": record(["name": optional("string"), "changed": flag]), "scenes": list(text),
            "layers": list(reference("layer")), "cameras": list(reference("camera")),
            "chains": map(of: list(reference("effect"))), "outputs": list(reference("output")),
            "pressure": reference("pressure"),
            "plan": record(["renderer": text, "passes": integer, "pixels": integer]),
            "telemetry": list(reference("value")),
            "can": record([
                "preview": Schema.choice(["webrtc", "mjpeg"]), "outputs": flag, "stills": flag,
                "recordings": Schema.choice(["none", "read", "change"]),
            ]),
        ])
    }
}
#endif
