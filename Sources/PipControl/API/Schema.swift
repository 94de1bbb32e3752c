#if Control
internal import PipCompose
internal import PipRig

/// Builders of the JSON Schemas of request bodies.
enum Schema {
    static func object(
        _ properties: KeyValuePairs<String, JSON>, required: [String] = [], nullable: Bool = false
    ) -> JSON {
        object(properties.map { JSON.Member($0.key, $0.value) }, required: required, nullable: nullable)
    }

    static func object(_ properties: [JSON.Member], required: [String] = [], nullable: Bool = false) -> JSON {
        var schema = JSON.object([
            "type": types("object", nullable), "additionalProperties": false, "properties": JSON.object(properties),
        ])
        if !required.isEmpty { schema.add("required", required) }
        return schema
    }

    /// The schema of an object whose keys are arbitrary, and whose values match `value`.
    static func anyObject(of value: JSON? = nil, nullable: Bool = false) -> JSON {
        var schema = JSON.object(["type": types("object", nullable)])
        if let value { schema.add("additionalProperties", value) }
        return schema
    }

    /// The schema of a text that matches a pattern, or else has 1 to `most` Unicode scalars.
    static func text(_ pattern: String? = nil, most: Int = Fields.longestText, nullable: Bool = false) -> JSON {
        let type = types("string", nullable)
        if let pattern { return .object(["type": type, "pattern": pattern]) }
        return .object(["type": type, "minLength": 1, "maxLength": most])
    }

    static func number(_ range: ClosedRange<Double>, nullable: Bool = false) -> JSON {
        .object(["type": types("number", nullable), "minimum": range.lowerBound, "maximum": range.upperBound])
    }

    static func integer(_ range: ClosedRange<Int>, nullable: Bool = false) -> JSON {
        .object(["type": types("integer", nullable), "minimum": range.lowerBound, "maximum": range.upperBound])
    }

    static func flag(nullable: Bool = false) -> JSON { .object(["type": types("boolean", nullable)]) }

    static func choice(_ words: [any JSONConvertible], nullable: Bool = false) -> JSON {
        .object(["enum": JSON.array(words.map { $0.json } + (nullable ? [.null] : []))])
    }

    static func list(_ element: JSON, most: Int = 64) -> JSON {
        .object(["type": "array", "items": element, "maxItems": most])
    }

    static func either(_ schemas: JSON...) -> JSON { .object(["anyOf": schemas]) }

    static var duration: JSON { text("^(0|[1-9][0-9]{0,3}ms|[1-9]s|[1-5][0-9]s)$", nullable: true) }

    /// The schema of a scene's name, equivalent to ``RigScene/isName(_:)``.
    static var sceneName: JSON { text("^(?!\\.{1,2}$)[^/\\u0000-\\u001f\\u007f-\\u009f]{1,64}$") }

    /// The schema of a path variable: the name of a picture, or an identifier that the program has made.
    static var identifier: JSON { text("^[^/\\u0000-\\u001f\\u007f-\\u009f]{1,256}$") }

    private static var blends: String { BlendKind.allCases.map(\.rawValue).joined(separator: "|") }

    private static func types(_ name: String, _ nullable: Bool) -> JSON {
        nullable ? [name, "null"].json : name.json
    }

    /// The limit of a layer's width and height, in pixels.
    ///
    /// The limit bounds the work: effects are drawn for the whole layer, even outside the canvas.
    static let largestSide = 8192

    /// The members of a request that changes a layer.
    static var layer: [JSON.Member] {
        let length = either(
            integer(1...largestSide, nullable: true), text("^([1-9][0-9]?|100)(\\.[0-9]{1,3})?%$"))
        return [
            .init("visible", flag(nullable: true)),
            .init(
                "at",
                either(choice(Anchor.allCases.map(\.rawValue), nullable: true), text("^-?[0-9]{1,4}:-?[0-9]{1,4}$"))),
            .init("width", length), .init("height", length), .init("margin", integer(0...10000, nullable: true)),
            .init("opacity", number(0...1, nullable: true)), .init("radius", number(0...10000, nullable: true)),
            .init("border", text("^[0-9]{1,3}:#[0-9a-f]{6}$", nullable: true)),
            .init("shadow", number(0...1000, nullable: true)),
            .init("rotate", choice([0, 90, 180, 270], nullable: true)), .init("mirror", flag(nullable: true)),
            .init("fit", choice(FitMode.allCases.map(\.rawValue), nullable: true)),
            .init("crop", text("^[0-9]{1,4}:[0-9]{1,4}:[1-9][0-9]{0,3}:[1-9][0-9]{0,3}$", nullable: true)),
            .init("z", integer(-1000...1000, nullable: true)),
            .init("blend", text("^(\(blends))(:[a-z-]+=[^:]+)*$", nullable: true)),
            .init("sampling", choice(LayerSampling.allCases.map(\.rawValue), nullable: true)),
        ]
    }

    /// The schema of an effect in a request.
    static var effect: JSON {
        object(
            [
                "id": text(nullable: true), "effect": choice(EffectCatalogue.names),
                "values": anyObject(nullable: true), "muted": flag(nullable: true), "essential": flag(nullable: true),
            ], required: ["effect"])
    }
}
#endif
