import PipFrames
import PipPressure
import Testing

@Suite("The governor")
struct GovernorTests {
    @Test("takes a level's mitigations at once, and those of the levels below it", arguments: PressureLevel.allCases)
    func takesAtOnce(level: PressureLevel) {
        var course = Course(.balanced)
        course.hold(level, for: 1)
        let wanted = PressurePolicy.balanced.steps.filter { $0.level <= level && $0.delay == .zero }.map(\.mitigation)
        #expect(course.taken == wanted)
    }

    @Test("takes a mitigation with a hold once the level has lasted that long, and not before")
    func waits() {
        var course = Course(.balanced)
        course.hold(.critical, for: 20)
        #expect(course.governor.relief.mainSize == nil)
        course.hold(.critical, for: 1)
        #expect(course.governor.relief.mainSize == .hd720)
    }

    @Test("takes mitigations back one at a time, in reverse, ten seconds apart, until none is left")
    func restores() {
        var course = Course(.balanced)
        course.hold(.serious, for: 30)
        course.hold(.nominal, for: 120)
        #expect(course.restored == course.taken.reversed())
        #expect(zip(course.restoredAt, course.restoredAt.dropFirst()).allSatisfy { $1 - $0 >= 10 })
        #expect(course.governor.relief == PressureRelief())
    }

    @Test("keeps the mitigations that the level still requires")
    func keeps() {
        var course = Course(.balanced)
        course.hold(.serious, for: 30)
        course.hold(.fair, for: 300)
        #expect(course.governor.relief.insetRate == FrameRate(15))
        #expect(course.restored.count == course.taken.count - 1)
    }

    @Test("enables a camera again after a minute at fair or less, and not before")
    func cameraHold() throws {
        var course = Course(.balanced)
        course.hold(.critical, for: 5)
        let start = course.second
        course.hold(.serious, for: 200)
        #expect(course.governor.relief.insetIsOff, "serious is not low enough, however long it lasts")
        course.hold(.fair, for: 59)
        #expect(course.governor.relief.insetIsOff)
        course.hold(.fair, for: 2)
        #expect(!course.governor.relief.insetIsOff)
        #expect(course.second - start == 261)
    }

    @Test("disables no camera for load alone")
    func load() {
        var course = Course(.balanced)
        let busy = PressureReading(source: "deadlines", factor: .cpuPressure, level: .critical, detail: "late")
        course.hold(PressureState(readings: [busy], isKnown: true), for: 60)
        #expect(!course.governor.relief.insetIsOff)
        #expect(course.governor.relief.mainRate == FrameRate(15))
        let hot = PressureReading(source: "zone", factor: .systemTemperature, level: .critical, detail: "hot")
        course.hold(PressureState(readings: [busy, hot], isKnown: true), for: 1)
        #expect(course.governor.relief.insetIsOff)
    }

    @Test("takes one mitigation after a relapse, more only while that fails, and holds them longer each time")
    func relapse() throws {
        var course = Course(.balanced)
        course.hold(.serious, for: 30)
        course.hold(.fair, for: 22)
        #expect(course.restored == [.mainRate(FrameRate(20)), .effects(.cheap), .bitRate(0.75)])
        let before = course.taken.count
        course.hold(.serious, for: 19)
        #expect(course.taken.dropFirst(before) == [.bitRate(0.75)])
        course.hold(.serious, for: 2)
        #expect(course.taken.dropFirst(before) == [.bitRate(0.75), .effects(.cheap)])
        course.hold(.fair, for: 590)
        #expect(course.governor.relief.effects == .cheap, "held for ten minutes")
        course.hold(.fair, for: 15)
        #expect(course.governor.relief.effects == .reduced)
        course.hold(.serious, for: 5)
        course.hold(.fair, for: 1000)
        #expect(course.governor.relief.effects == .cheap, "held for twenty minutes")
    }

    @Test("takes no further mitigation after a relapse while the pressure falls")
    func falling() {
        var course = Course(.balanced)
        course.hold(.serious, for: 30)
        course.hold(.fair, for: 22)
        course.hold(.serious, for: 1)
        let before = course.taken.count
        let falling = PressureReading(
            source: "zone", factor: .systemTemperature, level: .serious, detail: "81 °C", trend: .falling)
        course.hold(PressureState(readings: [falling], isKnown: true), for: 300)
        #expect(course.taken.count == before)
    }

