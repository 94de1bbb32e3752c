import PipConcurrency
import PipTestSupport
import Testing

@testable import PipCompose

@Suite("Keyframes in a session", .serialized, .timeLimit(.minutes(5)))
struct KeyframesTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Keyframes that move and fade in an inset within ten frames at 30 a second, and hold it for five more.
    private func keyframes(loops: Bool) -> Keyframes {
        let (from, to) = (Placement.at(MotionScene.inset), Placement.at(Self.place))
        return Keyframes(
            [
                Keyframe(at: .zero, placement: from, opacity: 0),
                Keyframe(at: FrameRate(30).offset(ofFrame: 10), placement: to, opacity: 1, easing: .easeIn),
                Keyframe(at: FrameRate(30).offset(ofFrame: 15), placement: to),
            ], loops: loops)
    }
    private static let place = PixelRect(x: 31, y: 9, width: 24, height: 30)

    @Test(
        "keyframes are played at the frames' timestamps, once or repeatedly, and frame by frame for files",
        arguments: [false, true], [RendererChoice.cpu, .gl])
    func played(loops: Bool, renderer: RendererChoice) async throws {
        let picture = Compositor(canvas: smallSize)
        picture.add(Layer(try folder.gray(50)))
        let inset = picture.add(Layer(try folder.gray(200)))
        try inset.update { $0.keyframes = keyframes(loops: loops) }
        let tap = FrameTap(.nv12, buffering: .oldest(64))
        picture --> tap
        var options = SessionOptions.offline
        options.renderer = renderer
        let session = try await Session(picture, options: options)
        _ = try await running(session) {
            var frames = tap.frames.makeAsyncIterator()
            for number in 0..<40 {
                let frame = RecordedFrame(try #require(await frames.next()))
                let moment = loops ? number % 15 : number
                let share = Easing.easeIn.progress(at: Double(moment) / 10)
                let rect = between(MotionScene.inset, Self.place, share)
                #expect(
                    abs(Double(frame.luma(rect.x + 8, rect.y + 6)) - (50 + 150 * share)) <= 1, "frame \(number)")
                if share > 0.1 { #expect(frame.bounds(of: 55...205) == rect, "frame \(number)") }
            }
        }
    }

    @Test("a layer whose keyframes are over stays at the last one")
    func over() async throws {
        let run = try await MotionScene.run { scene in
            try await scene.session.configure { try scene.inset.update { $0.keyframes = keyframes(loops: false) } }
            try await scene.frames(20)
            return scene.session.place(of: scene.inset)?.rect
        }
        #expect(run.result == Self.place)
        #expect(run.frames.last?.bounds(of: 195...205) == Self.place)
    }

    @Test("the reported place of a layer follows keyframes that begin with the first frame")
    func placeFromTheStart() async throws {
        let place = try await VirtualTime.run { clock, _ in
            let picture = Compositor(canvas: smallSize)
            picture.add(Layer(try folder.gray(50)))
            let inset = picture.add(Layer(try folder.gray(200)))
            try inset.update { $0.keyframes = keyframes(loops: false) }
            picture --> NullSink(.nv12)
            let session = try await Session(picture, options: .live(25).by(clock))
            async let run: Void = session.run()
            try await clock.sleep(for: .seconds(2))
            let place = session.place(of: inset)?.rect
            session.stop()
            try await run
            return place
        }
        #expect(place == Self.place)
    }

    @Test("invalid keyframes are refused")
    func refused() throws {
        let picture = Compositor(canvas: smallSize)
        let inset = picture.add(Layer(try folder.gray(200)))
        for keyframe in [Keyframe(at: .seconds(-1)), Keyframe(at: .zero, opacity: 2)] {
            #expect(throws: GraphError.self) { try inset.update { $0.keyframes = Keyframes([keyframe]) } }
        }
        #expect(inset.record?.keyframes == nil)
    }
}
