internal import PipCompose

/// One key of a configuration's section, with its JSON Schema, its reader and its writer.
struct RigKey<Section> {
    let name: String
    let schema: JSON
    let read: (YAMLNode, ConfigurationFile, inout Section) throws(ConfigurationError) -> Void
    /// Returns the value as text; nil for a value that the writer leaves out, such as the default.
    let text: (Section) -> String?

    /// Makes a key whose value has the same syntax as on the command line.
    ///
    /// - Parameters:
    ///   - name: The key.
    ///   - path: The section's property.
    ///   - usual: The default value, for a file without the key.
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

    /// Makes a key whose default value is nil.
    static func optional<Value: Equatable>(
        _ name: String, _ path: WritableKeyPath<Section, Value?>, _ schema: JSON,
        read: @escaping (String) throws(UsageError) -> Value, write: @escaping (Value) -> String = { "\($0)" }
    ) -> RigKey {
        value(
            name, path, usual: nil, schema, read: { text throws(UsageError) in try read(text) },
            write: { $0.map(write) ?? "" })
    }

    /// Makes a key whose value is any text.
    static func text(_ name: String, _ path: WritableKeyPath<Section, String?>, _ about: String) -> RigKey {
        optional(name, path, RigSchema.text(about), read: { $0 })
    }

    /// Makes a key whose value is an on-off switch.
    static func flag(_ name: String, _ path: WritableKeyPath<Section, Bool>, usual: Bool = false) -> RigKey {
        value(
            name, path, usual: usual, RigSchema.reference("flag"), read: ConfigurationFile.flag,
            write: { $0 ? "on" : "off" })
    }

    /// Makes a key whose value is a word or a list of words.
    ///
    /// The writer never writes such a key.
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

    /// Makes a key whose value is one of `words`.
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
    /// Reads a section's members into the properties of a value.
    ///
    /// - Parameters:
    ///   - node: The section.
    ///   - subject: The section's name in messages.
    ///   - keys: The section's keys.
    ///   - others: Further valid keys, which the caller reads.
    ///   - section: Receives the values.
    /// - Returns: All members, keyed by name.
    /// - Throws: ``ConfigurationError`` for an unknown key or a value that is not allowed.
    @discardableResult
    func read<Section>(
        _ node: YAMLNode, _ subject: String, _ keys: [RigKey<Section>], others: [String] = [],
        into section: inout Section
    ) throws(ConfigurationError) -> [String: YAMLNode] {
        let members = try members(of: node, subject, known: keys.map(\.name) + others)
        for key in keys {
            if let node = members[key.name] { try key.read(node, self, &section) }
        }
        return members
    }
}
