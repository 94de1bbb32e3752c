import PipConcurrency
import PipTestSupport
import Testing

@testable import PipCompose

@Suite("Layers that are added, removed and exchanged", .timeLimit(.minutes(5)))
struct TransitionTests {
    private static let light: ClosedRange<UInt8> = 195...205
    private static let length = FrameRate(25).offset(ofFrame: 10)

    /// The progress of a linear motion over ten frames, from 0 to 1.
    private func share(_ index: Int) -> Double { min(Double(index) / 10, 1) }

    @Test("a layer that is added fades in by the blend formula", arguments: [RendererChoice.cpu, .gl])
    func fadeIn(renderer: RendererChoice) async throws {
        let run = try await MotionScene.run(renderer) { scene in
            let start = scene.clock.now
            try await scene.session.configure(over: Self.length, easing: .easeOut) {
                scene.picture.add(Layer(scene.light).placed(x: 32, y: 24, width: 32, height: 24))
            }
            try await scene.frames(12)
            return start
        }
        for (index, frame) in run.frames.after(run.result).enumerated() {
            let share = Easing.easeOut.progress(at: Double(index) / 10)
            #expect(abs(Double(frame.luma(40, 30)) - (50 + share * 150)) <= 1, "frame \(index)")
            #expect(frame.luma(40, 10) == 50)
        }
    }

    @Test("a layer with a new source fades in from the source's first frame on")
    func newSource() async throws {
        let run = try await MotionScene.run { scene in
            let start = scene.clock.now
            try await scene.session.configure(over: Self.length, easing: .linear) {
                scene.picture.add(Layer(try scene.folder.gray(150)).placed(x: 32, y: 24, width: 32, height: 24))
            }
            try await scene.frames(12)
            return start
        }
        let frames = run.frames.after(run.result)
        let dark = try #require(frames.firstIndex { $0.luma(40, 30) > 50 }) - 1
        #expect(dark <= 3)
        for (index, frame) in frames.dropFirst(dark).enumerated() {
            #expect(abs(Double(frame.luma(40, 30)) - (50 + share(index) * 100)) <= 1, "frame \(index)")
        }
    }

    @Test("a layer that is removed fades out, and its source is closed after that, not before")
    func fadeOut() async throws {
        let run = try await MotionScene.run { scene in
            let start = scene.clock.now
            try await scene.session.configure(over: Self.length, easing: .linear) { try scene.inset.remove() }
            #expect(scene.picture.layers == [scene.main])
            var used: [Int] = []
            for count in [1, 8, 3, 4] {
                try await scene.frames(count)
                used.append(scene.session.statistics.sources[1].used)
            }
            return (start, used)
        }
        for (index, frame) in run.frames.after(run.result.0).enumerated() {
            #expect(abs(Double(frame.luma(5, 5)) - (200 - share(index) * 150)) <= 1, "frame \(index)")
        }
        let used = run.result.1
        #expect(used[1] == used[0] + 8 && used[3] == used[2], "\(used)")
    }

    @Test(
        "a removed layer's source is closed and the motion ends, whenever another change arrives", arguments: 0...11)
    func changeOnTheWay(after frames: Int) async throws {
        let (used, isDrawn) = try await MotionScene.run { scene in
            try await scene.session.configure(over: Self.length, easing: .linear) { try scene.inset.remove() }
            try await scene.frames(frames)
            try await scene.session.configure { try scene.main.update { $0.look.opacity = 0.5 } }
            try await scene.frames(13 - frames)
            var used = [scene.session.statistics.sources[1].used]
            try await scene.frames(4)
            used.append(scene.session.statistics.sources[1].used)
            return (used, scene.session.plan.layers[scene.inset.id] != nil)
        }.result
        #expect(used[0] == used[1] && !isDrawn)
    }

    @Test("a layer slides out over an edge, and in again", arguments: CanvasEdge.allCases)
    func slide(edge: CanvasEdge) async throws {
        let run = try await MotionScene.run { scene in
            try await scene.session.configure {
                try scene.inset.update { $0.placement.position = .at(x: 24, y: 18) }
            }
            let out = scene.clock.now
            try await scene.session.configure(over: Self.length, easing: .linear, transition: .slide(edge)) {
                try scene.inset.update { $0.isEnabled = false }
            }
            try await scene.frames(12)
            let back = scene.clock.now
            try await scene.session.configure(over: Self.length, easing: .linear, transition: .slide(edge)) {
                try scene.inset.update { $0.isEnabled = true }
            }
            return (out, back)
        }
        let way: (x: Int, y: Int) =
            switch edge {
            case .left: (-40, 0)
            case .right: (40, 0)
            case .top: (0, -30)
            case .bottom: (0, 30)
            }
        func expected(_ share: Double) -> PixelRect? {
            let rect = PixelRect(
                x: 24 + Int((Double(way.x) * share).rounded()), y: 18 + Int((Double(way.y) * share).rounded()),
                width: 16, height: 12
            ).intersection(smallSize.bounds)
            return rect.isEmpty ? nil : rect
        }
        for (index, frame) in run.frames.after(run.result.0).prefix(12).enumerated() {
            #expect(frame.bounds(of: Self.light) == expected(share(index)), "out, frame \(index)")
        }
        for (index, frame) in run.frames.after(run.result.1).enumerated() {
            #expect(frame.bounds(of: Self.light) == expected(1 - share(index)), "in, frame \(index)")
        }
    }

