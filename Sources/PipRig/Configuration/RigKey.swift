internal import PipCompose
internal import Yams

/// A key of a configuration's section: its JSON Schema, its reader and its writer.
struct RigKey<Section> {
    let name: String
    let schema: JSON
    let read: (Node, ConfigurationFile, inout Section) throws(ConfigurationError) -> Void
    /// The value as text; nil for the default value, which a file leaves out.
    let text: (Section) -> String?

    /// A key whose value has the same form as on the command line.
    ///
    /// - Parameters:
    ///   - name: The key.
    ///   - path: The section's property.
    ///   - usual: The value where the file leaves the key out.
    ///   - schema: The JSON Schema of the value.
    ///   - read: Reads the value.
    ///   - write: Writes the value.
    /// - Returns: The key.
    static func value<Value: Equatable>(
        _ name: String, _ path: WritableKeyPath<Section, Value>, usual: Value, _ schema: JSON,
        read: @escaping (String) throws(UsageError) -> Value, write: @escaping (Value) -> String = { "\($0)" }
    ) -> RigKey {
        RigKey(name: name, schema: schema) { (node, file, section) throws(ConfigurationError) in
            section[keyPath: path] = try file.value(node, name, read)
        } text: { section in
            section[keyPath: path] == usual ? nil : write(section[keyPath: path])
        }
    }

    /// A key whose value is nil where the file leaves the key out.
    static func optional<Value: Equatable>(
        _ name: String, _ path: WritableKeyPath<Section, Value?>, _ schema: JSON,
        read: @escaping (String) throws(UsageError) -> Value, write: @escaping (Value) -> String = { "\($0)" }
    ) -> RigKey {
        value(
            name, path, usual: nil, schema, read: { text throws(UsageError) in try read(text) },
            write: { $0.map(write) ?? "" })
    }

    /// A text.
    static func text(_ name: String, _ path: WritableKeyPath<Section, String?>, _ about: String) -> RigKey {
        optional(name, path, RigSchema.text(about), read: { $0 })
    }

    /// Reads a switch.
    static func flag(_ name: String, _ path: WritableKeyPath<Section, Bool>, usual: Bool = false) -> RigKey {
        value(
            name, path, usual: usual, RigSchema.reference("flag"), read: ConfigurationFile.flag,
            write: { $0 ? "on" : "off" })
    }

    /// A word, or a list of words, which the writer leaves out.
    static func words(
        _ name: String, _ path: WritableKeyPath<Section, [String]>, _ about: String, _ element: String
    ) -> RigKey {
        RigKey(name: name, schema: RigSchema.list(about, RigSchema.text(element))) {
            (node, file, section) throws(ConfigurationError) in
            section[keyPath: path] = try file.words(node, name)
        } text: { _ in
            nil
        }
    }

    /// Reads one of some words.
    static func choice<Value: Equatable>(
        _ name: String, _ path: WritableKeyPath<Section, Value>, usual: Value, _ about: String,
        _ words: KeyValuePairs<String, Value>
    ) -> RigKey {
        let names = words.map(\.key)
        return value(name, path, usual: usual, RigSchema.word(about, names)) { text throws(UsageError) in
            guard let word = words.first(where: { $0.key == text }) else {
                throw NearestName.unknown(name, text, among: names)
            }
            return word.value
        } write: { value in
            words.first { $0.value == value }?.key ?? ""
        }
    }
}

extension ConfigurationFile {
    /// Reads a section into a value.
    ///
    /// - Parameters:
    ///   - node: The section.
    ///   - subject: The section's name in messages.
    ///   - keys: The section's keys.
    ///   - others: Keys that the caller reads.
    ///   - section: Receives the values.
    /// - Returns: The members by their keys.
    /// - Throws: ``ConfigurationError`` for an unknown key or a value that is not allowed.
    @discardableResult
    func read<Section>(
        _ node: Node, _ subject: String, _ keys: [RigKey<Section>], others: [String] = [], into section: inout Section
    ) throws(ConfigurationError) -> [String: Node] {
        let members = try members(of: node, subject, known: keys.map(\.name) + others)
        for key in keys {
            if let node = members[key.name] { try key.read(node, self, &section) }
        }
        return members
    }
}
