import PipFrames
import Testing

@Suite("A frame rate as text")
struct FrameRateTextTests {
    @Test(
        "a frame rate's text is as short as possible",
        arguments: [
            (FrameRate(30), "30"), (FrameRate(25, per: 2), "12.5"), (FrameRate(30000, per: 1001), "29.97"),
            (FrameRate(10_000_000, per: 333_333), "30"),
        ])
    func text(rate: FrameRate, text: String) { #expect(rate.description == text) }
}
