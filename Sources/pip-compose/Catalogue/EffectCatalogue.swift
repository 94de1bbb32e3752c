import PipCompose

/// The effects that the command line offers.
///
/// Adding one here promises its name and its parameters to users.
enum EffectCatalogue {
    static let types: [any Effect.Type] = [
        Brightness.self, Contrast.self, Saturation.self, Gamma.self, Vignette.self, Sobel.self, GaussianBlur.self,
        Mirror.self,
    ]

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
        let range: ClosedRange<Float>
        let defaultValue: Float
    }

    let name: String
    let summary: String
    /// The main one first.
    let parameters: [Parameter]

    init(_ type: any Effect.Type) { self = Self.describe(type) }

    private init(name: String, summary: String, parameters: [Parameter]) {
        self.name = name
        self.summary = summary
        self.parameters = parameters
    }

    private static func describe<E: Effect>(_ type: E.Type) -> EffectEntry {
        let defaults = E()
        return EffectEntry(
            name: E.name, summary: E.summary,
            parameters: E.parameters.map {
                Parameter(
                    name: $0.name, summary: $0.summary, unit: $0.unit, range: $0.range,
                    defaultValue: $0.value(in: defaults))
            })
    }

    /// How it is written with values that show: `vignette=0.5:start=0.3:end=0.75`.
    var example: String {
        let values = parameters.enumerated().map { index, parameter in
            let value = shortNumber(Double(index == 0 ? visibleValue(parameter) : parameter.defaultValue))
            return index == 0 ? value : "\(parameter.name)=\(value)"
        }
        return values.isEmpty ? name : "\(name)=\(values.joined(separator: ":"))"
    }

    /// A value at which the effect can be seen: half way from a default that may change nothing to the top.
    private func visibleValue(_ parameter: Parameter) -> Float {
        let value = (parameter.defaultValue + min(parameter.range.upperBound, parameter.defaultValue * 2 + 1)) / 2
        return (value * 10).rounded() / 10
    }
}