    @Test("takes all mitigations at once at critical, also after a relapse")
    func urgentRelapse() {
        var course = Course(.balanced)
        course.hold(.serious, for: 30)
        course.hold(.fair, for: 40)
        course.hold(.critical, for: 1)
        #expect(course.governor.relief.insetIsOff)
        #expect(course.governor.relief.mainRate == FrameRate(15))
        #expect(course.governor.relief.effects == .none)
    }

    @Test("takes no mitigation back while the pressure rises")
    func rising() {
        var course = Course(.balanced)
        course.hold(.serious, for: 30)
        let rising = PressureReading(
            source: "zone", factor: .systemTemperature, level: .fair, detail: "77 °C", trend: .rising)
        course.hold(PressureState(readings: [rising], isKnown: true), for: 100)
        #expect(course.restored.isEmpty)
    }

    @Test("reports a change of level even without a mitigation")
    func tellsLevels() {
        var course = Course(.off)
        for level in [PressureLevel.fair, .serious, .critical, .shutdown, .nominal] { course.hold(level, for: 3) }
        #expect(course.levels == [.fair, .serious, .critical, .shutdown, .nominal])
        #expect(course.taken.isEmpty)
    }

    @Test("each mitigation of a preset changes the relief", arguments: PressurePolicy.presets)
    func stepsAreRelief(policy: PressurePolicy) throws {
        _ = try PressurePolicy(name: policy.name, steps: policy.steps, timing: policy.timing)
        for count in policy.steps.indices {
            let step = policy.steps[count]
            // The inset's mode is irrelevant while heat keeps the inset disabled, but relevant under load.
            if case .insetResolution = step.mitigation { continue }
            #expect(policy.relief(ofFirst: count + 1) != policy.relief(ofFirst: count), "\(step)")
        }
    }

    @Test("mitigations without effect are taken together with the next one, and are not reported")
    func idle() throws {
        let steps = [
            PressureStep(at: .serious, .fastEncoding), PressureStep(at: .serious, .mainRate(FrameRate(20))),
            PressureStep(at: .serious, .bitRate(0.5)), PressureStep(at: .serious, .mainRate(FrameRate(15))),
        ]
        let policy = try PressurePolicy(steps: steps)
        var (busy, idle) = (Course(policy), Course(policy, idle: [.fastEncoding, .bitRate(0.5)]))
        for course in [busy, idle] { #expect(course.governor.relief == PressureRelief()) }
        // All mitigations are taken at once, and taken back one after another. Mitigations without effect take no time.
        busy.hold(.serious, for: 40)
        idle.hold(.serious, for: 40)
        #expect(busy.taken.count == 4 && idle.taken == [.mainRate(FrameRate(20)), .mainRate(FrameRate(15))])
        busy.hold(.nominal, for: 400)
        idle.hold(.nominal, for: 400)
        #expect(busy.restoredAt.count == 4)
        #expect(idle.restored == [.mainRate(FrameRate(15)), .mainRate(FrameRate(20))])
        #expect(idle.restoredAt[1] == busy.restoredAt[1], "\(idle.restoredAt) \(busy.restoredAt)")
        #expect(idle.governor.relief == PressureRelief())
    }
}

/// A governor that gets one state a second, and the decisions that it makes.
struct Course {
    private(set) var governor: PressureGovernor
    private(set) var taken: [PressureMitigation] = []
    private(set) var restored: [PressureMitigation] = []
    private(set) var restoredAt: [Int] = []
    private(set) var levels: [PressureLevel] = []
    private(set) var second = 0

    /// The mitigations that would change nothing.
    private let idle: Set<PressureMitigation>

    init(_ policy: PressurePolicy, idle: Set<PressureMitigation> = []) {
        governor = PressureGovernor(policy)
        self.idle = idle
    }

    mutating func hold(_ level: PressureLevel, for seconds: Int) { hold(.pinned(level), for: seconds) }

    mutating func hold(_ state: PressureState, for seconds: Int) {
        for _ in 0..<seconds {
            let decision = governor.step(state, now: .zero.advanced(by: .seconds(second))) { idle.contains($0) }
            if let decision {
                taken += decision.taken
                restored += decision.restored
                restoredAt += decision.restored.map { _ in second }
                if decision.state.level != decision.previousLevel { levels.append(decision.state.level) }
            }
            second += 1
        }
    }
}
