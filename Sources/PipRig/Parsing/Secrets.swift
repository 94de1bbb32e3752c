internal import Glibc
internal import PipFrames

/// Expands references to keys and passwords.
///
/// Secrets must not be part of a command line, which every user of the machine can read.
package enum Secrets {
    private static let sizeLimit = 1 << 16

    /// Replaces `${NAME}` by an environment variable, and `${file:PATH}` by the first non-empty line of a file.
    ///
    /// - Parameters:
    ///   - text: A text with any number of references.
    ///   - isAddress: True to percent-encode the values, because the text is a part of an address.
    /// - Returns: The text with all references replaced by their values.
    /// - Throws: ``UsageError`` for a variable or a file that is missing, unreadable or empty, and for a `${` without a
    ///   `}`.
    package static func filled(in text: String, isAddress: Bool = true) throws(UsageError) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "${") {
            result += rest[..<start.lowerBound]
            guard let end = rest[start.upperBound...].firstIndex(of: "}") else {
                throw UsageError("a ${ has no }: keys are written ${NAME} or ${file:PATH}")
            }
            let value = try value(of: String(rest[start.upperBound..<end]))
            result += isAddress ? value.percentEncoded : value
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private static func value(of name: String) throws(UsageError) -> String {
        guard name.hasPrefix("file:") else {
            guard let value = unsafe getenv(name).map({ unsafe String(cString: $0) }), !value.isEmpty else {
                throw UsageError("${\(name)}: there is no such environment variable, or it is empty")
            }
            return value
        }
        guard let bytes = FileContents.bytes(of: String(name.dropFirst(5)), limit: sizeLimit + 1) else {
            throw UsageError("${\(name)}: the file cannot be read: \(systemMessage(errno))")
        }
        guard bytes.count <= sizeLimit, let text = String(validating: bytes, as: UTF8.self) else {
            throw UsageError("${\(name)}: the file is not UTF-8 text of at most \(sizeLimit >> 10) KiB")
        }
        guard let line = text.split(whereSeparator: \.isNewline).map(\.trimmed).first(where: { !$0.isEmpty }) else {
            throw UsageError("${\(name)}: the file is empty, or has only blank lines")
        }
        return line
    }
}
