/// The identity of a test function: `LabTests.CameraLab/EnableTests/offAndOn()`.
public struct TestIdentifier: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Module, suites and function, as `--filter` sees them, without the place in the source.
    public let description: String

    /// Takes the identifier of an event stream: `Module.Suite/function()/File.swift:8:10`.
    public init(eventStream text: String) {
        // Only the last part can name a file: a function ends with a parenthesis.
        let end = text.range(of: ")/", last: true)
        description = end.map { String(text[..<text.index(after: $0.lowerBound)]) } ?? text
    }

    /// Takes what an xUnit report says, which has points where a path has slashes.
    public init(className: String, name: String) {
        var parts = className.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard !parts.isEmpty else {
            description = name
            return
        }
        let module = parts.removeFirst()
        let path = (parts + [name]).joined(separator: "/")
        description = "\(module).\(path)"
    }

    public static func < (left: Self, right: Self) -> Bool { left.description < right.description }

    /// A regular expression that matches this test alone; it is meant for `--filter`, which looks at the start of what
    /// it is given.
    public var expression: String {
        let escaped = description.map { "\\^$.|?*+()[]{}".contains($0) ? "\\\($0)" : String($0) }
        return "^\(escaped.joined())(/|$)"
    }

    /// An expression that matches these tests and no others.
    public static func expression(for tests: some Sequence<TestIdentifier>) -> String {
        tests.sorted().map(\.expression).joined(separator: "|")
    }
}

extension String {
    /// Where a text is found, the last time if asked for.
    func range(of text: String, last: Bool) -> Range<String.Index>? {
        let found = ranges(of: text)
        return last ? found.last : found.first
    }
}
