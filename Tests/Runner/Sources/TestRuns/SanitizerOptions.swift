/// The arguments of `make sanitize`.
public struct SanitizerOptions: Equatable, Sendable {
    /// A sanitizer that the compiler can add to the tests.
    public enum Sanitizer: String, CaseIterable, Sendable {
        case address
        case thread
    }

    /// The amount of code that is tested.
    public enum Extent: String, Sendable {
        /// The modules for capture, virtual cameras, sources, sinks and threads, whose tests are fast enough for every
        /// change.
        case short
        /// The modules of ``short``, and those for frames, codecs, pixels, pressure, OpenGL, rendering and composing.
        case usual
        /// The modules of ``usual``, those for patterns, text, effects, graphs and plans, and the tests of golden
        /// pictures, of the module boundaries and of the command.
        case all
    }

    public private(set) var extent = Extent.usual
    public private(set) var sanitizers: [Sanitizer] = []

    /// Parses words such as `short thread`; nil for an unknown word.
    public init?(_ words: some Sequence<String>) {
        for word in words {
            if let sanitizer = Sanitizer(rawValue: word) {
                sanitizers.append(sanitizer)
            } else if let extent = Extent(rawValue: word) {
                self.extent = extent
            } else {
                return nil
            }
        }
        if sanitizers.isEmpty { sanitizers = Sanitizer.allCases }
    }

    /// The names of the test targets for the extent.
    public var suites: [String] {
        let short = ["PipConcurrency", "PipCapture", "PipVirtualCamera", "PipSinks", "PipSources"]
        let usual = ["PipFrames", "PipCodecs", "PipPressure", "PipPixels", "PipGL", "PipRender", "PipCompose"]
        let others = [
            "PipPatterns", "PipText", "PipEffects", "PipGraph", "PipPlan", "Golden", "ModuleBoundary", "Command",
        ]
        let modules =
            switch extent {
            case .short: short
            case .usual: short + usual
            case .all: short + usual + others
            }
        return modules.map { "\($0)Tests" }
    }

    /// Parses the list of tests that cannot run under a sanitizer.
    ///
    /// - Parameters:
    ///   - sanitizer: The sanitizer.
    ///   - list: Lines of `address`, `thread` or `both`, a regular expression, and a reason.
    /// - Returns: A regular expression that matches the identifiers of these tests; nil if there are none.
    public static func leftOut(under sanitizer: Sanitizer, list: String) -> String? {
        let expressions = list.split(separator: "\n").compactMap { line -> String? in
            let words = line.split(separator: " ", maxSplits: 2)
            guard !line.hasPrefix("#"), words.count == 3 else { return nil }
            return words[0] == sanitizer.rawValue || words[0] == "both" ? String(words[1]) : nil
        }
        return expressions.isEmpty ? nil : expressions.joined(separator: "|")
    }
}
