/// The tests that a process is told to run.
public struct Selection: Equatable, Sendable {
    /// A regular expression that identifiers must match; nil matches all.
    public var filter: String?
    /// A regular expression that identifiers must not match; nil excludes none.
    public var skip: String?

    public init(filter: String? = nil, skip: String? = nil) {
        self.filter = filter
        self.skip = skip
    }

    /// Returns the tests of a list that the selection contains.
    ///
    /// - Throws: The error of an invalid regular expression.
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

    /// The arguments that make the test program run exactly these tests.
    public var arguments: [String] {
        (filter.map { ["--filter", $0] } ?? []) + (skip.map { ["--skip", $0] } ?? [])
    }
}
