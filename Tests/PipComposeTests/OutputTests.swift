import Foundation
import PipConcurrency
import PipTestSupport
import Testing

@testable import PipCompose

/// Counts the frames that it receives, and throws or hangs if its manner says so.
private final class CountingSink: FrameSink {
    enum Manner: Sendable { case good, throwsAtOpen, throwsAtThird, hangsAtThird }

    struct Log: Sendable {
        var frames: [UInt64] = []
        var finishes = 0
    }

    let format = PixelFormat.nv12
    private let manner: Manner
    private let log: Monitor<Log>

    init(_ manner: Manner, _ log: Monitor<Log>) {
        self.manner = manner
        self.log = log
    }

    struct Refusal: Error, CustomStringConvertible { let description = "the model is not loaded" }

    func open(_ info: FrameInfo, rate: FrameRate) throws {
        if manner == .throwsAtOpen { throw Refusal() }
    }

    func write(_ frame: Frame) throws {
        let count = log.update { log in
            log.frames.append(frame.info.sequence)
            return log.frames.count
        }
        guard count == 3 else { return }
        if manner == .throwsAtThird { throw Refusal() }
        if manner == .hangsAtThird {
            _ = log.wait(until: MonotonicClock().now.advanced(by: .seconds(30))) { $0.finishes > 0 ? true : nil }
        }
    }

    func finish() throws { log.update { $0.finishes += 1 } }
}

/// Provides a fixed number of grey frames, and fails at the frame with the index `failsAt`.
private final class GrayProvider: FrameProvider {
    let format = ProvidedFormat(layout: FrameLayout(.nv12, smallSize), frameRate: FrameRate(30))
    private let count: Int
    private let failsAt: Int?

    init(count: Int, failsAt: Int? = nil) {
        self.count = count
        self.failsAt = failsAt
    }

    struct Trouble: Error, CustomStringConvertible { let description = "the network is down" }

    func start() throws {}

    func nextFrame(into buffer: FrameBuffer, index: Int) throws -> Bool {
        if index == failsAt { throw Trouble() }
        guard index < count else { return false }
        for plane in format.layout.planes.indices {
            buffer.withMutablePlane(plane, of: format.layout) { bytes, _ in
                for offset in 0..<bytes.byteCount {
                    bytes.storeBytes(of: plane == 0 ? UInt8(100 + index) : 128, toByteOffset: offset, as: UInt8.self)
                }
            }
        }
        return true
    }

    func stop() {}
}

