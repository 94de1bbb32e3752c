import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@testable import PipCompose

@Suite("Sources that are read in order")
struct ReaderInletTests {
    @Test("a source whose read hangs does not block the actor that stops it")
    func hungRead() async throws {
        let hang = Monitor(Hang())
        let interruption = Interruption()
        let source = ReaderSource(HangingReader(hang, interruption)) { _ in }
        let inlet: any Inlet = ReaderInlet(reader: source)
        try inlet.start(at: .zero)
        #expect(await waitUntil { hang.read { $0.hasBegun } })
        let controller = Controller()
        let stopping = Task { await controller.stop(inlet) }
        #expect(await waitUntil { interruption.isRaised })
        await controller.release(hang)
        await stopping.value
        #expect(hang.read { $0.wasReleased })
    }
}

private struct Hang {
    var hasBegun = false
    var isReleased = false
    /// True when the read was released before its limit.
    var wasReleased = false
}

/// Stops sources, as a session's controller does.
private actor Controller {
    func stop(_ inlet: any Inlet) async { await inlet.stop() }

    func release(_ hang: Monitor<Hang>) { hang.update { $0.isReleased = true } }
}

/// A reader that hangs until it is released, but for 10 seconds at most.
private final class HangingReader: FrameReader {
    private let hang: Monitor<Hang>
    let interruption: Interruption
    let description = SourceDescription(
        name: "hangs", layout: FrameLayout(.nv12, smallSize), colorimetry: .bt709, rate: FrameRate(30), length: .unknown
    )

    init(_ hang: Monitor<Hang>, _ interruption: Interruption) {
        self.hang = hang
        self.interruption = interruption
    }

    func read(into buffer: FrameBuffer, index: Int) throws(SourceError) -> Bool {
        hang.update { $0.hasBegun = true }
        let limit = MonotonicClock().now.advanced(by: .seconds(10))
        let isReleased = hang.wait(until: limit) { $0.isReleased ? true : nil } ?? false
        hang.update { $0.wasReleased = isReleased }
        return false
    }
}
