/// A value that can be written as JSON.
package protocol JSONConvertible {
    var json: JSON { get }
}

extension JSON: JSONConvertible {
    package var json: JSON { self }
}

extension String: JSONConvertible {
    package var json: JSON { .string(self) }
}

extension Int: JSONConvertible {
    package var json: JSON { .integer(self) }
}

extension Double: JSONConvertible {
    package var json: JSON { .number(self) }
}

extension Bool: JSONConvertible {
    package var json: JSON { .bool(self) }
}

extension Array: JSONConvertible where Element: JSONConvertible {
    package var json: JSON { .array(map(\.json)) }
}

/// Encodes nil as null.
extension Optional: JSONConvertible where Wrapped: JSONConvertible {
    package var json: JSON { self?.json ?? .null }
}
