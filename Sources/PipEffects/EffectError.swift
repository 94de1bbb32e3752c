/// An invalid value of an effect's parameter, with a message for the person who set it.
public struct EffectError: Error, Equatable, CustomStringConvertible {
    /// The name of the effect.
    public let effect: String
    /// The name of the parameter.
    public let parameter: String
    /// The value, in the form of the command line.
    public let value: String
    /// The problem with the value.
    public let problem: Problem

    /// The fault of the value.
    public enum Problem: Sendable, Equatable {
        /// The value has the right type, but is out of range.
        case notAllowed(ParameterKind)
        /// The text is no value of the type.
        case unreadable(ParameterKind)
        /// The file of this path cannot be used. The reason is a sentence that names the file.
        case file(reason: String)
    }

    /// An error from its parts.
    public init(effect: String, parameter: String, value: String, problem: Problem) {
        self.effect = effect
        self.parameter = parameter
        self.value = value
        self.problem = problem
    }

    public var description: String {
        switch problem {
        case .notAllowed(.choice(let names)):
            "\(effect): there is no \(parameter) \(value); it is one of \(names.joined(separator: ", "))"
        case .notAllowed(let kind): "\(effect): \(parameter) is \(value), but must be \(kind.allowed)"
        case .unreadable(let kind):
            "\(effect): \(parameter): \(value) is not \(Self.article(kind)); it takes \(kind.allowed)"
        case .file(let reason): "\(effect): \(parameter): \(reason)"
        }
    }

    private static func article(_ kind: ParameterKind) -> String {
        switch kind {
        case .number: "a number"
        case .integer: "a whole number"
        case .flag: "a switch"
        case .color: "a colour"
        case .choice: "a choice"
        case .numbers: "a list of numbers"
        case .points: "a list of points"
        case .places: "a list of places"
        case .file: "a path"
        }
    }
}

/// The reason why a file that a parameter names cannot be used, as a sentence that names it.
public struct FileProblem: Error {
    /// The sentence.
    public let reason: String

    /// A problem from a sentence that names the file.
    public init(_ reason: String) { self.reason = reason }
}
