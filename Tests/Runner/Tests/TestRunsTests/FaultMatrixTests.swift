import Testing

@testable import TestRuns

@Suite("The fault matrix")
struct FaultMatrixTests {
    private let matrix: FaultMatrix
    private let tests: [FaultMatrix.Test]
    private let host = TestIdentifier(eventStream: "PipSinksTests.A/one()")
    private let fake = TestIdentifier(eventStream: "PipCaptureTests.B/two()")
    private let lab = TestIdentifier(eventStream: "LabTests.CameraLab/C/three()")

    init() throws {
        matrix = try FaultMatrix("# comment\n1\tpulled\tnoticed\n2\tfull\tsaid\tsee 4\n30\tnot yet\tmore\tnext year\n")
        tests = FaultMatrix.tests(among: [
            ListedTest(lab, name: "row 1: in the lab"), ListedTest(fake, name: "row 1: in a fake"),
            ListedTest(host, name: "row 2: the disk"), ListedTest(host, name: "no row 3: at all"),
        ])
    }

    private func lines(
        _ format: FaultMatrix.Format, _ results: [TestResult], rows: Set<Int> = [],
        figures: String = ""
    ) -> [String] {
        matrix.rendered(
            as: format, rows: rows, tests: tests, results: results,
            figures: FaultMatrix.Figure.list(figures)
        ).split(separator: "\n").map(String.init)
    }

    @Test("takes the tests whose names begin with a row")
    func rows() { #expect(tests.map(\.row) == [1, 1, 2]) }

    @Test("names the requested rows that have neither a test nor a note")
    func untested() { #expect(matrix.untested([1, 30, 32, 31], tests) == [31, 32]) }

    @Test("becomes a table for the docs: places, figures, results, notes")
    func table() {
        let results = [TestResult(lab, .passed), TestResult(fake, .skipped("x")), TestResult(host, .passed)]
        let lines = lines(.table, results, figures: "1\t-\t3 of 4\n1\t-\t3 of 4\n1\t-\tmore\n2\tfake\t7 s\n")
        #expect(lines.first == "# Faults")
        #expect(
            lines.suffix(3) == [
                "| 1 | pulled | noticed | fake, lab | 3 of 4; more | pass, in part skipped |",
                "| 2 | full | said | fake | 7 s | pass; see 4 |",
                "| 30 | not yet | more |  |  | next year |",
            ])
    }

    @Test("becomes aligned lines for a terminal, of the rows that were asked for")
    func text() {
        let lines = lines(.text, [TestResult(host, .failed(["x"]))], rows: [2], figures: "2\t-\t7 s")
        #expect(lines == [" 2  full" + String(repeating: " ", count: 64) + "host        failed: 7 s; see 4"])
    }

    @Test("says of a test that it did not run, or failed")
    func results() {
        #expect(lines(.table, [])[6].hasSuffix("| did not run |"))
        let both = [TestResult(lab, .passed), TestResult(fake, .failed(["x"]))]
        #expect(lines(.table, both)[6].hasSuffix("| failed |"))
    }

    @Test(
        "keeps no figure that tells of a folder or of the time of day",
        arguments: [
            ("/tmp/x is full", true), ("at 12:30", true), ("30/60 frames", false), ("1.5 s; a/b/c", false),
        ])
    func privacy(text: String, isPrivate: Bool) {
        #expect(FaultMatrix.Figure.list("1\t-\t\(text)").map(\.isPrivate) == [isPrivate])
    }

    @Test("refuses a line that is no row", arguments: ["x\ty\tz", "1\ttwo"])
    func malformed(line: String) {
        #expect(throws: LineError(line: 1)) { try FaultMatrix(line) }
    }
}

@Suite("The arguments of sanitize")
struct SanitizerOptionsTests {
    @Test("default to both sanitizers")
    func defaults() throws {
        let options = try #require(SanitizerOptions([]))
        #expect(options.sanitizers == [.address, .thread] && options.extent == .usual)
        #expect(options.suites.count == 12)
    }

    @Test("choose the extent and the sanitizers")
    func words() throws {
        let options = try #require(SanitizerOptions(["short", "thread"]))
        #expect(options.sanitizers == [.thread])
        #expect(
            options.suites == ["Concurrency", "Capture", "VirtualCamera", "Sinks", "Sources"].map { "Pip\($0)Tests" })
        #expect(try #require(SanitizerOptions(["all"])).suites.count == 20)
        #expect(SanitizerOptions(["memory"]) == nil)
    }

    @Test("leave out what cannot run under a sanitizer")
    func leftOut() {
        let list = "# reasons\nthread LeakTests/ It counts.\nboth A/ Why.\naddress B/ Not.\nthread C/\n"
        #expect(SanitizerOptions.leftOut(under: .thread, list: list) == "LeakTests/|A/")
        #expect(SanitizerOptions.leftOut(under: .address, list: list) == "A/|B/")
        #expect(SanitizerOptions.leftOut(under: .address, list: "# none") == nil)
    }
}
