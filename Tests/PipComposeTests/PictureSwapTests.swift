import PipConcurrency
import PipTestSupport
import Testing

@testable import PipCompose

@Suite("A picture that replaces another", .serialized, .timeLimit(.minutes(5)))
struct PictureSwapTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A PNG header that claims a size, without any data after it.
    private func bomb(_ side: UInt32) -> [UInt8] {
        func bytes(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
        let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        let header: [UInt8] = bytes(13) + Array("IHDR".utf8) + bytes(side) + bytes(side)
        return signature + header + [8, 6, 0, 0, 0] + bytes(0)
    }

    /// A session of one grey picture with luma 60.
    private func grayScene() async throws -> (Compositor, FrameTap, Session) {
        let gray = try folder.gray(60)
        let picture = Compositor(canvas: smallSize) { Layer(gray) }
        let tap = FrameTap(.nv12, buffering: .newest(64))
        picture --> tap
        return (picture, tap, try await Session(picture, options: .live(60)))
    }

    @Test("row 44: a decompression bomb is refused, and the previous picture stays")
    func refused() async throws {
        try folder.write(bomb(60000), to: "bomb.png")
        let (picture, tap, session) = try await grayScene()
        let (_, error) = try await running(session) {
            var frames = tap.frames.makeAsyncIterator()
            _ = await frames.next()
            let refusal = await #expect(throws: SessionError.self) {
                try await session.configure { picture.add(Layer(PictureSource(folder.path("bomb.png")))) }
            }
            #expect(refusal?.description.contains("bomb.png") == true, "\(String(describing: refusal))")
            for _ in 0..<10 {
                let frame = await frames.next()
                #expect(frame?.luma(5, 5) == 60)
            }
        }
        #expect(error == nil)
    }

    @Test("row 44: a picture is decoded off the render thread, which draws the previous picture meanwhile")
    func decodedElsewhere() async throws {
        let gate = Gate()
        let (picture, tap, session) = try await grayScene()
        let (_, error) = try await running(session) {
            var frames = tap.frames.makeAsyncIterator()
            _ = await frames.next()
            try await session.configure { picture.add(Layer(SlowPicture(gate))) }
            #expect(await waitUntil { gate.readers == 1 })
            // The decoding lasts until thirty frames are drawn.
            var shown = 0
            for _ in 0..<30 where await frames.next()?.luma(5, 5) == 60 { shown += 1 }
            #expect(shown == 30, "\(shown)")
            gate.open()
            #expect(await firstFrame(&frames) { $0.luma(5, 5) == 200 } != nil)
        }
        #expect(error == nil)
        FaultReport.record(row: 44, figures: "30 frames drawn while a picture was decoded")
    }
}

/// Blocks readers until the gate is opened, for a minute at most.
private final class Gate: Sendable {
    private let state = Monitor((isOpen: false, readers: 0))

    var readers: Int { state.read { $0.readers } }

    func open() { state.update { $0.isOpen = true } }

    func pass() {
        state.update { $0.readers += 1 }
        _ = state.wait(until: MonotonicClock().now.advanced(by: .seconds(60))) { $0.isOpen ? true : nil }
    }
}

/// A picture whose decoding waits for a gate.
private struct SlowPicture: FrameProducer {
    let node: GraphNode

    init(_ gate: Gate) {
        node = GraphNode(
            .source(ReaderSpecification(label: "slow") { () throws(SourceError) in SlowReader(gate) }))
    }
}

private final class SlowReader: FrameReader {
    private let gate: Gate
    let interruption = Interruption()
    let description = SourceDescription(
        name: "slow", layout: FrameLayout(.nv12, smallSize), colorimetry: .bt709,
        rate: FrameRate(30), length: .endless, isStill: true)

    init(_ gate: Gate) { self.gate = gate }

    func read(into buffer: FrameBuffer, index: Int) throws(SourceError) -> Bool {
        gate.pass()
        let planes = description.layout.planes
        for plane in planes.indices {
            unsafe buffer.mutableBytes(ofPlane: plane).baseAddress?.advanced(by: planes[plane].offset)
                .initializeMemory(as: UInt8.self, repeating: plane == 0 ? 200 : 128, count: planes[plane].byteCount)
        }
        return true
    }
}
