/// A mistake in a configuration file.
///
/// The description names the file and, where known, the line.
public struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    public let description: String

    /// - Parameters:
    ///   - file: The file's path.
    ///   - line: The line, counted from 1; nil for a mistake that concerns the whole file.
    ///   - reason: The mistake.
    package init(_ file: String, line: Int? = nil, _ reason: String) {
        description = "\(file)\(line.map { ", line \($0)" } ?? ""): \(reason)"
    }
}
