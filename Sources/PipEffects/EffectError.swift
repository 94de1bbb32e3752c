/// An invalid value of an effect's parameter, with a message for the user.
public struct EffectError: Error, Equatable, CustomStringConvertible {
    /// The effect's name on the command line, the path of its GLSL file, or `blend` with the name of a blend.
    public let effect: String
    /// The parameter's name, such as `radius`.
    public let parameter: String
    /// The value, in the form of the command line.
    public let value: String
    /// The reason for which ``value`` is invalid.
    public let problem: Problem

    /// The reasons for which a value is invalid.
    public enum Problem: Sendable, Equatable {
        /// The value is out of range, or has another type.
        case notAllowed(ParameterKind)
        /// The text cannot be parsed as a value of the type.
        case unreadable(ParameterKind)
        /// The file cannot be used, or a GLSL file declares no such parameter. The reason is a sentence.
        case file(reason: String)
    }

    /// Creates an error for a parameter's value that `problem` rules out.
    public init(effect: String, parameter: String, value: String, problem: Problem) {
        self.effect = effect
        self.parameter = parameter
        self.value = value
        self.problem = problem
    }

    public var description: String {
        switch problem {
        case .notAllowed(let kind), .unreadable(let kind):
            "\(effect): \(parameter) is \(value.isEmpty ? "empty" : value), but must be \(kind.allowed)"
        case .file(let reason): "\(effect): \(parameter): \(reason)"
        }
    }
}

/// The reason for which the file of a parameter cannot be used.
public struct FileProblem: Error {
    /// The reason, as a sentence that names the file unless the path is empty.
    public let reason: String

    /// Creates a problem from its reason.
    public init(_ reason: String) { self.reason = reason }
}
