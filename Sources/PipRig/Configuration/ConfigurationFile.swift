internal import Glibc
internal import PipFrames

/// A YAML file of limited size, without anchors, in which a key occurs at most once in its mapping.
package struct ConfigurationFile {
    /// The largest file size that the reader accepts, in bytes.
    package static let sizeLimit = 1 << 20

    package let path: String
    package let root: YAMLNode

    /// Reads and parses the YAML file at `path`.
    package init(path: String) throws(ConfigurationError) {
        let text = try Self.text(of: path)
        try self.init(text, path: path)
    }

    /// Parses YAML text that the caller has read.
    ///
    /// Messages name the file by `path`.
    package init(_ text: String, path: String) throws(ConfigurationError) {
        self.path = path
        guard text.utf8.count <= Self.sizeLimit else { throw Self.tooLarge(path) }
        let root: YAMLNode?
        do throws(YAMLError) { root = try YAMLNode.parsed(text) } catch {
            throw ConfigurationError(path, line: error.line, error.reason)
        }
        guard let root else { throw ConfigurationError(path, "the file is empty") }
        self.root = root
    }

    private static func text(of path: String) throws(ConfigurationError) -> String {
        guard let bytes = FileContents.bytes(of: path, limit: sizeLimit + 1) else {
            let reason = errno == EISDIR ? "it is a folder; name a file in it" : systemMessage(errno)
            throw ConfigurationError(path, "cannot read: \(reason)")
        }
        guard bytes.count <= sizeLimit else { throw tooLarge(path) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ConfigurationError(path, "the file is not UTF-8 text")
        }
        return text
    }

    private static func tooLarge(_ path: String) -> ConfigurationError {
        ConfigurationError(path, "the file is longer than 1 MiB, the limit of a configuration")
    }
}

extension ConfigurationFile {
    /// Reads the members of a mapping with a fixed set of keys.
    ///
    /// - Parameters:
    ///   - node: The mapping.
    ///   - subject: The mapping's name in messages: `a step`.
    ///   - known: The valid keys.
    /// - Returns: The members, keyed by name.
    /// - Throws: ``ConfigurationError`` for a node that is not a mapping, and for an unknown key, with the nearest
    ///   known
    ///   key.
    package func members(
        of node: YAMLNode, _ subject: String, known: [String]
    ) throws(ConfigurationError) -> [String: YAMLNode] {
        guard case .mapping(let mapping, _) = node else {
            let keys = known.joined(separator: ", ")
            throw mistake(node, "\(subject) must be a mapping of \"key: value\", with the keys \(keys)")
        }
        var members: [String: YAMLNode] = [:]
        for (key, value) in mapping {
            let name = try word(key)
            guard known.contains(name) else {
                throw mistake(key, "\(subject) has no key \(name)\(NearestName.hint(for: name, among: known))")
            }
            members[name] = value
        }
        return members
    }

    /// Reads the members of a mapping whose keys the user chooses, in file order.
    ///
    /// - Parameters:
    ///   - node: The mapping.
    ///   - subject: The mapping's name in messages.
    ///   - form: An example of a member, for messages.
    /// - Returns: The pairs of key and value.
    /// - Throws: ``ConfigurationError`` for a node that is not a mapping.
    package func pairs(
        of node: YAMLNode, _ subject: String, _ form: String
    ) throws(ConfigurationError) -> [(String, YAMLNode)] {
        guard case .mapping(let mapping, _) = node else {
            throw mistake(node, "\(subject) must be a mapping of \"\(form)\"")
        }
        var pairs: [(String, YAMLNode)] = []
        for (key, value) in mapping { pairs.append((try word(key), value)) }
        return pairs
    }

    private func word(_ key: YAMLNode) throws(ConfigurationError) -> String {
        guard case .scalar(let name, _) = key else { throw mistake(key, "a key must be a word") }
        return name
    }

    /// Reads the elements of a list, or throws for a node that is not a list.
    package func elements(of node: YAMLNode, _ subject: String) throws(ConfigurationError) -> [YAMLNode] {
        guard case .sequence(let elements, _) = node else {
            throw mistake(node, "\(subject) must be a list: put a \"-\" before each element")
        }
        return elements
    }

    /// Returns the text of a scalar, or throws for an empty scalar, a list or a mapping.
    package func text(_ node: YAMLNode, _ subject: String) throws(ConfigurationError) -> String {
        guard case .scalar(let text, _) = node, !text.isEmpty else {
            throw mistake(node, "\(subject) must be a word or a number")
        }
        return text
    }

    /// Parses a scalar with `read`, the parser that the command line uses for the same value.
    package func value<Value>(
        _ node: YAMLNode, _ subject: String, _ read: (String) throws(UsageError) -> Value
    ) throws(ConfigurationError) -> Value {
        let text = try text(node, subject)
        do throws(UsageError) { return try read(text) } catch { throw mistake(node, "\(subject): \(error)") }
    }

    package func mistake(_ node: YAMLNode, _ reason: String) -> ConfigurationError {
        ConfigurationError(path, line: node.line, reason)
    }
}
