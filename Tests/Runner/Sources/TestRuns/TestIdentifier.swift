/// The identity of a test function: `LabTests.CameraLab/EnableTests/offAndOn()`.
public struct TestIdentifier: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The module, the suites and the function in the form of `--filter`, without the place in the source.
    public let description: String

    /// Takes the identifier of an event stream: `Module.Suite/function()/File.swift:8:10`.
    public init(eventStream text: String) {
        // Only the last part can name a file: a function ends with a parenthesis.
        description = text.ranges(of: ")/").last.map { String(text[..<text.index(after: $0.lowerBound)]) } ?? text
    }

    /// The suite of the test, with the suites around it: `LabTests.CameraLab/EnableTests`.
    ///
    /// For a function outside of any suite, the module.
    public var suite: String {
        guard let function = description.firstIndex(of: "(") else { return description }
        let path = description[..<function]
        return String(path[..<(path.lastIndex(of: "/") ?? path.firstIndex(of: ".") ?? path.endIndex)])
    }

    /// The test target: `LabTests`.
    public var module: String { String(description.prefix { $0 != "." }) }

    public static func < (left: Self, right: Self) -> Bool { left.description < right.description }

    /// A regular expression for `--filter` that matches only this test.
    ///
    /// `--filter` looks at the beginning of identifiers.
    public var expression: String {
        let escaped = description.map { "\\^$.|?*+()[]{}".contains($0) ? "\\\($0)" : String($0) }
        return "^\(escaped.joined())(/|$)"
    }

    /// An expression that matches only these tests.
    public static func expression(for tests: some Sequence<TestIdentifier>) -> String {
        tests.sorted().map(\.expression).joined(separator: "|")
    }
}
