/// The identifier of a test function, such as `LabTests.CameraLab/EnableTests/offAndOn()`.
public struct TestIdentifier: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The module, suites and function as `--filter` matches them, without the place in the source.
    public let description: String

    /// Converts an identifier of the event stream, `Module.Suite/function()/File.swift:8:10`.
    public init(eventStream text: String) {
        // The place in the source follows after the function, which ends with a parenthesis.
        description = text.ranges(of: ")/").last.map { String(text[..<text.index(after: $0.lowerBound)]) } ?? text
    }

    /// The suite of the test with its enclosing suites, such as `LabTests.CameraLab/EnableTests`.
    ///
    /// A function outside of suites has its module as the suite.
    public var suite: String {
        guard let function = description.firstIndex(of: "(") else { return description }
        let path = description[..<function]
        return String(path[..<(path.lastIndex(of: "/") ?? path.firstIndex(of: ".") ?? path.endIndex)])
    }

    /// The name of the test target, such as `LabTests`.
    public var module: String { String(description.prefix { $0 != "." }) }

    public static func < (left: Self, right: Self) -> Bool { left.description < right.description }

    /// A regular expression for `--filter` that matches only this test.
    ///
    /// `--filter` finds the expression anywhere in an identifier, so the expression is anchored at both ends.
    public var expression: String {
        let escaped = description.map { "\\^$.|?*+()[]{}".contains($0) ? "\\\($0)" : String($0) }
        return "^\(escaped.joined())(/|$)"
    }

    /// A regular expression that matches only these tests, of which there must be at least one.
    public static func expression(for tests: some Sequence<TestIdentifier>) -> String {
        tests.sorted().map(\.expression).joined(separator: "|")
    }
}
