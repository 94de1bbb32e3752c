import Testing

@testable import TestRuns

@Suite("The schedule of tests")
struct ScheduleTests {
    private let listed = [
        "PipGraphTests.WiringTests/fanOut()/WiringTests.swift:8:10",
        "PipGraphTests.WiringTests/Inner/fanIn()/WiringTests.swift:9:10",
        "PipGraphTests.alone(x:)/WiringTests.swift:8:10",
        "PipComposeTests.MeterTests/mean()/MeterTests.swift:1:1",
        "CommandTests.SignalTests/stop(signal:)/SignalTests.swift:1:1",
        "CommandTests.StreamRunTests/srt()/StreamRunTests.swift:1:1",
        "PipMediaTests.WHEPTests/plays()/WHEPTests.swift:1:1",
        "PackagingTests.FirstDayTests/fromPackageToPage()/FirstDayTests.swift:1:1",
        "PackagingTests.OtherTests/one()/FirstDayTests.swift:1:1",
        "LabTests.CameraLab/EnableTests/offAndOn()/EnableTests.swift:8:10",
        "LabTests.CameraLab/LoadTests/one()/LoadTests.swift:8:10",
        "LabTests.CameraLab/ServiceTests/two()/ServiceTests.swift:8:10",
    ].map { ListedTest(TestIdentifier(eventStream: $0), name: "") }

    private func jobs(_ tests: [ListedTest], hasLab: Bool = true, costs: TestCosts = TestCosts()) -> [Job] {
        Schedule(tests, of: listed, costs: costs, hasLab: hasLab).waiting
    }

    @Test("gives every test to one job, whose expression takes its tests and no others", arguments: [true, false])
    func partition(hasLab: Bool) throws {
        let jobs = jobs(listed, hasLab: hasLab)
        #expect(
            jobs.flatMap(\.tests).map(\.identifier).sorted() == listed.map(\.identifier).sorted())
        for job in jobs {
            #expect(try Set(job.selection.tests(of: listed).map(\.identifier)) == Set(job.tests.map(\.identifier)))
        }
    }

    @Test("takes of a suite no more than was chosen")
    func part() throws {
        let job = try #require(jobs([listed[0]]).first)
        #expect(try job.selection.tests(of: listed) == [listed[0]])
        #expect(jobs([listed[0]]).count == 1)
    }

    @Test("knows which tests are in real time, and which are in the camera lab")
    func classes() {
        let classes = listed.map { TestClass(of: $0.identifier, hasLab: true) }
        #expect(
            classes == [
                .pure, .pure, .pure, .programs, .programs, .programs, .programs, .programs, .pure, .lab, .slowLab,
                .slowLab,
            ])
        #expect(TestClass(of: listed[10].identifier, hasLab: false) == .pure)
    }

    @Test("begins with the lab in real time and then the longest job, and fills what there is of the machine")
    func order() throws {
        let costs = TestCosts("CommandTests.StreamRunTests\t50\nCommandTests.SignalTests\t40\nnonsense\n")
        var schedule = Schedule(listed, of: listed, costs: costs, hasLab: true)
        var running: [Job] = []
        while let job = schedule.next(beside: running) { running.append(job) }
        #expect(running[0].testClass == .slowLab && running[1].tests == [listed[5]])
        #expect(running.dropFirst(2).map(\.testClass) == [.pure, .pure])
        running.removeFirst()
        while let job = schedule.next(beside: running) { running.append(job) }
        #expect(running.count { $0.testClass == .programs } == 3 && running.count { $0.testClass == .lab } == 1)
        #expect(running[3].tests == [listed[4]])
        while !running.isEmpty {
            running.removeFirst()
            #expect(running.count { $0.testClass.isInLab } <= 1)
            while let job = schedule.next(beside: running) { running.append(job) }
        }
        #expect(schedule.waiting.isEmpty)
    }

    @Test("goes on after a crash with the tests that had not begun")
    func rest() throws {
        let job = try #require(jobs(listed).first { $0.tests.contains(listed[0]) })
        let rest = job.rest(of: [listed[2]])
        #expect(rest.tests == [listed[2]] && rest.name == job.name + "+")
        #expect(try rest.selection.tests(of: listed) == [listed[2]])
    }

    @Test("remembers what suites took, and keeps what it was not told of")
    func costs() {
        var costs = TestCosts("A.B\t3.5\nA.C\t4\n")
        let tests = ["A.B/c()", "A.B/d()"].map { TestIdentifier(eventStream: $0) }
        costs.note(tests.map { TestResult($0, .passed, seconds: 1.254) })
        #expect(costs.description == "A.B\t2.51\nA.C\t4.0\n")
        #expect(TestCosts(costs.description).description == costs.description)
    }
}

@Suite("Identifiers and lists of tests")
struct TestListingTests {
    @Test("of one test match no other that begins alike")
    func oneTest() throws {
        let tests = ["A.B/c()", "A.B/c()x", "A.BB/c()", "xA.B/c()", "A.B/c(d:)"].map {
            ListedTest(TestIdentifier(eventStream: $0), name: "")
        }
        let selection = Selection(filter: TestIdentifier.expression(for: [tests[0].identifier]))
        #expect(try selection.tests(of: tests) == [tests[0]])
    }

    @Test("name the suite and the module", arguments: [("A.B/C/d(e:)", "A.B/C"), ("A.d()", "A"), ("A.B/d()", "A.B")])
    func parts(text: String, suite: String) {
        let test = TestIdentifier(eventStream: text)
        #expect(test.suite == suite && test.module == "A")
    }

    @Test("leave out suites and events")
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
                ListedTest(TestIdentifier(eventStream: "A.FaultTests/one()"), name: #"row 16: "left out""#),
                ListedTest(TestIdentifier(eventStream: "A.two(x:)"), name: "two(x:)"),
            ])
    }
}
