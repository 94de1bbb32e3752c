/// The fault matrix: possible faults, the promise for each, and the results of its tests.
public struct FaultMatrix: Sendable {
    /// A fault.
    public struct Row: Equatable, Sendable {
        public let number: Int
        public let fault: String
        public let promise: String
        /// A remark, or the reason why the row has no test.
        public let note: String?
    }

    /// The test of a fault: one whose name begins with `row N: `.
    public struct Test: Equatable, Sendable {
        public let row: Int
        public let identifier: TestIdentifier
    }

    public let rows: [Row]

    /// Reads the matrix: number, fault, promise and note, separated by tabs.
    ///
    /// - Throws: ``LineError`` for a line of another form.
    public init(_ text: String) throws(LineError) {
        var rows: [Row] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.isEmpty || line.hasPrefix("#") { continue }
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard parts.count >= 3, let number = Int(parts[0]) else { throw LineError(line: index + 1) }
            let note = parts.count > 3 && !parts[3].isEmpty ? parts[3] : nil
            rows.append(Row(number: number, fault: parts[1], promise: parts[2], note: note))
        }
        self.rows = rows
    }

    /// The tests of faults among all tests.
    public static func tests(among listed: [ListedTest]) -> [Test] {
        listed.compactMap { test in
            guard let match = test.name.prefixMatch(of: #/row ([0-9]+): /#), let row = Int(match.1) else { return nil }
            return Test(row: row, identifier: test.identifier)
        }
    }

    /// A measured value that a test noted.
    public struct Figure: Equatable, Sendable {
        public let row: Int
        /// The place where the fault was made, if the test reported it.
        public let place: String?
        public let text: String

        /// Reads lines of row, place or `-`, and text.
        public static func list(_ text: String) -> [Figure] {
            text.split(separator: "\n").compactMap { line in
                let parts = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
                guard parts.count == 3, let row = Int(parts[0]) else { return nil }
                return Figure(row: row, place: parts[1] == "-" ? nil : parts[1], text: parts[2])
            }
        }

        /// True when the figure contains folders of the machine or the time of day, which must not be kept.
        public var isPrivate: Bool {
            "\(place ?? "-")\t\(text)".contains(#/(^|\s)\/[a-z]+\/|[0-9]{2}:[0-9]{2}/#)
        }
    }

    /// The format of a rendering.
    public enum Format: Sendable {
        /// Aligned lines for a terminal.
        case text
        /// A page for the documentation.
        case table
    }

    /// Merges the matrix with the tests' results.
    ///
    /// - Parameters:
    ///   - format: Lines for a terminal or a table for the docs.
    ///   - wanted: The rows; empty for all.
    ///   - tests: All tests of faults.
    ///   - results: The results of the tests, by identifier; several for a test that ran more than once.
    ///   - figures: The measured values.
    /// - Returns: Whole lines.
    public func rendered(
        as format: Format, rows wanted: Set<Int>, tests: [Test], results: [TestResult],
        figures: [Figure]
    ) -> String {
        var lines = format == .table ? Self.head : []
        for row in rows where wanted.isEmpty || wanted.contains(row.number) {
            let own = tests.filter { $0.row == row.number }
            let identifiers = Set(own.map(\.identifier))
            let outcomes = results.filter { identifiers.contains($0.test) }.map(\.outcome)
            let place = Self.place(of: own, figures: figures.filter { $0.row == row.number })
            let measured = figures.filter { $0.row == row.number }.map(\.text).uniqued.joined(separator: "; ")
            let result = own.isEmpty ? row.note ?? "not covered" : Self.result(of: outcomes)
            let note = own.isEmpty ? "" : row.note.map { "; \($0)" } ?? ""
            switch format {
            case .table:
                lines.append(
                    "| \(row.number) | \(row.fault) | \(row.promise) | \(place) | \(measured) | \(result)\(note) |")
            case .text:
                let number = String(row.number).paddedLeft(to: 2)
                let said = measured.isEmpty ? result : "\(result): \(measured)"
                lines.append("\(number)  \(row.fault.padded(to: 66))  \(place.padded(to: 10))  \(said)\(note)")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let head = """
        # Faults

        Made by `make faults`, which injects each fault and measures what becomes of it: in the camera lab on the kernel's own
        drivers and disks, on this machine, or through a fake of the kernel. What must hold is promised; what was measured is of
        the last run. A row without a test says so.

        | # | Fault | What must hold | Where | Measured | Result |
        |---|---|---|---|---|---|
        """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)

    /// The places where the tests of a row make its fault.
    private static func place(of tests: [Test], figures: [Figure]) -> String {
        let places = tests.map { test in
            let name = test.identifier.description
            return name.hasPrefix("LabTests.") ? "lab" : name.hasPrefix("PipCaptureTests.") ? "fake" : "host"
        }.uniqued
        let given = figures.compactMap(\.place).uniqued
        let all = given.isEmpty ? places : (given + (places.contains("lab") ? ["lab"] : [])).uniqued
        // Tests end in any order.
        return all.sorted().joined(separator: ", ")
    }

    private static func result(of outcomes: [TestResult.Outcome]) -> String {
        let tally = Tally(outcomes.map { TestResult(TestIdentifier(eventStream: ""), $0) })
        if tally.failed > 0 { return "failed" }
        if tally.passed > 0 { return tally.skipped > 0 ? "pass, in part skipped" : "pass" }
        return tally.skipped > 0 ? "skipped" : "did not run"
    }
}

/// A line of a list that has the wrong form.
public struct LineError: Error, Equatable {
    public let line: Int
}

extension Array where Element: Hashable {
    /// The elements without repetitions, in the order of their first occurrences.
    fileprivate var uniqued: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
