import Testing

@testable import PipControl

@Suite("Sizes of the outputs' files")
struct FileSizeTests {
    private let start = ContinuousClock.now

    @Test("the bit rate is the growth over the measured time", arguments: [250, 500, 4000])
    func rate(milliseconds: Int) {
        let first = PanelFacts.FileSize(bytes: 1000, at: start, after: nil)
        #expect(first.bitRate == nil)
        // The file grows by 100 bytes a millisecond.
        let second = PanelFacts.FileSize(
            bytes: 1000 + 100 * milliseconds, at: start.advanced(by: .milliseconds(milliseconds)), after: first)
        #expect(second.bitRate == 800_000)
    }

    @Test("bursts are averaged, and a truncated file does not shrink below 0 bits a second")
    func average() {
        let first = PanelFacts.FileSize(bytes: 0, at: start, after: nil)
        let second = PanelFacts.FileSize(bytes: 1000, at: start.advanced(by: .seconds(1)), after: first)
        let third = PanelFacts.FileSize(bytes: 1000, at: start.advanced(by: .seconds(2)), after: second)
        #expect(second.bitRate == 8000 && third.bitRate == 6400)
        let cut = PanelFacts.FileSize(bytes: 0, at: start.advanced(by: .seconds(2.1)), after: third)
        #expect(cut.bitRate == 0)
    }

    @Test("a second reading at the same time keeps the bit rate")
    func sameTime() {
        let first = PanelFacts.FileSize(bytes: 0, at: start, after: nil)
        let second = PanelFacts.FileSize(bytes: 1000, at: start.advanced(by: .seconds(1)), after: first)
        #expect(PanelFacts.FileSize(bytes: 2000, at: second.time, after: second).bitRate == 8000)
    }
}
