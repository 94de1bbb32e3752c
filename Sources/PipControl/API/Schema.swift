#if Control
internal import PipCompose
internal import PipRig

/// Pieces of JSON Schema for the API's description.
enum Schema {
    static func object(
        _ properties: KeyValuePairs<String, JSON>, required: [String] = [], nullable: Bool = false
    ) -> JSON {
        object(
            properties.map { JSON.Member(key: $0.key, value: $0.value) }, required: required, nullable: nullable)
    }

    static func object(_ properties: [JSON.Member], required: [String] = [], nullable: Bool = false) -> JSON {
        var members: [JSON.Member] = [
            .init(key: "type", value: types("object", nullable)),
            .init(key: "additionalProperties", value: .bool(false)),
            .init(key: "properties", value: .object(properties)),
        ]
        if !required.isEmpty { members.append(.init(key: "required", value: .array(required.map { .string($0) }))) }
        return .object(members)
    }

    /// An object with any members.
    static func anyObject(of value: JSON? = nil, nullable: Bool = false) -> JSON {
        .object(
            [JSON.Member(key: "type", value: types("object", nullable))]
                + (value.map { [JSON.Member(key: "additionalProperties", value: $0)] } ?? []))
    }

    /// A text of a pattern, or of 1 to `most` characters (Unicode scalars).
    static func text(_ pattern: String? = nil, most: Int = Fields.longestText, nullable: Bool = false) -> JSON {
        var members: [JSON.Member] = [.init(key: "type", value: types("string", nullable))]
        if let pattern {
            members.append(.init(key: "pattern", value: .string(pattern)))
        } else {
            members += [.init(key: "minLength", value: .integer(1)), .init(key: "maxLength", value: .integer(most))]
        }
        return .object(members)
    }

    static func number(_ range: ClosedRange<Double>, nullable: Bool = false) -> JSON {
        .object([
            "type": types("number", nullable), "minimum": .number(range.lowerBound),
            "maximum": .number(range.upperBound),
        ])
    }

    static func integer(_ range: ClosedRange<Int>, nullable: Bool = false) -> JSON {
        .object([
            "type": types("integer", nullable), "minimum": .integer(range.lowerBound),
            "maximum": .integer(range.upperBound),
        ])
    }

    static func flag(nullable: Bool = false) -> JSON { .object(["type": types("boolean", nullable)]) }

    static func choice(_ words: [String], nullable: Bool = false) -> JSON {
        .object(["enum": .array(words.map { .string($0) } + (nullable ? [.null] : []))])
    }

    static func list(_ element: JSON, most: Int = 64) -> JSON {
        .object(["type": .string("array"), "items": element, "maxItems": .integer(most)])
    }

    static func either(_ schemas: JSON...) -> JSON { .object(["anyOf": .array(schemas)]) }

    static var duration: JSON { text("^(0|[1-9][0-9]{0,3}ms|[1-9]s|[1-5][0-9]s)$", nullable: true) }

    /// A name of a scene; see ``RigScene/isName(_:)``.
    static var sceneName: JSON { text("^(?!\\.{1,2}$)[^/\\u0000-\\u001f\\u007f-\\u009f]{1,64}$") }

    /// A part of an address: the name of a picture, or an identifier that the program gave.
    static var identifier: JSON { text("^[^/\\u0000-\\u001f\\u007f-\\u009f]{1,256}$") }

    private static var blends: String { BlendKind.allCases.map(\.rawValue).joined(separator: "|") }

    private static func types(_ name: String, _ nullable: Bool) -> JSON {
        nullable ? .array([.string(name), .string("null")]) : .string(name)
    }

    /// The longest side of a layer, in pixels: its effects are drawn for all of it, seen or not.
    static let largestSide = 8192

    /// The keys of a layer's change.
    static var layer: [JSON.Member] {
        let anchors = [
            "top-left", "top", "top-right", "left", "center", "right", "bottom-left", "bottom", "bottom-right",
        ]
        let length = either(
            integer(1...largestSide, nullable: true), text("^([1-9][0-9]?|100)(\\.[0-9]{1,3})?%$"))
        return [
            .init(key: "visible", value: flag(nullable: true)),
            .init(key: "at", value: either(choice(anchors, nullable: true), text("^-?[0-9]{1,4}:-?[0-9]{1,4}$"))),
            .init(key: "width", value: length), .init(key: "height", value: length),
            .init(key: "margin", value: integer(0...10000, nullable: true)),
            .init(key: "opacity", value: number(0...1, nullable: true)),
            .init(key: "radius", value: number(0...10000, nullable: true)),
            .init(key: "border", value: text("^[0-9]{1,3}:#[0-9a-f]{6}$", nullable: true)),
            .init(key: "shadow", value: number(0...1000, nullable: true)),
            .init(key: "rotate", value: .object(["enum": .array([0, 90, 180, 270].map { .integer($0) } + [.null])])),
            .init(key: "mirror", value: flag(nullable: true)),
            .init(key: "fit", value: choice(["fill", "fit", "stretch"], nullable: true)),
            .init(key: "crop", value: text("^[0-9]{1,4}:[0-9]{1,4}:[1-9][0-9]{0,3}:[1-9][0-9]{0,3}$", nullable: true)),
            .init(key: "z", value: integer(-1000...1000, nullable: true)),
            .init(key: "blend", value: text("^(\(blends))(:[a-z-]+=[^:]+)*$", nullable: true)),
            .init(key: "sampling", value: choice(["smooth", "lanczos"], nullable: true)),
        ]
    }

    /// An effect of a chain.
    static var effect: JSON {
        object(
            [
                "id": text(nullable: true), "effect": choice(EffectCatalogue.names),
                "values": anyObject(nullable: true), "muted": flag(nullable: true),
                "essential": flag(nullable: true),
            ], required: ["effect"])
    }
}
#endif
