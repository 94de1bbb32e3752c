/// The fault matrix: the faults, the program's promise for each, and the results of the tests.
public struct FaultMatrix: Sendable {
    /// A fault, and the program's promise for it.
    public struct Row: Equatable, Sendable {
        public let number: Int
        public let fault: String
        public let promise: String
        /// A remark, or the reason why the row has no test; nil for neither.
        public let note: String?
    }

    /// A test of a fault.
    ///
    /// The test's name begins with `row N: `.
    public struct Test: Equatable, Sendable {
        public let row: Int
        public let identifier: TestIdentifier
    }

    public let rows: [Row]

    /// Parses the matrix: lines of number, fault, promise and note, separated by tabs.
    ///
    /// - Throws: ``LineError`` for a line that is neither a row, empty nor a comment.
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

    /// Returns the tests of faults from a list of all tests.
    public static func tests(among listed: [ListedTest]) -> [Test] {
        listed.compactMap { test in
            guard let match = test.name.prefixMatch(of: #/row ([0-9]+): /#), let row = Int(match.1) else { return nil }
            return Test(row: row, identifier: test.identifier)
        }
    }

    /// Returns the given numbers of rows that have neither a test nor a note, in ascending order.
    public func untested(_ numbers: Set<Int>, _ tests: [Test]) -> [Int] {
        let explained = rows.filter { $0.note != nil }.map(\.number)
        return numbers.subtracting(tests.map(\.row)).subtracting(explained).sorted()
    }

    /// A measurement that a test has recorded for its row.
    public struct Figure: Equatable, Sendable {
        public let row: Int
        /// The place where the fault was made; nil if the test did not report the place.
        public let place: String?
        public let text: String

        /// Parses lines of row, place (or `-`) and text, separated by tabs.
        ///
        /// Lines of another form are ignored.
        public static func list(_ text: String) -> [Figure] {
            text.split(separator: "\n").compactMap { line in
                let parts = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
                guard parts.count == 3, let row = Int(parts[0]) else { return nil }
                return Figure(row: row, place: parts[1] == "-" ? nil : parts[1], text: parts[2])
            }
        }

        /// True if the figure seems to contain an absolute path or a time of day, which must not be published.
        public var isPrivate: Bool {
            "\(place ?? "-")\t\(text)".contains(#/(^|\s)\/[a-z]+\/|[0-9]{2}:[0-9]{2}/#)
        }
    }

    /// The format in which the matrix is written.
    public enum Format: Sendable {
        /// Aligned lines for a terminal.
        case text
        /// A Markdown page for the documentation.
        case table
    }

    /// Writes the matrix with the results of its tests.
    ///
    /// - Parameters:
    ///   - format: The format of the text.
    ///   - wanted: The numbers of the rows to write; an empty set writes all.
    ///   - tests: The tests of these rows; tests of other rows are ignored.
    ///   - results: The results of the tests. A test that ran more than once has several results.
    ///   - figures: The measurements of the tests.
    /// - Returns: The text, with a line break at its end.
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

        Made by `make faults`, which injects each fault and measures the effect: in the camera lab on the kernel's own drivers
        and disks, on this machine, or through a fake of the kernel. The column "What must hold" has the program's promise, and
        "Measured" the figures of the last run. A row without a test has a note or "not covered" as its result.

        | # | Fault | What must hold | Where | Measured | Result |
        |---|---|---|---|---|---|
        """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)

    private static func place(of tests: [Test], figures: [Figure]) -> String {
        let places = tests.map { test in
            let name = test.identifier.description
            return name.hasPrefix("LabTests.") ? "lab" : name.hasPrefix("PipCaptureTests.") ? "fake" : "host"
        }.uniqued
        let given = figures.compactMap(\.place).uniqued
        let all = given.isEmpty ? places : (given + (places.contains("lab") ? ["lab"] : [])).uniqued
        // Tests end in any order, so the places are sorted.
        return all.sorted().joined(separator: ", ")
    }

    private static func result(of outcomes: [TestResult.Outcome]) -> String {
        let tally = Tally(outcomes.map { TestResult(TestIdentifier(eventStream: ""), $0) })
        if tally.failed > 0 { return "failed" }
        if tally.passed > 0 { return tally.skipped > 0 ? "pass, in part skipped" : "pass" }
        return tally.skipped > 0 ? "skipped" : "did not run"
    }
}

/// The error of a line that cannot be parsed.
public struct LineError: Error, Equatable {
    public let line: Int
}

extension Array where Element: Hashable {
    /// The elements without repetitions, ordered by first occurrence.
    fileprivate var uniqued: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
