internal import FoundationEssentials

extension JSON: Decodable {
    /// Parses a document; nil for text that is not valid JSON.
    ///
    /// The members of objects are sorted by key.
    ///
    /// - Parameter text: The document in UTF-8.
    package init?(reading text: [UInt8]) {
        let decoder = JSONDecoder()
        guard let value = try? decoder.decode(JSON.self, from: Data(text)) else { return nil }
        self = value
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    package init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Key.self) {
            let keys = container.allKeys.sorted { $0.stringValue < $1.stringValue }
            self = .object(
                try keys.map { Member($0.stringValue, try container.decode(JSON.self, forKey: $0)) })
            return
        }
        if var container = try? decoder.unkeyedContainer() {
            var elements: [JSON] = []
            while !container.isAtEnd { elements.append(try container.decode(JSON.self)) }
            self = .array(elements)
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else {
            self = .string(try container.decode(String.self))
        }
    }

    /// The value of an object's member; nil when the member is missing, or this value is not an object.
    package subscript(key: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }
}
