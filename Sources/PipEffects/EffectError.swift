/// An invalid value of an effect's parameter.
public struct EffectError: Error, Equatable, CustomStringConvertible {
    /// The name of the effect.
    public let effect: String
    /// The name of the parameter.
    public let parameter: String
    /// As it would be written on the command line.
    public let value: String
    /// The problem with the value.
    public let problem: Problem

    /// A problem with a value.
    public enum Problem: Sendable, Equatable {
        /// It is of the right kind, but out of range.
        case notAllowed(ParameterKind)
        /// It is no value of that kind.
        case unreadable(ParameterKind)
        /// The file that it names cannot be used; the reason is a sentence that names it.
        case file(reason: String)
    }

    /// An error by its parts.
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

    /// A problem with a file, as a sentence that names it.
    public init(_ reason: String) { self.reason = reason }
}
