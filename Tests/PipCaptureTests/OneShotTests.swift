import CV4L2
import PipFrames
import PipTestSupport
import Testing

@testable import PipCapture

@Suite("One-shot adjustments")
struct OneShotTests {
    private static let focus = UInt32(V4L2_CID_FOCUS_ABSOLUTE)
    private static let focusSwitch = UInt32(V4L2_CID_FOCUS_AUTO)
    private static let status = UInt32(V4L2_CID_AUTO_FOCUS_STATUS)
    private static let begin = Timestamp(nanoseconds: 1_000_000_000)

    /// A camera with autofocus.
    private static func lens(hasStatus: Bool = false, hasStart: Bool = false) -> FakeCamera {
        var camera = SlotRig.webcam()
        camera.controls = [
            .init(focusSwitch, "Focus, Automatic Continuous", V4L2_CTRL_TYPE_BOOLEAN, 0...1, value: 0),
            .init(focus, "Focus, Absolute", V4L2_CTRL_TYPE_INTEGER, 0...250, value: 35),
        ]
        if hasStatus {
            var control = FakeCamera.Control(status, "Auto Focus, Status", V4L2_CTRL_TYPE_BITMASK, 0...7)
            control.flags = UInt32(V4L2_CTRL_FLAG_READ_ONLY | V4L2_CTRL_FLAG_VOLATILE)
            camera.controls.append(control)
        }
        if hasStart {
            camera.controls.append(
                .init(UInt32(V4L2_CID_AUTO_FOCUS_START), "Auto Focus, Start", V4L2_CTRL_TYPE_BUTTON, 0...0))
        }
        return camera
    }

    /// A state machine that knows a camera's controls.
    private static func looking(at camera: FakeCamera) throws -> OneShot {
        var once = OneShot([.focus])
        #expect(once.deadline == nil, "nothing is decided before the first frame")
        once.restart(at: begin)
        #expect(once.deadline == begin && once.needsControls)
        once.selectControls(from: try Rig(camera).camera.controls(), at: begin)
        return once
    }

    /// Evaluates the state machine at its deadlines, until it ends or has been evaluated 200 times.
    ///
    /// - Returns: The outcome, and the index of the last evaluation; nil without an outcome.
    private static func end(
        of once: inout OneShot, _ values: (Int) -> [UInt32: Int]
    ) -> (outcome: OneShot.Outcome, look: Int)? {
        for number in 0..<200 {
            guard let deadline = once.deadline else { return nil }
            if let outcome = once.evaluate(values(number), at: deadline).first { return (outcome, number) }
        }
        return nil
    }

