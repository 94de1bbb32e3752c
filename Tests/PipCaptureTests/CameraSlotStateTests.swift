import PipFrames
import Testing

@testable import PipCapture

@Suite("The states of a camera slot")
struct CameraSlotStateTests {
    typealias Event = CameraSlotState.Event
    typealias Action = CameraSlotState.Action

    /// A slot's state machine with its own clock, in milliseconds.
    struct Slot {
        var machine = CameraSlotState()
        var now = 0

        /// Advances the clock, and passes an event to the state machine.
        mutating func take(_ event: Event, after milliseconds: Int = 0) -> Action {
            now += milliseconds
            return machine.take(event, at: Self.moment(now))
        }

        /// The milliseconds until the state machine's deadline; nil without one.
        var wait: Int? { machine.deadline.map { Int(Self.moment(now).duration(to: $0).nanoseconds / 1_000_000) } }

        private static func moment(_ milliseconds: Int) -> Timestamp {
            Timestamp(nanoseconds: 5_000_000_000).advanced(by: .milliseconds(milliseconds))
        }

        /// A slot whose camera has delivered for `milliseconds`.
        static func running(for milliseconds: Int = 0) -> Slot {
            var slot = Slot()
            _ = slot.take(.opened)
            _ = slot.take(.delivered)
            slot.now = milliseconds
            return slot
        }
    }

    @Test(
        "states follow from events",
        arguments: [
            ([.opened], .streaming), ([.opened, .delivered], .streaming), ([.opened, .delivered, .stalled], .stalled),
            ([.opened, .delivered, .stalled, .resumed], .streaming), ([.opened, .delivered, .lost], .lost),
            ([.opened, .delivered, .lost, .opened], .streaming),
            ([.opened, .delivered, .lost, .failed(.notFound)], .lost),
            ([.opened, .delivered, .lost, .opened, .delivered], .streaming), ([.failed(.busy)], .lost),
            ([.failed(.busy), .devicesChanged], .lost), ([.opened, .delivered, .stalled, .switched], .streaming),
            ([], .opening),
            ([.opened, .delivered, .abandoned], .lost), ([.opened, .closed], .closed),
            ([.opened, .closed, .lost, .devicesChanged, .tick], .closed),
        ] as [([Event], CameraState)])
    func states(events: [Event], state: CameraState) {
        var slot = Slot()
        for event in events { _ = slot.take(event) }
        #expect(slot.machine.state == state)
    }

    @Test("row 6: the delay before a retry grows with each failure, up to five seconds, and retries never end")
    func backoff() {
        var slot = Slot.running()
        _ = slot.take(.lost)
        var waits: [Int] = []
        for _ in 0..<7 {
            let wait = slot.wait ?? -1
            waits.append(wait)
            #expect(slot.take(.tick, after: wait - 1) == .none)
            #expect(slot.take(.tick, after: 1) == .open)
            #expect(slot.wait == nil)
            _ = slot.take(.failed(.notFound))
        }
        #expect(waits == [250, 500, 1000, 2000, 5000, 5000, 5000])
    }

    @Test(
        "row 6: after ten healthy seconds, and not before, the delay is the shortest again",
        arguments: [9_999, 10_000])
    func recovers(healthy: Int) {
        var slot = Slot.running()
        var waits: [Int] = []
        for _ in 0..<3 {
            _ = slot.take(.lost, after: 100)
            waits.append(slot.wait ?? -1)
            _ = slot.take(.tick, after: slot.wait ?? 0)
            _ = slot.take(.opened)
            _ = slot.take(.delivered)
        }
        #expect(waits == [250, 500, 1000])
        _ = slot.take(.lost, after: healthy)
        #expect(slot.wait == (healthy == 10_000 ? 250 : 2000))
    }

    @Test("row 2: a device that appears is tried at once")
    func hotPlug() {
        var slot = Slot.running()
        _ = slot.take(.lost)
        for _ in 0..<6 {
            _ = slot.take(.tick, after: slot.wait ?? 0)
            _ = slot.take(.failed(.notFound))
        }
        #expect(slot.wait == 5000)
        #expect(slot.take(.devicesChanged) == .open)
        // udev may still have to set the node's permissions, so the delays start from the shortest.
        _ = slot.take(.failed(.notPermitted))
        #expect(slot.wait == 250)
    }

    @Test("row 6: a device that appears and disappears must stay for a second before it is tried")
    func flapping() {
        var slot = Slot.running()
        for _ in 0..<3 {
            _ = slot.take(.lost, after: 1000)
            #expect(slot.take(.devicesChanged, after: 100) == .open)
            _ = slot.take(.opened)
            _ = slot.take(.delivered)
        }
        _ = slot.take(.lost, after: 1000)
        #expect(slot.take(.devicesChanged, after: 100) == .none)
        #expect(slot.wait == 1000)
    }

    @Test(
        "row 33: a camera that is busy or not permitted is tried every second",
        arguments: [CaptureError.Kind.busy, .notPermitted])
    func denied(kind: CaptureError.Kind) {
        var slot = Slot()
        var waits: [Int] = []
        for _ in 0..<5 {
            _ = slot.take(.failed(kind))
            waits.append(slot.wait ?? -1)
            #expect(slot.take(.tick, after: slot.wait ?? 0) == .open)
        }
        #expect(waits == [250, 500, 1000, 1000, 1000])
    }

    @Test("row 22: a camera that stays silent after the restart of its stream is opened anew")
    func stalled() {
        var slot = Slot.running()
        _ = slot.take(.stalled)
        #expect(slot.take(.tick, after: 1999) == .none)
        #expect(slot.take(.tick, after: 1) == .reopen)
        _ = slot.take(.opened)
        _ = slot.take(.stalled, after: 1000)
        #expect(slot.take(.tick, after: 2000) == .reopen)
    }

    @Test("a camera that resumes, or is switched off, is left alone", arguments: [Event.resumed, .switched])
    func resumed(event: Event) {
        var slot = Slot.running()
        _ = slot.take(.stalled)
        _ = slot.take(event, after: 1000)
        #expect(slot.wait == nil)
    }

    @Test("row 7: after two drivers that hang, the slot is given up")
    func abandoned() {
        var slot = Slot.running()
        _ = slot.take(.abandoned)
        #expect(slot.wait == 250 && !slot.machine.isGivenUp)
        _ = slot.take(.tick, after: 250)
        _ = slot.take(.opened)
        _ = slot.take(.abandoned, after: 100)
        #expect(slot.wait == nil && slot.machine.isGivenUp)
        #expect(slot.take(.devicesChanged) == .none)
    }
}
