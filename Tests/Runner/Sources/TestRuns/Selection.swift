/// The tests that one process runs.
public struct Selection: Sendable {
    /// A regular expression for the identifiers of those that run; nil for all.
    public var filter: String?
    /// One for those that do not.
    public var skip: String?

    /// Creates a selection.
    ///
    /// - Parameters:
    ///   - filter: A regular expression that identifiers must match; nil for all.
    ///   - skip: One that they must not match.
    public init(filter: String? = nil, skip: String? = nil) {
        self.filter = filter
        self.skip = skip
    }

    /// Those of a list that it takes.
    ///
    /// - Throws: What is wrong with an expression.
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

/// A part of the suite: which tests, and where they run.
public enum SuitePart: String, CaseIterable, Sendable {
    /// On this machine, beside each other.
    case host
    /// In the camera lab's virtual time, where it does not matter what else the machine has to do.
    case lab
    /// In the lab in real time: those who ask how long work takes, which in virtual time takes none, and those with
    /// programs and networks that know no other.
    case slow
    /// On this machine by themselves, so that hundreds of others do not starve them: whole programs and sessions in
    /// real time.
    case sessions
    /// On this machine by themselves: recordings, streams and the panel, with servers and a browser that take what they
    /// can get.
    case media

    static let sessionTests = #"(PipComposeTests|CommandTests)\."#
    static let mediaTests =
        #"((PipMedia|PipControl)Tests\.|CommandTests\.((Recording|Sound|Stream)Run|PowerCut)Tests"#
        + #"|PackagingTests\.FirstDayTests)"#
    static let slowLabTests = #"LabTests\.CameraLab/(Load|Network|Service|Starvation|TwoCameras)Tests/"#

    /// Matches the tests of the lab's real time whose identifiers match a pattern, too.
    private static func slowLabTests(matching pattern: String?) -> String {
        guard let pattern else { return "^\(slowLabTests)" }
        return "^(?=.*(\(pattern.hasPrefix("^") ? String(pattern.dropFirst()) : pattern)))\(slowLabTests)"
    }

    /// What belongs to it.
    ///
    /// - Parameters:
    ///   - pattern: A regular expression for identifiers; nil for all.
    ///   - hasLab: Whether the camera lab can be used. Else its tests run on the host, where they say why they are
    ///     skipped.
    /// - Returns: nil for a part that is not run at all.
    public func selection(matching pattern: String?, hasLab: Bool) -> Selection? {
        switch self {
        case .host:
            Selection(
                filter: pattern, skip: "\(Self.sessionTests)|\(Self.mediaTests)" + (hasLab ? "|^LabTests\\." : ""))
        case .sessions: Selection(filter: pattern, skip: "^(?!\(Self.sessionTests))|\(Self.mediaTests)")
        case .media: Selection(filter: pattern, skip: "^(?!\(Self.mediaTests))")
        case .lab: hasLab ? Selection(filter: pattern, skip: "^(?!LabTests\\.)|\(Self.slowLabTests)") : nil
        // By what is wanted, not by what is left out: that would match the suite which they are all in.
        case .slow: hasLab ? Selection(filter: Self.slowLabTests(matching: pattern), skip: nil) : nil
        }
    }
}
