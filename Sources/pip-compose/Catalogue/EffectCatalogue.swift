import PipCompose

/// The effects that the command line offers.
///
/// Adding one here promises its name and its parameters to users.
enum EffectCatalogue {
    static let types: [any Effect.Type] =
        colorTypes + [Vignette.self, Sobel.self, GaussianBlur.self, Mirror.self] + imageTypes + visualTypes
        + temporalTypes

    static var names: [String] { types.map { $0.name } }

    static func type(named name: String) -> (any Effect.Type)? { types.first { $0.name == name } }

    /// All effects, described.
    static var entries: [EffectEntry] { types.map { EffectEntry($0) } }
}

/// An effect as the catalogue shows it.
struct EffectEntry: Sendable, Equatable {
    struct Parameter: Sendable, Equatable {
        let name: String
        let summary: String
        let unit: String
        let kind: ParameterKind
        /// True when it has no default.
        let isRequired: Bool
        let defaultValue: ParameterValue
    }

    let name: String
    let summary: String
    /// The main one first.
    let parameters: [Parameter]
    /// Values with which it shows; nil where the ranges tell some.
    private let exampleValues: String?

    init(_ type: any Effect.Type) { self = Self.describe(type) }

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
            parameters: E.parameters.map {
                Parameter(
                    name: $0.name, summary: $0.summary, unit: $0.unit, kind: $0.kind, isRequired: $0.isRequired,
                    defaultValue: $0.value(in: defaults))
            },
            exampleValues: E.example)
    }

    /// The effect as an argument, with values that show: `vignette=0.5:start=0.3:end=0.75`.
    var example: String {
        if let exampleValues { return exampleValues.isEmpty ? name : "\(name)=\(exampleValues)" }
        let values = parameters.enumerated().map { index, parameter in
            index == 0 ? "\(visibleValue(parameter))" : "\(parameter.name)=\(parameter.defaultValue)"
        }
        return values.isEmpty ? name : "\(name)=\(values.joined(separator: ":"))"
    }

    /// A value at which the effect can be seen: half way from a default that may change nothing to the top.
    private func visibleValue(_ parameter: Parameter) -> ParameterValue {
        guard case .number(let range) = parameter.kind, case .number(let normal) = parameter.defaultValue else {
            return parameter.defaultValue
        }
        let value = (normal + min(range.upperBound, normal * 2 + 1)) / 2
        return .number((value * 10).rounded() / 10)
    }
}
