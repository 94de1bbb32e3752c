import PipConcurrency
import PipFrames
import Testing

@testable import PipSinks

@Suite struct FrameStreamTests {
    private let layout = FrameLayout(.gray, PixelSize(2, 2))

    private func frame(_ number: UInt64) -> Frame { makeFrame(layout, sequence: number) }

    private func rest(_ stream: FrameStream) async -> [UInt64] {
        var all: [UInt64] = []
        for await frame in stream { all.append(frame.info.sequence) }
        return all
    }

    @Test(
        "a busy consumer gets the newest or the oldest frames, and the others are counted",
        arguments: [
            (FrameStream.Buffering.newest(1), [UInt64(4)]), (.newest(3), [2, 3, 4]), (.oldest(3), [0, 1, 2]),
            (.newest(0), [4]),
        ])
    func buffering(buffering: FrameStream.Buffering, expected: [UInt64]) async {
        let stream = FrameStream(buffering)
        for number in 0..<5 { #expect(stream.offer(frame(UInt64(number)))) }
        stream.finish()
        #expect(await rest(stream) == expected)
        #expect(stream.drops[.late] == 5 - expected.count)
    }

    @Test("a waiting consumer gets the next frame")
    func waiting() async {
        let stream = FrameStream()
        async let all = rest(stream)
        for number in 0..<3 {
            stream.offer(frame(UInt64(number)))
            await Task.yield()
        }
        stream.finish()
        let numbers = await all
        #expect(numbers.last == 2)
        #expect(numbers.count + stream.drops[.late] == 3)
    }

    @Test("cancelling the consuming task ends the stream")
    func cancelled() async {
        let stream = FrameStream()
        let task = Task { await rest(stream) }
        task.cancel()
        #expect(await task.value.isEmpty)
        #expect(stream.isFinished)
        #expect(!stream.offer(frame(0)))
    }

    @Test("leaving the loop ends the stream, and releases its frames")
    func left() async {
        let stream = FrameStream(.newest(4))
        var buffer: FrameBuffer? = FrameBuffer(layout)
        weak let watched = buffer
        if let buffer {
            stream.offer(frame(0))
            stream.offer(Frame(info: FrameInfo(layout: layout, colorimetry: .bt709), buffer: buffer))
        }
        buffer = nil
        #expect(watched != nil)
        for await _ in stream { break }
        #expect(stream.isFinished)
        #expect(watched == nil)
    }

    @Test("no frame is accepted after the finish")
    func finished() async {
        let stream = FrameStream()
        stream.finish()
        #expect(!stream.offer(frame(0)))
        #expect(await rest(stream).isEmpty)
    }

    @Test("a second consumer gets nothing, and does not end the stream")
    func secondConsumer() async {
        let stream = FrameStream()
        var first = stream.makeAsyncIterator()
        #expect(await rest(stream).isEmpty)
        #expect(stream.offer(frame(9)))
        #expect(await first.next()?.info.sequence == 9)
    }
}
