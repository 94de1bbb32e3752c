import Testing

@testable import TestRuns

@Suite("The choice of tests")
struct SelectionTests {
    private let listed = [
        "PipGraphTests.WiringTests/fanOut()/WiringTests.swift:8:10",
        "PipComposeTests.MeterTests/mean()/MeterTests.swift:1:1",
        "CommandTests.SignalTests/stop(signal:)/SignalTests.swift:1:1",
        "CommandTests.StreamRunTests/srt()/StreamRunTests.swift:1:1",
        "PipMediaTests.WHEPTests/plays()/WHEPTests.swift:1:1",
        "PackagingTests.FirstDayTests/fromPackageToPage()/FirstDayTests.swift:1:1",
        "LabTests.CameraLab/EnableTests/offAndOn()/EnableTests.swift:8:10",
        "LabTests.CameraLab/StarvationTests/one()/StarvationTests.swift:8:10",
        "LabTests.CameraLab/TwoCamerasTests/two()/TwoCamerasTests.swift:8:10",
    ].map { ListedTest(TestIdentifier(eventStream: $0), name: "") }

    private func names(_ part: SuitePart, _ pattern: String? = nil, lab: Bool = true) throws -> [String] {
        try part.selection(matching: pattern, hasLab: lab)?.tests(of: listed).map(\.identifier.description) ?? []
    }

    @Test("gives every test to one part of the suite", arguments: [true, false])
    func partition(hasLab: Bool) throws {
        let all = try SuitePart.allCases.flatMap { try names($0, lab: hasLab) }
        #expect(all.sorted() == listed.map(\.identifier.description).sorted())
    }

    @Test("gives those that ask how long work takes to the lab in real time")
    func slow() throws {
        #expect(try names(.lab) == ["LabTests.CameraLab/EnableTests/offAndOn()"])
        #expect(try names(.slow).count == 2)
        #expect(try names(.host) == ["PipGraphTests.WiringTests/fanOut()"])
        #expect(try names(.sessions).count == 2)
        #expect(try names(.media).count == 3)
    }

    @Test("follows a pattern")
    func pattern() throws {
        #expect(try SuitePart.allCases.flatMap { try names($0, "Two|fanOut") }.count == 2)
        #expect(try SuitePart.allCases.flatMap { try names($0, "^PipGraph") }.count == 1)
        #expect(try SuitePart.allCases.flatMap { try names($0, "Nothing") }.isEmpty)
    }

    @Test("of one test is of no other that begins alike")
    func oneTest() throws {
        let tests = ["A.B/c()", "A.B/c()x", "A.BB/c()", "xA.B/c()", "A.B/c(d:)"].map {
            ListedTest(TestIdentifier(eventStream: $0), name: "")
        }
        let selection = Selection(filter: TestIdentifier.expression(for: [tests[0].identifier]))
        #expect(try selection.tests(of: tests) == [tests[0]])
    }

    @Test("reads a list of tests, and leaves out suites and events")
    func listing() {
        let stream = #"""
            {"kind":"test","payload":{"displayName":"Faults","id":"A.FaultTests","kind":"suite","name":"FaultTests"}}
            {"kind":"test","payload":{"displayName":"row 16: \"left out\"","id":"A.FaultTests\/one()\/A.swift:8:10","kind":"function","name":"one()"}}
            {"kind":"test","payload":{"id":"A.two(x:)\/A.swift:9:10","kind":"function","name":"two(x:)"}}
            {"kind":"event","payload":{"kind":"testStarted","testID":"A.FaultTests"}}
            not JSON
            """#
        #expect(
            ListedTest.list(eventStream: stream) == [
                ListedTest(TestIdentifier(className: "A.FaultTests", name: "one()"), name: #"row 16: "left out""#),
                ListedTest(TestIdentifier(className: "A", name: "two(x:)"), name: "two(x:)"),
            ])
    }
}
