import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@testable import PipCapture

@Suite("The outlet of a camera")
struct FrameOutletTests {
    private static let now = Timestamp(nanoseconds: 1_000_000_000)
    private let frame = Frame(
        info: FrameInfo(layout: FrameLayout(.gray, PixelSize(2, 2)), colorimetry: .bt601),
        buffer: FrameBuffer(FrameLayout(.gray, PixelSize(2, 2))))

    @Test("does not deliver a frame whose period is over, and counts it with the period's reason")
    func period() {
        let signals = SignalCounter()
        let outlet = FrameOutlet { _ in }
        outlet.setOnFrame { signals.signal() }
        let old = outlet.period
        outlet.endPeriod(.disabled, by: 0, at: Self.now)
        outlet.deliver(frame, period: old, now: Self.now)
        #expect(outlet.frames.take() == nil)
        #expect(signals.value == 0)
        let statistics = outlet.statistics(now: Self.now)
        #expect(statistics.delivered == 0 && statistics.dropped[.disabled] == 1)
        outlet.deliver(frame, period: outlet.period, now: Self.now)
        #expect(outlet.frames.take() != nil && signals.value == 1)
    }

    @Test("takes back a frame that nobody has taken when a period ends", arguments: [DropReason.disabled, .late])
    func leftover(reason: DropReason) {
        let outlet = FrameOutlet { _ in }
        outlet.deliver(frame, period: outlet.period, now: Self.now)
        outlet.endPeriod(reason, by: 0, at: Self.now)
        outlet.endPeriod(reason, by: 0, at: Self.now)
        let statistics = outlet.statistics(now: Self.now)
        #expect(statistics.dropped[reason] == 1 && statistics.dropped.total == 1)
    }

    @Test(
        "keeps the rate of a camera that has stopped, but not of one that is switched off",
        arguments: [(DropReason.late, 10.0), (.disabled, 0)])
    func finalRate(reason: DropReason, rate: Double) {
        let outlet = FrameOutlet { _ in }
        func at(_ milliseconds: Int) -> Timestamp { Self.now.advanced(by: .milliseconds(milliseconds)) }
        for moment in [0, 100, 200] { outlet.deliver(frame, period: outlet.period, now: at(moment)) }
        outlet.endPeriod(reason, by: 0, at: at(250))
        outlet.endPeriod(.late, by: 0, at: at(260))
        #expect(outlet.statistics(now: at(10_000)).framesPerSecond == rate)
    }

    @Test("reports damaged frames once for a burst, and never reports normal drops")
    func bursts() {
        let events = EventRecorder()
        let outlet = FrameOutlet(onEvent: events.report)
        func at(_ milliseconds: Int) -> Timestamp { Self.now.advanced(by: .milliseconds(milliseconds)) }
        for moment in [0, 900, 1800] { outlet.drop(.corrupted, at: at(moment)) }
        for reason in [DropReason.late, .disabled, .decimated, .sequenceGap] { outlet.drop(reason, at: at(1900)) }
        #expect(events.all == [.badFrames(.corrupted)])
        outlet.drop(.short, at: at(2800))
        #expect(events.all == [.badFrames(.corrupted), .badFrames(.short)])
    }
}
