internal import Foundation
internal import PipFrames
package import Yams

/// A YAML file of limited size, without anchors, in which a key occurs at most once in its mapping.
package struct ConfigurationFile {
    /// The largest file size that the reader accepts, in bytes.
    package static let sizeLimit = 1 << 20

    package let path: String
    package let root: Node

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
        try Self.refuseAnchors(text, path)
        do {
            // Without an explicit encoding, Yams lets an environment variable choose one.
            guard let root = try Yams.compose(yaml: text, .default, .default, .utf8) else {
                throw ConfigurationError(path, "the file is empty")
            }
            self.root = root
        } catch let error as ConfigurationError {
            throw error
        } catch {
            throw Self.readable(error, path)
        }
    }

    private static func text(of path: String) throws(ConfigurationError) -> String {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ConfigurationError(path, "cannot read: \(systemMessage(errno))") }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard unsafe fstat(descriptor, &status) != 0 || status.st_mode & S_IFMT != S_IFDIR else {
            throw ConfigurationError(path, "cannot read: it is a folder; name a file in it")
        }
        let data: Data?
        do { data = try file.read(upToCount: sizeLimit + 1) } catch {
            throw ConfigurationError(path, "cannot read: \(systemMessage(errno))")
        }
        guard let data else { throw ConfigurationError(path, "the file is empty") }
        guard data.count <= sizeLimit else { throw tooLarge(path) }
        guard let text = String(data: data, encoding: .utf8) else {
            throw ConfigurationError(path, "the file is not UTF-8 text")
        }
        return text
    }

    private static func tooLarge(_ path: String) -> ConfigurationError {
        ConfigurationError(path, "the file is longer than 1 MiB, the limit of a configuration")
    }

    /// Refuses anchors and aliases, with which a short text can expand to a huge one.
    private static func refuseAnchors(_ text: String, _ path: String) throws(ConfigurationError) {
        var line = 1
        var previous: Unicode.Scalar = "\n"
        var isComment = false
        for scalar in text.unicodeScalars {
            let startsWord = " \t\n\r[{,:-?".unicodeScalars.contains(previous)
            if startsWord, scalar == "#" { isComment = true }
            if startsWord, !isComment, scalar == "&" || scalar == "*" {
                throw ConfigurationError(
                    path, line: line, "anchors and aliases (& and *) are not supported: write the value out")
            }
            if scalar == "\n" {
                line += 1
                isComment = false
            }
            previous = scalar
        }
    }

    /// Translates an error of the YAML parser into one that names the file and the line.
    private static func readable(_ error: any Error, _ path: String) -> ConfigurationError {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            ConfigurationError(path, line: mark.line, "the file is not valid YAML: \(problem)")
        case .duplicatedKeysInMapping(let keys, let context):
            ConfigurationError(
                path, line: context.mark.line, "the key \(keys.first ?? "") occurs twice")
        case .reader(let problem, _, _, _): ConfigurationError(path, "the file is not valid YAML: \(problem)")
        default: ConfigurationError(path, "the file is not valid YAML")
        }
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
    /// - Throws: ``ConfigurationError`` for a node that is no mapping, and for an unknown key, with the nearest known
    ///   key.
    package func members(of node: Node, _ subject: String, known: [String]) throws(ConfigurationError) -> [String: Node]
    {
        guard case .mapping(let mapping) = node else {
            let keys = known.joined(separator: ", ")
            throw mistake(node, "\(subject) must be a mapping of \"key: value\", with the keys \(keys)")
        }
        var members: [String: Node] = [:]
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
    /// - Throws: ``ConfigurationError`` for a node that is no mapping.
    package func pairs(of node: Node, _ subject: String, _ form: String) throws(ConfigurationError) -> [(String, Node)]
    {
        guard case .mapping(let mapping) = node else {
            throw mistake(node, "\(subject) must be a mapping of \"\(form)\"")
        }
        var pairs: [(String, Node)] = []
        for (key, value) in mapping { pairs.append((try word(key), value)) }
        return pairs
    }

    private func word(_ key: Node) throws(ConfigurationError) -> String {
        guard case .scalar(let name) = key else { throw mistake(key, "a key must be a word") }
        return name.string
    }

    /// Reads the elements of a list, or throws for a node that is no list.
    package func elements(of node: Node, _ subject: String) throws(ConfigurationError) -> [Node] {
        guard case .sequence(let sequence) = node else {
            throw mistake(node, "\(subject) must be a list: put a \"-\" before each element")
        }
        return Array(sequence)
    }

    /// Returns the text of a scalar, or throws for an empty scalar, a list or a mapping.
    package func text(_ node: Node, _ subject: String) throws(ConfigurationError) -> String {
        guard case .scalar(let scalar) = node, !scalar.string.isEmpty else {
            throw mistake(node, "\(subject) must be a word or a number")
        }
        return scalar.string
    }

    /// Parses a scalar with `read`, the parser that the command line uses for the same value.
    package func value<Value>(
        _ node: Node, _ subject: String, _ read: (String) throws(UsageError) -> Value
    ) throws(ConfigurationError) -> Value {
        let text = try text(node, subject)
        do throws(UsageError) { return try read(text) } catch { throw mistake(node, "\(subject): \(error)") }
    }

    package func mistake(_ node: Node, _ reason: String) -> ConfigurationError {
        ConfigurationError(path, line: node.mark?.line, reason)
    }
}
