import Testing

@testable import TestRuns

@Suite("xUnit reports")
struct TestReportTests {
    private let report = """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites>
          <testsuite name="TestResults" errors="0" tests="4" failures="2" skipped="1" time="0.09">
            <testcase classname="LabTests.CameraLab.EnableTests" name="offAndOn()" >
              <skipped>it needs the camera lab: `make test` runs it there</skipped>
            </testcase>
            <testcase classname="PipGraphTests.WiringTests" name="manyTasks(round:)" time="0.1" />
            <testcase classname="PipGraphTests.WiringTests" name="fanOut()" time="0.1">
              <failure message="Expectation failed: a &lt; b &amp;&amp; &quot;x&quot; &gt; y&#10;second line" />
              <failure message="time &#8230; is over" />
            </testcase>
          </testsuite>
        </testsuites>
        """

    @Test("tell of each test how it ended, with reasons")
    func outcomes() throws {
        let results = try #require(TestReport(xUnit: report)).results
        #expect(
            results.map(\.test.description) == [
                "LabTests.CameraLab/EnableTests/offAndOn()", "PipGraphTests.WiringTests/manyTasks(round:)",
                "PipGraphTests.WiringTests/fanOut()",
            ])
        #expect(results[0].outcome == .skipped("it needs the camera lab: `make test` runs it there"))
        #expect(results[1].outcome == .passed)
        #expect(
            results[2].outcome
                == .failed(["Expectation failed: a < b && \"x\" > y\nsecond line", "time … is over"]))
    }

    @Test("that are cut short are none", arguments: [0, 1, 40, 200, 400])
    func cutShort(length: Int) {
        #expect(TestReport(xUnit: String(report.prefix(length))) == nil)
    }

    @Test("may hold a comparison within a message")
    func quotedEnd() throws {
        let text = #"<testsuites><testcase classname="A" name="b()"><failure message="1 > 2"/></testcase></testsuites>"#
        #expect(
            try #require(TestReport(xUnit: text)).results == [.init(.init(eventStream: "A.b()"), .failed(["1 > 2"]))])
    }

    @Test("leave an entity that nobody knows as it is")
    func unknownEntity() {
        #expect(XMLTags.unescaped("a &nbsp; b &#x2026; &amp;lt; &") == "a &nbsp; b … &lt; &")
    }
}
