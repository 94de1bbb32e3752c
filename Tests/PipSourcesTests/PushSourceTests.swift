import PipConcurrency
import PipFrames
import Testing

@testable import PipSources

@Suite struct PushSourceTests {
    private let description = SourceDescription(
        name: "app", layout: FrameLayout(.nv12, PixelSize(3, 3)), colorimetry: .bt709, rate: FrameRate(30),
        length: .endless)

    private func frame(_ layout: FrameLayout) -> Frame {
        Frame(info: FrameInfo(layout: layout, colorimetry: .bt709), buffer: FrameBuffer(layout))
    }

    private func push(_ source: PushSource, _ bytes: [UInt8], _ layout: FrameLayout) throws -> PushSource.Outcome {
        try bytes.withBytes { try source.push(copying: $0, layout: layout, timestamp: Timestamp(nanoseconds: 5)) }
    }

    @Test("a pushed frame is delivered unchanged, with a sequence number")
    func frames() throws {
        let source = PushSource(description)
        let first = frame(description.layout)
        #expect(try source.push(first) == .accepted)
        #expect(try source.push(frame(description.layout)) == .accepted)
        let taken = source.frames.pop()
        #expect(taken?.buffer === first.buffer)
        #expect(taken?.info.sequence == 0)
        #expect(source.frames.pop()?.info.sequence == 1)
    }

    @Test("the newest frames are kept, and the others are counted")
    func bounded() throws {
        let source = PushSource(description, capacity: 2)
        for _ in 0..<5 { _ = try source.push(frame(description.layout)) }
        #expect(source.drops[.late] == 3)
        #expect(source.frames.pop()?.info.sequence == 3)
    }

    @Test("copied pixels lose their padding")
    func copies() throws {
        let source = PushSource(description)
        let layout = FrameLayout(.nv12, PixelSize(3, 3), stride: 8)
        let bytes = (0..<layout.byteCount).map { UInt8($0) }
        #expect(try push(source, bytes, layout) == .accepted)
        let taken = try #require(source.frames.pop())
        #expect(taken.timestamp == Timestamp(nanoseconds: 5))
        #expect(samples(taken.buffer, taken.layout) == [0, 1, 2, 8, 9, 10, 16, 17, 18])
        #expect(samples(taken.buffer, taken.layout, plane: 1) == [24, 25, 26, 27, 32, 33, 34, 35])
    }

    @Test("copies that are never released are dropped and counted, and memory stays limited")
    func exhausted() throws {
        let source = PushSource(description, capacity: 1)
        let bytes = [UInt8](repeating: 0, count: description.layout.byteCount)
        var kept: [Frame] = []
        while try push(source, bytes, description.layout) == .accepted, let frame = source.frames.pop() {
            kept.append(frame)
        }
        #expect(kept.count == 6)
        #expect(source.drops[.late] == 1)
    }

    @Test("after the finish, a copy without memory is refused and not counted as a drop")
    func exhaustedAfterFinish() throws {
        let source = PushSource(description, capacity: 1)
        let bytes = [UInt8](repeating: 0, count: description.layout.byteCount)
        var kept: [Frame] = []
        for _ in 0..<5 {
            _ = try push(source, bytes, description.layout)
            kept.append(try #require(source.frames.pop()))
        }
        #expect(try push(source, bytes, description.layout) == .accepted)
        source.finish()
        #expect(try push(source, bytes, description.layout) == .closed)
        #expect(source.drops[.late] == 0)
        #expect(kept.count == 5)
    }

    @Test("other layouts and too little memory are refused")
    func refused() throws {
        let source = PushSource(description)
        let other = FrameLayout(.nv12, PixelSize(4, 3))
        let error = #expect(throws: SourceError.self) { try source.push(frame(other)) }
        #expect(error?.description == "app: cannot take a frame: it is 4x3 nv12, but the source is 3x3 nv12")
        #expect(throws: SourceError.self) { try source.push(frame(FrameLayout(.nv12, PixelSize(3, 3), stride: 16))) }
        #expect(throws: SourceError.self) { try push(source, [1, 2, 3], description.layout) }
        let small = Frame(
            info: FrameInfo(layout: description.layout, colorimetry: .bt709),
            buffer: FrameBuffer(FrameLayout(.gray, PixelSize(2, 2))))
        #expect(throws: SourceError.self) { try source.push(small) }
        #expect(source.frames.popFirst { _ in true } == nil)
    }

    @Test("after the finish no frame is accepted, and the queued ones are delivered")
    func finish() throws {
        let source = PushSource(description)
        _ = try source.push(frame(description.layout))
        source.finish()
        #expect(try source.push(frame(description.layout)) == .closed)
        #expect(!source.isFinished)
        #expect(source.frames.pop() != nil)
        #expect(source.isFinished)
    }
}
