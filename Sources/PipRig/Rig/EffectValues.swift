package import PipCompose

/// A parameter of an effect, with its current value.
package struct EffectSetting: Sendable, Equatable {
    package let name: String
    package let kind: ParameterKind
    package let value: ParameterValue
}

extension Effect {
    /// The effect's name in chains: the catalogue's name, or the path of the GLSL file.
    package var catalogueName: String { (self as? FileEffect)?.path ?? Self.name }

    /// The parameters with their current values, in the order of positional values.
    package var presentSettings: [EffectSetting] {
        if let file = self as? FileEffect {
            return file.settings.compactMap { setting in
                file.value(of: setting.name).map { EffectSetting(name: setting.name, kind: setting.kind, value: $0) }
            }
        }
        return Self.parameters.map { EffectSetting(name: $0.name, kind: $0.kind, value: $0.value(in: self)) }
    }

    /// True if the other effect draws the same picture.
    package func equals(_ other: any Effect) -> Bool {
        if let file = self as? FileEffect { return (other as? FileEffect).map(file.draws(as:)) ?? false }
        return type(of: other) == Self.self && other.presentSettings == presentSettings
    }
}