    @Test("with a cut, an added layer appears at once")
    func cut() async throws {
        let run = try await MotionScene.run { scene in
            let start = scene.clock.now
            try await scene.session.configure(over: Self.length, transition: .cut) {
                scene.picture.add(Layer(scene.light).placed(x: 32, y: 24, width: 32, height: 24))
            }
            return start
        }
        for frame in run.frames.after(run.result) { #expect(frame.luma(40, 30) == 200) }
    }

    @Test(
        "two layers exchange their rectangles in a motion, and their order halfway",
        arguments: [RendererChoice.cpu, .gl])
    func swap(renderer: RendererChoice) async throws {
        let run = try await MotionScene.run(renderer) { scene in
            let start = scene.clock.now
            try await scene.session.configure(over: Self.length, easing: .linear) {
                try scene.picture.swap(scene.main, scene.inset)
            }
            try await scene.frames(12)
            return start
        }
        #expect(run.missed == 0)
        for (index, frame) in run.frames.after(run.result).enumerated() {
            let grows = between(MotionScene.inset, smallSize.bounds, share(index))
            let shrinks = between(smallSize.bounds, MotionScene.inset, share(index))
            // The layer on top is completely visible.
            if index < 5 {
                #expect(frame.bounds(of: Self.light) == grows, "frame \(index)")
                #expect(frame.bounds(of: 48...52)?.maxX == shrinks.maxX)
            } else {
                #expect(frame.bounds(of: 48...52) == shrinks, "frame \(index)")
                if index > 5 { #expect(frame.bounds(of: Self.light)?.maxX == grows.maxX, "frame \(index)") }
            }
        }
    }

    @Test("a swap that is undone halfway returns from its present rectangles")
    func swapBack() async throws {
        let run = try await MotionScene.run { scene in
            let start = scene.clock.now
            try await scene.session.configure(over: Self.length, easing: .linear) {
                try scene.picture.swap(scene.main, scene.inset)
            }
            try await scene.frames(4)
            try await scene.session.configure(over: Self.length, easing: .linear) {
                try scene.picture.swap(scene.main, scene.inset)
            }
            try await scene.frames(12)
            return start
        }
        let turn = between(MotionScene.inset, smallSize.bounds, 0.3)
        for (index, frame) in run.frames.after(run.result).enumerated() where index < 4 || index >= 9 {
            let expected =
                index < 4
                ? between(MotionScene.inset, smallSize.bounds, share(index))
                : between(turn, MotionScene.inset, share(index - 4))
            #expect(frame.bounds(of: Self.light) == expected, "frame \(index)")
        }
    }

    @Test("a layer that is removed during a motion continues to its target while it fades")
    func removedOnTheWay() async throws {
        let place = PixelRect(x: 40, y: 30, width: 16, height: 12)
        let run = try await MotionScene.run { scene in
            let start = scene.clock.now
            try await scene.session.configure(over: Self.length, easing: .linear) {
                try scene.inset.update { $0.placement = .at(place) }
            }
            try await scene.frames(4)
            try await scene.session.configure(over: Self.length, easing: .linear) { try scene.inset.remove() }
            try await scene.frames(12)
            return start
        }
        for (index, frame) in run.frames.after(run.result).enumerated() {
            let opacity = 1 - share(index - 4)
            let rect = between(MotionScene.inset, place, share(index))
            let code = 50 + 150 * (index < 4 ? 1 : opacity)
            #expect(abs(Double(frame.luma(rect.x + 8, rect.y + 6)) - code) <= 1, "frame \(index)")
            if code > 60 { #expect(frame.bounds(of: 55...205) == rect, "frame \(index)") }
        }
    }

    @Test("a layer that is disabled and enabled during a fade returns from its present opacity")
    func backAgain() async throws {
        let run = try await MotionScene.run { scene in
            let start = scene.clock.now
            try await scene.session.configure(over: Self.length, easing: .linear) {
                try scene.inset.update { $0.isEnabled = false }
            }
            try await scene.frames(6)
            try await scene.session.configure(over: Self.length, easing: .linear) {
                try scene.inset.update { $0.isEnabled = true }
            }
            try await scene.frames(12)
            return start
        }
        for (index, frame) in run.frames.after(run.result).enumerated() {
            let opacity = index < 6 ? 1 - share(index) : 0.5 + 0.5 * share(index - 6)
            #expect(abs(Double(frame.luma(5, 5)) - (50 + 150 * opacity)) <= 1, "frame \(index)")
        }
    }
}
