/// The tests that must be in real time and that a busy machine can starve: they, and no others, may have a second try.
public struct RealTimeList: Sendable {
    /// Tests and the reason.
    public struct Entry: Equatable, Sendable {
        /// What their identifiers begin with.
        public let prefix: String
        /// Why they cannot have a virtual clock.
        public let reason: String
    }

    public let entries: [Entry]

    /// Reads a list: an identifier, or the beginning of some, and after a tab the reason.
    ///
    /// - Throws: ``ListError`` for a line without a reason.
    public init(_ text: String) throws(ListError) {
        var entries: [Entry] = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.isEmpty || line.hasPrefix("#") { continue }
            let parts = line.split(separator: "\t")
            guard parts.count == 2 else { throw ListError(line: number + 1) }
            entries.append(Entry(prefix: String(parts[0]), reason: String(parts[1])))
        }
        self.entries = entries
    }

    /// The entry of a test; nil for one that has only one try.
    public func entry(for test: TestIdentifier) -> Entry? {
        entries.first { test.description.hasPrefix($0.prefix) }
    }

    /// Entries that fit no test: misspelt, or of tests that are gone.
    public func stale(among listed: [ListedTest]) -> [Entry] {
        entries.filter { entry in !listed.contains { $0.identifier.description.hasPrefix(entry.prefix) } }
    }

    /// A line that is not "identifier, tab, reason".
    public struct ListError: Error, Equatable {
        public let line: Int
    }
}
