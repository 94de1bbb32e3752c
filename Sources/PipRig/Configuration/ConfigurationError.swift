/// A mistake in a configuration file, as a sentence that names the file and the line.
public struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    public let description: String

    /// - Parameters:
    ///   - file: The file's path.
    ///   - line: Counted from 1; nil when it is about the file as a whole.
    ///   - reason: The mistake.
    package init(_ file: String, line: Int? = nil, _ reason: String) {
        description = "\(file)\(line.map { ", line \($0)" } ?? ""): \(reason)"
    }
}
