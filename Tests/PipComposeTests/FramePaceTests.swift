import PipFrames
import Testing

@testable import PipCompose

@Suite("The drift of cameras' clocks")
struct FramePaceTests {
    /// The pace of a camera that delivers frames at `rate` with jitter for ten minutes.
    ///
    /// Every `losing`th frame is lost, unless `losing` is 0.
    private func pace(_ rate: Double, losing: Int = 0) -> FramePace {
        var pace = FramePace()
        for frame in 0..<Int(rate * 600) where losing == 0 || frame % losing != 3 {
            let jitter = Double((frame * 7919) % 13 - 6) * 0.0005
            let moment = Timestamp(nanoseconds: Int64((Double(frame) / rate + jitter + 100) * 1e9))
            pace.note(
                FrameInfo(
                    layout: FrameLayout(.gray, PixelSize(2, 2)), colorimetry: .bt601, timestamp: moment,
                    sequence: UInt64(frame)))
        }
        return pace
    }

    @Test("row 32: 29.97 against 30 frames a second is a drift of a thousandth, whatever the jitter and the losses")
    func drifts() throws {
        let drift = try #require(pace(30_000 / 1001.0, losing: 50).drift(against: pace(30)))
        #expect(abs(drift - -999) < 20, "\(drift)")
        // A nominal difference of rates does not count as drift.
        let none = try #require(pace(15).drift(against: pace(30), nominal: 0.5))
        #expect(abs(none) < 20, "\(none)")
    }

    @Test("drift is unknown after a short time, and with estimated timestamps")
    func unknown() {
        var pace = FramePace()
        for frame in 0..<100 {
            var info = FrameInfo(
                layout: FrameLayout(.gray, PixelSize(2, 2)), colorimetry: .bt601,
                timestamp: Timestamp(nanoseconds: Int64(frame) * 10_000_000), sequence: UInt64(frame))
            pace.note(info)
            info.isTimestampEstimated = true
            info.timestamp = info.timestamp.advanced(by: .seconds(50))
            pace.note(info)
        }
        #expect(pace.framesPerSecond == nil)
    }
}
