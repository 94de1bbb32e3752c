import PipTestSupport
import Testing

@testable import PipCompose

@Suite("When the GPU is reset", .serialized, .timeLimit(.minutes(5)))
struct LostContextTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A simulated GPU that a test resets; each reset is reported to only one context.
    private final class Driver: Sendable {
        private let resets = Monitor(0)

        func reset() { resets.update { $0 += 1 } }

        var options: SessionOptions {
            var options = SessionOptions.live(60)
            options.renderer = .gl
            options.resetStatus = { [resets] in
                resets.update { count in
                    defer { count = max(0, count - 1) }
                    // GL_GUILTY_CONTEXT_RESET
                    return count > 0 ? 0x8253 : 0
                }
            }
            return options
        }
    }

    @Test("row 39: all GPU objects are made anew, the picture is as before, and the file continues")
    func replaces() async throws {
        let driver = Driver()
        let (below, above) = (try folder.gray(99), try folder.gray(30))
        let picture = Compositor {
            Layer(below)
            Layer(above).placed(x: 0, y: 0, width: 32, height: 24)
        }
        let tap = FrameTap(.nv12)
        picture --> tap
        picture --> RawFile(folder.path("out.nv12"), format: .nv12)
        let session = try await Session(picture, options: driver.options)
        let (_, error) = try await running(session) {
            var frames = tap.frames.makeAsyncIterator()
            let before = try #require(await firstFrame(&frames) { $0.info.sequence >= 10 })
            driver.reset()
            let after = try #require(
                await firstFrame(&frames) { $0.info.sequence >= before.info.sequence + 30 })
            #expect([after.luma(2, 2), after.luma(60, 40)] == [before.luma(2, 2), before.luma(60, 40)])
        }
        #expect(error == nil)
        let replacements = await replacements(of: session)
        #expect(replacements.count == 1)
        let written = session.statistics.sinks[1].written
        #expect(try folder.read("out.nv12").count == written * 64 * 72)
        FaultReport.record(
            row: 39,
            figures:
                "drawing again after \(replacements.map { Int($0.inSeconds * 1000) }.first ?? -1) ms; one file, \(written) frames",
            on: .fake)
    }

    @Test("row 39: at the third reset within a minute the session ends, with complete files and the reason")
    func givesUp() async throws {
        let driver = Driver()
        let source = try folder.gray(99)
        let tap = FrameTap(.nv12)
        source --> tap
        source --> RawFile(folder.path("out.nv12"), format: .nv12)
        let session = try await Session(source, options: driver.options)
        let error = await #expect(throws: SessionError.self) {
            async let end: Void = session.run()
            var next: UInt64 = 5
            for await frame in tap.frames where frame.info.sequence >= next {
                driver.reset()
                next = frame.info.sequence + 10
            }
            try await end
        }
        #expect(error == .gpu(GLError("go on drawing", call: "glGetGraphicsResetStatus", reason: .contextLost)))
        #expect(await replacements(of: session).count == 2)
        #expect(try folder.read("out.nv12").count == session.statistics.sinks[1].written * 64 * 72)
    }

    /// The durations of context replacements that an ended session has reported.
    private func replacements(of session: Session) async -> [Duration] {
        var all: [Duration] = []
        for await event in session.events {
            if case .contextReplaced(let time) = event { all.append(time) }
        }
        return all
    }
}
