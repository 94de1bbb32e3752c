package import PipCompose

extension PressureLevel {
    /// Reads a pressure level by its name.
    package init(argument text: String) throws(UsageError) {
        guard let level = PressureLevel(name: text.lowercased()) else {
            throw NearestName.unknown("level", text, among: Self.allCases.map(\.name))
        }
        self = level
    }
}

extension EffectQuality {
    /// Reads an effect quality by its name.
    package init(argument text: String) throws(UsageError) {
        guard let quality = Self.allCases.first(where: { "\($0)" == text.lowercased() }) else {
            throw NearestName.unknown("quality", text, among: Self.allCases.map { "\($0)" })
        }
        self = quality
    }
}

extension PressurePolicy {
    /// The names of the policies that are built in.
    package static var presetNames: [String] { presets.compactMap(\.name) }

    /// Returns the preset with a name.
    ///
    /// The error for an unknown name suggests the nearest name.
    package static func preset(named name: String) throws(UsageError) -> PressurePolicy {
        guard let policy = presets.first(where: { $0.name == name.lowercased() }) else {
            throw NearestName.unknown("policy", name, among: presetNames)
        }
        return policy
    }
}

/// `--pressure-policy NAME|FILE`: a preset, or the file of a policy.
package enum PolicyArgument: Equatable {
    case preset(PressurePolicy)
    /// The path of a file: any text with a slash or a dot.
    case file(String)

    package init(_ text: String) throws(UsageError) {
        if text.contains("/") || text.contains(".") {
            self = .file(text)
            return
        }
        do throws(UsageError) { self = .preset(try .preset(named: text)) } catch {
            throw UsageError("\(error); for a policy of your own, write the path of a .yaml file")
        }
    }

    /// Returns the preset, or reads the policy from the file.
    package func policy() throws(ConfigurationError) -> PressurePolicy {
        switch self {
        case .preset(let policy): policy
        case .file(let path): try PolicyFile(path: path).policy()
        }
    }
}
