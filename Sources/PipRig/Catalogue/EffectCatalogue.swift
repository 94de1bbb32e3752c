package import PipCompose

/// The effects that users can name.
///
/// Adding an effect here promises its name and its parameters to users.
package enum EffectCatalogue {
    package static let types: [any Effect.Type] =
        colorTypes + [Vignette.self, Sobel.self, GaussianBlur.self, Mirror.self] + imageTypes + visualTypes
        + temporalTypes

    package static var names: [String] { types.map { $0.name } }

    package static func type(named name: String) -> (any Effect.Type)? { types.first { $0.name == name } }

    /// The descriptions of all effects.
    package static var entries: [EffectEntry] { types.map { EffectEntry($0) } }
}

/// The catalogue's description of an effect.
package struct EffectEntry: Sendable, Equatable {
    package struct Parameter: Sendable, Equatable {
        package let name: String
        package let summary: String
        package let unit: String
        package let kind: ParameterKind
        /// True for a parameter that users must give.
        package let isRequired: Bool
        package let defaultValue: ParameterValue
        /// The value at which the parameter has no influence; nil for a parameter without one.
        package let neutral: ParameterValue?

        package init<Owner: Sendable>(_ parameter: EffectParameter<Owner>, of defaults: Owner) {
            name = parameter.name
            summary = parameter.summary
            unit = parameter.unit
            kind = parameter.kind
            isRequired = parameter.isRequired
            defaultValue = parameter.value(in: defaults)
            neutral = parameter.neutral
        }

        package init(_ parameter: FileEffect.Parameter) {
            name = parameter.name
            summary = parameter.summary
            unit = ""
            kind = parameter.kind
            isRequired = false
            defaultValue = parameter.defaultValue
            neutral = nil
        }
    }

    package let name: String
    package let summary: String
    /// The parameters in the order of positional values; the main parameter is first.
    package let parameters: [Parameter]
    /// Example values that show the effect better than its defaults; nil where the defaults suffice.
    private let exampleValues: String?

    package init(_ type: any Effect.Type) { self = Self.describe(type) }

    /// Describes an effect that was read from a GLSL file.
    package init(_ effect: FileEffect) {
        self.init(
            name: effect.path, summary: effect.about, parameters: effect.settings.map { Parameter($0) },
            exampleValues: nil)
    }

    private init(name: String, summary: String, parameters: [Parameter], exampleValues: String?) {
        self.name = name
        self.summary = summary
        self.parameters = parameters
        self.exampleValues = exampleValues
    }

    private static func describe<E: Effect>(_ type: E.Type) -> EffectEntry {
        let defaults = E()
        return EffectEntry(
            name: E.name, summary: E.summary,
            parameters: E.parameters.map { Parameter($0, of: defaults) },
            exampleValues: E.example)
    }

    /// The effect as an item of a chain, with its example values: `vignette=1:start=0.3:end=0.75`.
    ///
    /// An effect without example values has the defaults that differ from the neutral values.
    package var example: String {
        if let exampleValues { return exampleValues.isEmpty ? name : "\(name)=\(exampleValues)" }
        return text(parameters.map { $0.defaultValue == $0.neutral ? nil : $0.defaultValue })
    }

    /// The effect as an item of a chain, with values that leave the picture unchanged: `sepia=0`.
    ///
    /// Nil for an effect that always changes the picture.
    package var neutralText: String? {
        guard parameters.contains(where: { $0.neutral != nil }) else { return nil }
        return text(parameters.map { $0.neutral == $0.defaultValue ? nil : $0.neutral })
    }

    /// Writes the effect as an item of a chain, with one value for each parameter.
    ///
    /// Nil and empty values are left out.
    private func text(_ values: [ParameterValue?]) -> String {
        var words: [String] = []
        for (index, value) in values.enumerated() {
            guard let value = value.map({ ChainSyntax.quoted("\($0)") }), value != "''" else { continue }
            words.append(index == 0 ? value : "\(parameters[index].name)=\(value)")
        }
        return words.isEmpty ? name : "\(name)=\(words.joined(separator: ":"))"
    }
}
