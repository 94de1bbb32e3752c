import PipDisplay
import PipFrames
import Testing

@Suite("Displays without frames")
struct IdleDisplayTests {
    /// A screen that is unplugged after its first check, and whose descriptor reports nothing.
    private final class Screen: DisplaySurface {
        let descriptor: Int32 = -1
        let hasOutput = false
        let size = PixelSize(64, 48)
        let isReady = true
        let needsPicture = false
        let nextCheck: Timestamp? = .zero
        private var checks = 0

        func work() throws(DisplayLoss) {
            checks += 1
            if checks > 1 { throw .lost("the screen was unplugged") }
        }

        func show(_ paint: (UnsafeMutableRawPointer, Int) -> Void) throws(DisplayLoss) {}
    }

    @Test("an unplugged screen is noticed although no frames arrive")
    func unplugged() throws {
        let show = try Show(PixelSize(64, 48)) { _ in Screen() }
        #expect(show.wait { !$0.warnings.isEmpty })
        #expect(show.warnings.first?.hasPrefix("the screen was unplugged") == true)
    }
}
