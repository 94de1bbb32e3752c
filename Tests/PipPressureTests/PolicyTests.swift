import PipFrames
import PipPressure
import Testing

@Suite("A pressure policy")
struct PolicyTests {
    @Test(
        "an invalid policy is refused",
        arguments: [
            (
                [PressureStep(at: .serious, .effects(.cheap)), PressureStep(at: .fair, .insetRate(FrameRate(15)))],
                "put the lower levels first"
            ),
            ([PressureStep(at: .nominal, .effects(.none))], "would always be taken"),
            ([PressureStep(at: .fair, .effects(.none), after: .seconds(-1))], "has a negative delay"),
            ([PressureStep(at: .fair, .effects(.full))], "changes nothing"),
            ([PressureStep(at: .serious, .insetOff)], "from critical on"),
            ([PressureStep(at: .fair, .bitRate(0.04))], "at least 5 %, and less than 100 %"),
            ([PressureStep(at: .fair, .bitRate(1))], "at least 5 %, and less than 100 %"),
            ([PressureStep(at: .fair, .bitRate(.nan))], "bit-rate nan %"),
            ([PressureStep(at: .fair, .bitRate(1e30))], "bit-rate 1e+32 %"),
            ([PressureStep(at: .fair, .bitRate(0.049))], "bit-rate 4.9 %"),
        ])
    func refused(steps: [PressureStep], reason: String) {
        let error = #expect(throws: PressurePolicyError.self) { try PressurePolicy(steps: steps) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test("a policy with contradicting holds is refused")
    func badTiming() {
        var timing = PressureTiming()
        timing.relapseHold = .seconds(7200)
        #expect(throws: PressurePolicyError.self) { try PressurePolicy(steps: [], timing: timing) }
    }

    @Test(
        "a negative time is refused by its name",
        arguments: [
            (\.restoreInterval, "restore interval"), (\.dwell, "dwell"), (\.cameraHold, "camera hold"),
            (\.relapseWindow, "relapse window"), (\.relapseHold, "relapse hold"), (\.longestHold, "longest hold"),
        ] as [(any WritableKeyPath<PressureTiming, Duration> & Sendable, String)])
    func negativeTime(_ path: any WritableKeyPath<PressureTiming, Duration> & Sendable, name: String) {
        var timing = PressureTiming()
        timing[keyPath: path] = .seconds(-1)
        #expect(throws: PressurePolicyError.badTiming("the \(name), -1.0 seconds, is negative: make it 0 or more")) {
            try PressurePolicy(steps: [], timing: timing)
        }
    }

    @Test("any share of the bit rate from 5 % to less than all is accepted", arguments: [0.05, 0.991, 0.999])
    func share(_ share: Double) throws {
        let policy = try PressurePolicy(steps: [PressureStep(at: .fair, .bitRate(share))])
        #expect(policy.steps.count == 1)
    }

    @Test("a policy's relief has the strongest of its mitigations, whatever their order")
    func strongest() {
        var relief = PressureRelief()
        for mitigation: PressureMitigation in [
            .insetRate(FrameRate(10)), .insetRate(FrameRate(15)), .effects(.none), .effects(.cheap),
            .mainResolution(.hd720), .mainResolution(.hd1080),
        ] { relief.take(mitigation) }
        #expect(relief.insetRate == FrameRate(10))
        #expect(relief.effects == .none)
        #expect(relief.mainSize == .hd720)
    }

    @Test("a policy can wait at shutdown instead of ending the session")
    func waiting() {
        let policy = PressurePolicy.balanced.waitingAtShutdown
        #expect(policy.steps.last?.mitigation == .pause)
        #expect(policy.steps.dropLast() == PressurePolicy.balanced.steps.dropLast())
    }
}
