/// The tests that one process runs.
public struct Selection: Equatable, Sendable {
    /// A regular expression for the identifiers of the tests to run; nil for all.
    public var filter: String?
    /// A regular expression for the identifiers of the tests to leave out.
    public var skip: String?

    /// Creates a selection.
    ///
    /// - Parameters:
    ///   - filter: A regular expression that identifiers must match; nil for all.
    ///   - skip: A regular expression that identifiers must not match.
    public init(filter: String? = nil, skip: String? = nil) {
        self.filter = filter
        self.skip = skip
    }

    /// The tests of a list that the selection takes.
    ///
    /// - Throws: The error of an invalid expression.
    public func tests(of listed: [ListedTest]) throws -> [ListedTest] {
        let filter = try filter.map { try Regex<AnyRegexOutput>($0) }
        let skip = try skip.map { try Regex<AnyRegexOutput>($0) }
        return try listed.filter { test in
            let text = test.identifier.description
            if let filter, try filter.firstMatch(in: text) == nil { return false }
            if let skip, try skip.firstMatch(in: text) != nil { return false }
            return true
        }
    }

    /// The test program's arguments.
    public var arguments: [String] {
        (filter.map { ["--filter", $0] } ?? []) + (skip.map { ["--skip", $0] } ?? [])
    }
}
