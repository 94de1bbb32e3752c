#if Media
internal import PipMedia

/// A parsed address of a web server that takes messages: `https://host/path?key=${KEY}`.
package struct WebhookArgument: Sendable, Equatable {
    private let address: String
    private let headers: [String]

    /// Parses an address, and expands its secrets.
    ///
    /// - Parameters:
    ///   - text: The address as the user typed it.
    ///   - header: A header as `Name: value`, with secrets; nil for none.
    /// - Throws: ``UsageError`` for a mistake, with a message that contains no secret.
    init(_ text: String, header: String?) throws(UsageError) {
        guard ["http://", "https://"].contains(where: text.lowercased().hasPrefix) else {
            throw UsageError("post: the address must begin with https:// or http://")
        }
        address = try Secrets.filled(in: text)
        headers = try header.map { text throws(UsageError) in [try Secrets.filled(in: text, isAddress: false)] } ?? []
        guard !host.isEmpty, address.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value < 0x7f }) else {
            throw UsageError("post: the address must have a host and no spaces; write other characters as %20")
        }
        guard headers.allSatisfy(Self.isHeader) else {
            throw UsageError("header must be one line such as Authorization: Bearer ${TOKEN}")
        }
    }

    private static func isHeader(_ text: String) -> Bool {
        let name = text.prefix { $0 != ":" }
        return !name.isEmpty && name.count < text.count
            && name.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value < 0x7f }
            && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }
    }

    private var host: String {
        let parts = address.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        let authority = parts.count > 2 ? parts[2].prefix { !"/?#".contains($0) } : ""
        return String(authority.split(separator: "@", omittingEmptySubsequences: false).last ?? "")
    }

    /// The server's name for messages, without what may be secret.
    package var label: String { "\(address.prefix { $0 != ":" })://\(host)" }

    /// The reason why this machine can send no message; nil without one.
    var obstacle: String? { WebMessage.obstacle }

    /// The message to the server.
    var message: WebMessage { WebMessage(to: address, headers: headers) }
}
#else
/// Refuses messages in a program that was built without media, which has the client for them.
package struct WebhookArgument: Sendable, Equatable {
    init(_ text: String, header: String?) throws(UsageError) {
        throw UsageError("post: \(withoutMedia)")
    }

    /// The server's name for messages.
    package var label: String { "" }

    var obstacle: String? { nil }
}
#endif
