/// One parameter of an effect: its name, range and place in the value.
public struct EffectParameter<Owner: Sendable>: Sendable {
    /// As on the command line, in lower case with hyphens.
    public let name: String
    /// One line of help.
    public let summary: String
    /// The unit, such as `px`; empty for plain numbers.
    public let unit: String
    /// The values that are allowed.
    public let range: ClosedRange<Float>
    private let keyPath: any WritableKeyPath<Owner, Float> & Sendable

    public init(
        _ name: String, _ keyPath: any WritableKeyPath<Owner, Float> & Sendable, in range: ClosedRange<Float>,
        unit: String = "", _ summary: String
    ) {
        self.name = name
        self.keyPath = keyPath
        self.range = range
        self.unit = unit
        self.summary = summary
    }

    public func value(in owner: Owner) -> Float { owner[keyPath: keyPath] }

    public func set(_ value: Float, in owner: inout Owner) { owner[keyPath: keyPath] = value }
}

/// A parameter that has a value outside its range.
public struct EffectError: Error, Equatable, CustomStringConvertible {
    public let effect: String
    public let parameter: String
    public let value: Float
    public let range: ClosedRange<Float>

    public var description: String {
        "\(effect): \(parameter) is \(shortNumber(value)), but must be \(shortNumber(range.lowerBound)) to \(shortNumber(range.upperBound))"
    }
}

extension Effect {
    /// Checks every parameter against its range.
    public func validate() throws(EffectError) {
        for parameter in Self.parameters {
            let value = parameter.value(in: self)
            guard parameter.range.contains(value) else {
                throw EffectError(effect: Self.name, parameter: parameter.name, value: value, range: parameter.range)
            }
        }
    }

    /// The name and parameters, as on the command line: `gaussian-blur=radius=4`.
    public var label: String {
        let values = Self.parameters.map { "\($0.name)=\(shortNumber($0.value(in: self)))" }
        return values.isEmpty ? Self.name : "\(Self.name)=\(values.joined(separator: ":"))"
    }
}

/// A number without a needless `.0`.
private func shortNumber(_ value: Float) -> String {
    value == value.rounded() && abs(value) < 1e6 ? "\(Int(value))" : "\(value)"
}
