import PipConcurrency
import PipTestSupport
import Testing

@testable import PipCompose

@Suite("Layers that move", .timeLimit(.minutes(5)))
struct MotionTests {
    private static let light: ClosedRange<UInt8> = 195...205
    private static let place = PixelRect(x: 37, y: 21, width: 27, height: 20)

    /// Runs a scene that moves the inset to `place` over ten frames.
    private static func move(
        _ renderer: RendererChoice = .cpu, _ easing: Easing = .linear, rate: Int = 25, outputRate: Int? = nil
    ) async throws -> (frames: [RecordedFrame], start: Timestamp, missed: Int) {
        let run = try await MotionScene.run(renderer, rate: rate, outputRate: outputRate) { scene in
            let start = scene.clock.now
            try await scene.session.configure(over: FrameRate(rate).offset(ofFrame: 10), easing: easing) {
                try scene.inset.update { $0.placement = .at(place) }
            }
            try await scene.frames(12)
            return start
        }
        return (run.frames, run.result, run.missed)
    }

    @Test(
        "a moving layer lies at each frame where the easing puts it, also on odd pixels", arguments: Easing.allCases,
        [RendererChoice.cpu, .gl])
    func placement(easing: Easing, renderer: RendererChoice) async throws {
        let (frames, start, _) = try await Self.move(renderer, easing)
        let moving = frames.after(start)
        for (index, frame) in moving.enumerated() {
            let share = easing.progress(at: Double(index) / 10)
            #expect(
                frame.bounds(of: Self.light) == between(MotionScene.inset, Self.place, share), "frame \(index)")
        }
        #expect(moving.count > 15)
        #expect(frames.first?.bounds(of: Self.light) == MotionScene.inset)
    }

    @Test("motions follow time at any output rate", arguments: [10, 60])
    func rates(rate: Int) async throws {
        let (frames, start, _) = try await Self.move(rate: rate)
        for (index, frame) in frames.after(start).enumerated() {
            let share = min(Double(index) / 10, 1)
            #expect(frame.bounds(of: Self.light) == between(MotionScene.inset, Self.place, share), "frame \(index)")
        }
    }

    @Test("an output of a lower rate shows a motion's positions at its own timestamps")
    func lowerRate() async throws {
        let (all, _, _) = try await Self.move(rate: 30)
        let (some, _, _) = try await Self.move(rate: 30, outputRate: 10)
        for (index, frame) in some.enumerated() where index * 3 < all.count {
            #expect(frame.codes == all[index * 3].codes, "frame \(index)")
        }
    }

    @Test("a motion causes no missed and no repeated output frames", arguments: [25, 60])
    func everyMoment(rate: Int) async throws {
        let (frames, _, missed) = try await Self.move(rate: rate)
        #expect(missed == 0)
        #expect(frames.map(\.sequence) == (0..<UInt64(frames.count)).map { $0 })
        let start = try #require(frames.first?.timestamp)
        for (index, frame) in frames.enumerated() {
            #expect(frame.timestamp == start.advanced(by: FrameRate(rate).offset(ofFrame: index)))
        }
    }

    @Test("a motion ends with the plan of the same change without a duration")
    func rest() async throws {
        let plans = try await MotionScene.run { scene in
            try await scene.session.configure(over: .milliseconds(200)) {
                try scene.inset.update { ($0.placement, $0.look.cornerRadius) = (.at(Self.place), 4) }
            }
            try await scene.frames(10)
            let moved = scene.session.plan
            try await scene.session.configure { try scene.inset.update { $0.placement.position = .at(x: 0, y: 0) } }
            try await scene.session.configure { try scene.inset.update { $0.placement = .at(Self.place) } }
            return (moved: moved, plain: scene.session.plan)
        }.result
        #expect(plans.moved == plans.plain)
    }

    @Test("hit testing follows a layer's motion in the latest frame")
    func hits() async throws {
        let run = try await MotionScene.run { scene in
            try await scene.session.configure(over: FrameRate(25).offset(ofFrame: 10), easing: .linear) {
                try scene.inset.update { $0.placement = .at(Self.place) }
            }
            var seen: [(rect: PixelRect?, isHit: Bool)] = []
            for _ in 0..<12 {
                let rect = scene.session.place(of: scene.inset)?.rect
                let center = rect.map { (Double($0.x + $0.maxX) / 2, Double($0.y + $0.maxY) / 2) } ?? (0, 0)
                let hit = scene.session.layer(atX: center.0, y: center.1, of: scene.picture)
                seen.append((rect, hit?.layer == scene.inset))
                try await scene.frames(1)
            }
            return seen
        }
        for (index, seen) in run.result.enumerated() {
            // The first query comes before the first frame of the motion.
            let share = min(max(Double(index - 1) / 10, 0), 1)
            #expect(seen.rect == between(MotionScene.inset, Self.place, share), "frame \(index)")
            #expect(seen.isHit)
        }
    }

    @Test("a motion to a new target continues from the present rectangle")
    func interrupted() async throws {
        let run = try await MotionScene.run { scene in
            let start = scene.clock.now
            try await scene.session.configure(over: FrameRate(25).offset(ofFrame: 10), easing: .linear) {
                try scene.inset.update { $0.placement = .at(Self.place) }
            }
            try await scene.frames(5)
            try await scene.session.configure(over: FrameRate(25).offset(ofFrame: 10), easing: .linear) {
                try scene.inset.update { $0.placement = .at(MotionScene.inset) }
            }
            try await scene.frames(12)
            return start
        }
        let frames = run.frames.after(run.result)
        let turn = between(MotionScene.inset, Self.place, 0.4)
        for (index, frame) in frames.enumerated() {
            let expected =
                index < 5
                ? between(MotionScene.inset, Self.place, Double(index) / 10)
                : between(turn, MotionScene.inset, min(Double(index - 5) / 10, 1))
            #expect(frame.bounds(of: Self.light) == expected, "frame \(index)")
        }
    }

    @Test("a motion continues while other layers and other properties change at once")
    func besides() async throws {
        let run = try await MotionScene.run { scene in
            let start = scene.clock.now
            try await scene.session.configure(over: FrameRate(25).offset(ofFrame: 10), easing: .linear) {
                try scene.inset.update { $0.placement = .at(Self.place) }
            }
            try await scene.frames(3)
            try await scene.session.configure { try scene.inset.update { $0.look.opacity = 0.8 } }
            try await scene.frames(10)
            return start
        }
        for (index, frame) in run.frames.after(run.result).enumerated() {
            let share = min(Double(index) / 10, 1)
            #expect(frame.bounds(of: 165...205) == between(MotionScene.inset, Self.place, share), "frame \(index)")
            // The inset's code with opacity 0.8 is 50 + 0.8 · 150.
            #expect(frame.bounds(of: Self.light) == nil || index < 3, "frame \(index)")
        }
    }

    @Test("a later change without a duration ends a motion at once")
    func cut() async throws {
        let run = try await MotionScene.run { scene in
            try await scene.session.configure(over: .seconds(1)) {
                try scene.inset.update { $0.placement = .at(Self.place) }
            }
            try await scene.frames(3)
            let start = scene.clock.now
            try await scene.session.configure { try scene.inset.update { $0.placement.position = .at(x: 10, y: 10) } }
            try await scene.frames(3)
            return start
        }
        for frame in run.frames.after(run.result) {
            #expect(frame.bounds(of: Self.light) == PixelRect(x: 10, y: 10, width: 27, height: 20))
        }
    }

    @Test("before the run nothing moves: the first frame shows the last change whole")
    func early() async throws {
        let folder = try TemporaryFolder()
        let picture = Compositor(canvas: smallSize)
        picture.add(Layer(try folder.gray(50)))
        let inset = picture.add(Layer(try folder.gray(200)))
        let tap = FrameTap(.nv12)
        picture --> tap
        let session = try await Session(picture, options: .offline)
        // The session draws its first graph with the first change, so only the second change could move a layer.
        for place in [MotionScene.inset, Self.place] {
            try await session.configure(over: .seconds(1)) { try inset.update { $0.placement = .at(place) } }
        }
        async let run: Void = session.run(frames: 1)
        var frames = tap.frames.makeAsyncIterator()
        let frame = try #require(await frames.next())
        try await run
        #expect(RecordedFrame(frame).bounds(of: Self.light) == Self.place)
    }

    @Test("a motion continues when a change fails, with a duration or without")
    func failure() async throws {
        let run = try await MotionScene.run { scene in
            let start = scene.clock.now
            try await scene.session.configure(over: FrameRate(25).offset(ofFrame: 10), easing: .linear) {
                try scene.inset.update { $0.placement = .at(Self.place) }
            }
            let graph = scene.session.graph.order
            try await scene.frames(2)
            await #expect(throws: (any Error).self) {
                try await scene.session.configure(over: .seconds(1)) {
                    try scene.inset.update { $0.placement.position = .at(x: 0, y: 0) }
                    scene.picture.add(Layer(RawSource("/nowhere", format: .nv12, size: smallSize)))
                }
            }
            await #expect(throws: (any Error).self) {
                try await scene.session.configure {
                    scene.picture.add(Layer(RawSource("/nowhere", format: .nv12, size: smallSize)))
                }
            }
            #expect(scene.session.graph.order == graph)
            try await scene.frames(10)
            return start
        }
        for (index, frame) in run.frames.after(run.result).enumerated() {
            let share = min(Double(index) / 10, 1)
            #expect(frame.bounds(of: Self.light) == between(MotionScene.inset, Self.place, share), "frame \(index)")
        }
    }

    @Test("a motion includes the look: a border grows and its colour changes")
    func look() async throws {
        let run = try await MotionScene.run { scene in
            let start = scene.clock.now
            try await scene.session.configure(over: FrameRate(25).offset(ofFrame: 4), easing: .linear) {
                try scene.inset.update { $0.look.border = LayerLook.Border(width: 4, color: .black) }
            }
            try await scene.frames(6)
            return start
        }
        for (index, frame) in run.frames.after(run.result).enumerated() {
            let width = min(index, 4)
            let inner = PixelRect(x: width, y: width, width: 16 - 2 * width, height: 12 - 2 * width)
            #expect(frame.bounds(of: Self.light) == inner, "frame \(index)")
        }
    }

    @Test("a motion between two crops shows the parts of the picture between the crops")
    func crop() async throws {
        let run = try await MotionScene.run { scene in
            let ramp = scene.picture.add(Layer(try scene.folder.ramp()).fitted(.stretch))
            try await scene.session.configure {
                try ramp.update { $0.placement.crop = PixelRect(x: 0, y: 0, width: 64, height: 48) }
            }
            try await scene.frames(2)
            let start = scene.clock.now
            try await scene.session.configure(over: FrameRate(25).offset(ofFrame: 8), easing: .linear) {
                try ramp.update { $0.placement.crop = PixelRect(x: 32, y: 0, width: 32, height: 48) }
            }
            try await scene.frames(10)
            return start
        }
        for (index, frame) in run.frames.after(run.result).enumerated() {
            let share = min(Double(index) / 8, 1)
            for x in [20, 40] {
                // Column x of the source has the code 20 + 3 · x.
                let column = 32 * share + (Double(x) + 0.5) * (1 - share / 2) - 0.5
                #expect(abs(Double(frame.luma(x, 20)) - (20 + 3 * column)) <= 1.5, "frame \(index), column \(x)")
            }
        }
    }
}

extension Placement {
    /// A placement at exactly this rectangle.
    static func at(_ rect: PixelRect) -> Placement {
        var placement = Placement()
        placement.position = .at(x: rect.x, y: rect.y)
        (placement.width, placement.height) = (.pixels(rect.width), .pixels(rect.height))
        return placement
    }
}

extension TemporaryFolder {
    /// An endless source whose columns have the codes 20 + 3 · x.
    func ramp() throws -> RawSource {
        let row = (0..<64).map { UInt8(20 + 3 * $0) }
        try write((0..<48).flatMap { _ in row } + [UInt8](repeating: 128, count: 64 * 24), to: "ramp.nv12")
        return RawSource(path("ramp.nv12"), format: .nv12, size: smallSize, loops: true)
    }
}