@Suite("Outputs", .serialized, .timeLimit(.minutes(5)))
struct OutputTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func bytes(_ name: String) throws -> Int {
        try #require(
            try URL(fileURLWithPath: folder.path(name)).resourceValues(forKeys: [.fileSizeKey]).fileSize)
    }

    private static let frameBytes = 64 * 48 * 3 / 2

    @Test(
        "outputs start, stop and start again in a running session, each with its own size, and files hold whole frames")
    func recordings() async throws {
        let source = try folder.gray(90)
        let picture = Compositor(canvas: smallSize) { Layer(source) }
        let first = picture --> RawFile(folder.path("1.nv12"), format: .nv12)
        #expect(first.state == .waiting)
        let session = try await Session(picture, options: .live(100))
        var second: Output?
        let (_, error) = try await running(session) {
            #expect(await waitUntil { first.statistics.written >= 5 })
            #expect(first.state == .running)
            let small = picture --> RawFile(folder.path("2.nv12"), format: .nv12).scaled(to: PixelSize(32, 24))
            #expect(await waitUntil { small.statistics.written >= 5 })
            try await first.stop()
            #expect(first.state == .finished)
            let written = first.statistics.written
            #expect(try bytes("1.nv12") == written * Self.frameBytes)
            let third = picture --> RawFile(folder.path("3.nv12"), format: .nv12)
            second = small
            #expect(await waitUntil { third.statistics.written >= 5 })
            #expect(first.statistics.written == written)
        }
        #expect(error == nil)
        #expect(second?.state == .finished)
        #expect(try bytes("2.nv12") == (second?.statistics.written ?? 0) * 32 * 24 * 3 / 2)
        let names = session.statistics.sinks.map { $0.name }
        #expect(names == ["1", "2", "3"].map { folder.path("\($0).nv12") })
    }

    @Test("an output that no session has opened, and one that has ended, refuse a new file for different reasons")
    func refusesSplit() throws {
        let output = try folder.gray(90) --> NullSink(.nv12)
        let early = #expect(throws: SessionError.self) { try output.split() }
        #expect(early?.description.hasSuffix("the session has not opened the output yet") == true)
        output.remove()
        #expect(throws: SessionError.ended("the output \(output.label)")) { try output.split() }
    }

    @Test("a session continues without any output, and accepts a new one")
    func none() async throws {
        let source = try folder.gray(90)
        let first = source --> NullSink(.nv12)
        let session = try await Session(source, options: .live(100))
        _ = try await running(session) {
            #expect(await waitUntil { first.statistics.written >= 2 })
            try await first.stop()
            let second = source --> NullSink(.nv12)
            #expect(await waitUntil { second.statistics.written >= 2 })
        }
    }

    @Test("a paused output gets no frames until it is resumed, and the other outputs do")
    func pause() async throws {
        let source = try folder.gray(90)
        let (one, other) = (source --> NullSink(.nv12), source --> NullSink(.i420))
        let session = try await Session(source, options: .live(100))
        _ = try await running(session) {
            #expect(await waitUntil { one.statistics.written >= 3 })
            try one.pause()
            #expect(one.state == .paused)
            let seen = other.statistics.written
            #expect(await waitUntil { other.statistics.written >= seen + 20 })
            let paused = one.statistics.written
            #expect(await waitUntil { other.statistics.written >= seen + 40 })
            #expect(one.statistics.written == paused)
            try one.resume()
            #expect(await waitUntil { one.statistics.written > paused })
        }
        let error = #expect(throws: SessionError.self) { try one.pause() }
        #expect(error == .ended("the output null:"))
    }

    @Test("an output of a lower rate gets evenly spaced frames")
    func rate() async throws {
        let source = try folder.gray(90)
        source --> NullSink(.nv12)
        let log = Monitor(CountingSink.Log())
        source --> CustomSink("slow") { CountingSink(.good, log) }.limited(to: FrameRate(10))
        var options = SessionOptions.offline
        options.pace = .maximum
        let session = try await Session(source, options: options)
        try await session.run(frames: 30)
        #expect(session.outputRate == FrameRate(30))
        #expect(log.read { $0.frames } == stride(from: 0, to: 30, by: 3).map { UInt64($0) })
    }

    @Test("an output of a much lower rate gets all of its frames, also when it is the only output")
    func slowAlone() async throws {
        let source = try folder.gray(90)
        let log = Monitor(CountingSink.Log())
        source --> CustomSink("slow") { CountingSink(.good, log) }.limited(to: FrameRate(1))
        let session = try await Session(source, options: .offline)
        try await session.run(frames: 121)
        #expect(log.read { $0.frames } == [0, 30, 60, 90, 120])
    }

    @Test("outputs that end and begin in one change do so at the same frame")
    func together() async throws {
        let source = try folder.gray(90)
        let logs = (0..<2).map { _ in Monitor(CountingSink.Log()) }
        let first = source --> CustomSink("first") { CountingSink(.good, logs[0]) }
        let session = try await Session(source, options: .offline)
        _ = try await running(session) {
            #expect(await waitUntil { first.statistics.written >= 10 })
            let second = try await session.configure {
                first.remove()
                return source --> CustomSink("second") { CountingSink(.good, logs[1]) }
            }
            #expect(first.state == .finished && second.state == .running)
            #expect(await waitUntil { logs[1].read { $0.frames.count } >= 10 })
        }
        let (before, after) = (logs[0].read { $0.frames }, logs[1].read { $0.frames })
        #expect(before + after == (0..<UInt64(before.count + after.count)).map { $0 })
        #expect(logs.map { $0.read { $0.finishes } } == [1, 1])
    }

    @Test("the same sink connected twice is refused: at the start, in a change, and while it runs")
    func duplicates() async throws {
        let source = try folder.gray(90)
        let file = Y4MFile(folder.path("out.y4m"))
        source --> file
        let copy = source --> file
        await #expect(throws: SessionError.graph(.duplicateSink(file.label))) { try await Session(source) }
        copy.remove()
        let session = try await Session(source, options: .live(100))
        _ = try await running(session) {
            #expect(await waitUntil { session.statistics.output.frames > 0 })
            await #expect(throws: SessionError.graph(.duplicateSink(file.label))) {
                try await session.configure { source --> file }
            }
            let late = source --> file
            #expect(await waitUntil { if case .failed = late.state { true } else { false } })
            let other = source --> NullSink(.nv12)
            #expect(await waitUntil { other.statistics.written > 0 })
        }
    }

    @Test("an app's sink that throws or hangs ends with an error that names it, and the other sinks continue")
    func badSinks() async throws {
        let source = try folder.gray(90)
        let good = source --> NullSink(.nv12)
        var options = SessionOptions.live(100)
        options.closingTime = .milliseconds(200)
        let session = try await Session(source, options: options)
        let logs = (0..<3).map { _ in Monitor(CountingSink.Log()) }
        let (_, error) = try await running(session) {
            #expect(await waitUntil { good.statistics.written > 0 })
            let manners: [CountingSink.Manner] = [.throwsAtOpen, .throwsAtThird, .hangsAtThird]
            let outputs = zip(manners, logs).map { manner, log in
                source --> CustomSink("\(manner)") { CountingSink(manner, log) }
            }
            for output in outputs.dropLast() {
                #expect(await waitUntil { if case .failed = output.state { true } else { false } })
                guard case .failed(let error) = output.state else { continue }
                #expect(error.sink == output.label)
                #expect(error.description.hasSuffix("the model is not loaded"))
            }
            let hanging = outputs[2]
            #expect(await waitUntil { hanging.statistics.written >= 2 })
            let stopped = await #expect(throws: SessionError.self) { try await hanging.stop() }
            #expect(stopped?.description.contains("hangsAtThird: cannot finish") == true)
            let seen = good.statistics.written
            #expect(await waitUntil { good.statistics.written > seen + 10 })
        }
        logs[2].update { $0.finishes += 1 }
        #expect(error != nil)
    }

    @Test("an app's source is shown to its end, or to its error")
    func customSource() async throws {
        for (failsAt, expected) in [(nil, 5), (3, 3)] as [(Int?, Int)] {
            let source = CustomSource("gray") { GrayProvider(count: 5, failsAt: failsAt) }
            let tap = FrameTap(.nv12, buffering: .oldest(16))
            source --> tap
            let session = try await Session(source, options: .offline)
            let error = await started(session).value
            var lumas: [UInt8] = []
            for await frame in tap.frames { lumas.append(frame.luma(5, 5)) }
            #expect(lumas == (0..<expected).map { UInt8(100 + $0) })
            #expect(error?.description == failsAt.map { "gray: cannot provide frame \($0): the network is down" })
            #expect(
                await events(of: session).count { if case .sourceEnded(name: "gray") = $0 { true } else { false } } == 1
            )
        }
    }

    @Test("a graph belongs to one session at a time, and handles of another session are refused with an error message")
    func foreign() async throws {
        let source = try folder.gray(90)
        source --> NullSink(.nv12)
        let session = try await Session(source, options: .live(100))
        await #expect(throws: SessionError.inUse) { try await Session(source) }
        let other = try folder.gray(20) --> Brightness(0)
        other --> NullSink(.nv12)
        let stranger = try await Session(other, options: .live(100))
        _ = try await running(session) {
            await #expect(throws: SessionError.otherGraph) {
                try await session.configure { try other.update { $0.brightness = 0.5 } }
            }
            #expect(other.effect.brightness == 0)
            let camera = CameraSource("/dev/video77")
            await #expect(throws: SessionError.notInSession("/dev/video77")) {
                try await session.setEnabled(false, camera)
            }
        }
        await #expect(throws: SessionError.ended("the session")) { try await session.configure {} }
        _ = try await running(stranger) {}
    }

    @Test("a thousand changes that fail leave a working session, usable handles, and other changes in place")
    func failingChanges() async throws {
        let filter = try folder.gray(60) --> Brightness(0)
        let other = try folder.gray(60) --> Brightness(0)
        let picture = Compositor(canvas: smallSize) { Layer(filter) }
        let layer = picture.add(Layer(other).placed(x: 32, y: 0, width: 32, height: 48))
        let tap = FrameTap(.nv12)
        picture --> tap
        let session = try await Session(picture, options: .live(100))
        struct Mistake: Error {}
        let added = try folder.gray(200)
        _ = try await running(session) {
            var dice = SystemRandomNumberGenerator()
            for round in 0..<1000 {
                await #expect(throws: (any Error).self) {
                    try await session.configure {
                        try filter.update { $0.brightness = 0.5 }
                        picture.add(Layer(added))
                        switch Int.random(in: 0..<5, using: &dice) {
                        case 0: throw Mistake()
                        case 1: picture.add(Layer(added).faded(to: 7))
                        case 2: picture.add(Layer(picture))
                        case 3: picture --> tap
                        default: try filter.update { $0.brightness = 9 }
                        }
                    }
                }
                if round % 10 == 0 { try other.update { $0.brightness = Float(round) / 2000 } }
            }
            #expect(filter.effect.brightness == 0)
            #expect(other.effect.brightness == 0.495)
            #expect(picture.layers.count == 2)
            // Handles that were used in failed changes still work.
            try await session.configure {
                try layer.remove()
                picture.add(Layer(added))
            }
            var frames = tap.frames.makeAsyncIterator()
            let bright = await firstFrame(&frames) { $0.luma(40, 5) == 200 && $0.luma(5, 5) == 200 }
            #expect(bright != nil)
        }
    }
}