    @Test("a value has settled when it is the same for a second, and is then locked by the switch and the value")
    func settles() throws {
        var once = try Self.looking(at: Self.lens())
        let end = try #require(Self.end(of: &once) { [Self.focus: min($0 * 10, 80)] })
        #expect(end.look == 18, "the eighth look sees the last change")
        #expect(
            end.outcome.settings.map { "\($0.name)=\($0.value)" } == [
                "focus_automatic_continuous=0", "focus_absolute=80",
            ])
        #expect(!end.outcome.hasFailed && once.pending.isEmpty && once.deadline == nil)
    }

    @Test("a value is locked as it is after five seconds of hunting")
    func hunts() throws {
        var once = try Self.looking(at: Self.lens())
        let end = try #require(Self.end(of: &once) { [Self.focus: $0 % 2 * 100] })
        #expect(end.look == 50 && end.outcome.settings.last?.value == 0)
    }

    @Test(
        "an adjustment ends when the camera reports the end, sharp or not",
        arguments: [
            (Int(V4L2_AUTO_FOCUS_STATUS_REACHED), false), (Int(V4L2_AUTO_FOCUS_STATUS_FAILED), true),
            (Int(V4L2_AUTO_FOCUS_STATUS_IDLE), false),
        ])
    func status(last: Int, hasFailed: Bool) throws {
        var once = try Self.looking(at: Self.lens(hasStatus: true))
        let end = try #require(
            Self.end(of: &once) {
                [
                    Self.focus: 60,
                    Self.status: (2..<20).contains($0) ? Int(V4L2_AUTO_FOCUS_STATUS_BUSY) : $0 < 2 ? 0 : last,
                ]
            })
        #expect(end.look == 20 && end.outcome.hasFailed == hasFailed)
    }

    @Test("a camera with a control for one-shot focus needs no settings at the end")
    func triggered() throws {
        var once = try Self.looking(at: Self.lens(hasStatus: true, hasStart: true))
        let end = try #require(Self.end(of: &once) { _ in [Self.focus: 60, Self.status: 2] })
        #expect(end.look == 0 && end.outcome.settings.isEmpty)
    }

    @Test("an adjustment starts over when the camera returns, and ends when another mode is requested")
    func interrupted() throws {
        var once = try Self.looking(at: Self.lens())
        _ = once.evaluate([Self.focus: 10], at: Self.begin)
        once.pause()
        #expect(once.deadline == nil && once.pending == [.focus])
        once.restart(at: Self.begin)
        #expect(once.deadline == Self.begin && once.needsControls)
        once.cancel([.focus])
        #expect(once.deadline == nil && once.pending.isEmpty && !once.needsControls)
    }

    @Test("a plan uses the automatic control, or the button for one adjustment")
    func plan() throws {
        func settings(_ camera: FakeCamera, _ change: (inout CameraAdjustments) -> Void) throws -> [String] {
            var wish = CameraAdjustments()
            change(&wish)
            return try AdjustmentPlan(wish, Rig(camera).camera.controls(), device: "/dev/video0").settings
                .map { "\($0.name)=\($0.value)" }
        }
        #expect(try settings(Self.lens()) { $0.focus = .once } == ["focus_automatic_continuous=1"])
        #expect(
            try settings(Self.lens(hasStart: true)) { $0.focus = .once } == [
                "focus_automatic_continuous=0", "auto_focus_start=1",
            ])
        #expect(throws: CaptureError.self) { try settings(Self.lens()) { $0.whiteBalance = .once } }
    }

    @Test("an adjustment starts with the first frame, is reported, and is restored to a camera that returns")
    func slot() throws {
        var wish = CameraWish()
        wish.adjustments.focus = .once
        let rig = try SlotRig(Self.lens(), wish: wish)
        try rig.start()
        #expect(rig.kernel.controlValue(Self.focusSwitch, of: SlotRig.path) == 1)
        #expect(rig.slot.adjusting == [.focus])
        rig.kernel.setControl(Self.focus, to: 110, of: SlotRig.path)
        for _ in 0..<60 { rig.produce() }
        let settled = CameraEvent.settled(.focus, ["focus_automatic_continuous": 0, "focus_absolute": 110])
        #expect(rig.events.wait { $0 == settled })
        #expect(rig.slot.adjusting.isEmpty)
        #expect(rig.kernel.controlValue(Self.focusSwitch, of: SlotRig.path) == 0)
        rig.unplug()
        rig.plug(Self.lens())
        rig.produce()
        #expect(rig.events.wait { $0.word == "reopened" })
        #expect(rig.kernel.controlValue(Self.focusSwitch, of: SlotRig.path) == 0)
        #expect(rig.kernel.controlValue(Self.focus, of: SlotRig.path) == 110)
    }

    @Test("an adjustment can be requested of a running camera, and is cancelled by another mode")
    func adjusted() throws {
        let rig = try SlotRig(Self.lens(hasStatus: true))
        try rig.start()
        var once = CameraAdjustments()
        once.focus = .once
        rig.kernel.setControl(Self.status, to: Int(V4L2_AUTO_FOCUS_STATUS_BUSY), of: SlotRig.path)
        try rig.slot.adjust(once)
        for _ in 0..<30 { rig.produce() }
        #expect(rig.slot.adjusting == [.focus])
        var fixed = CameraAdjustments()
        fixed.focus = .position(1)
        try rig.slot.adjust(fixed)
        #expect(rig.slot.adjusting.isEmpty)
        try rig.slot.adjust(once)
        rig.kernel.setControl(Self.status, to: Int(V4L2_AUTO_FOCUS_STATUS_FAILED), of: SlotRig.path)
        for _ in 0..<10 { rig.produce() }
        #expect(rig.events.wait { "\($0)".contains("cannot set the focus once: the camera has found no value") })
        #expect(rig.kernel.controlValue(Self.focusSwitch, of: SlotRig.path) == 0)
    }
}
