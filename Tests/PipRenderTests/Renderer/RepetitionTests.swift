import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPlan
import PipRender
import PipTestSupport
import Testing

@Suite("Repetition of unchanged pictures", .serialized)
struct RepetitionTests {
    /// Draws a plan for each set of source frames, and returns the frames with the numbers of executed steps.
    private func draw(
        _ plan: RenderPlan, _ sets: [[NodeID: Frame]], on gpu: RenderContext
    ) async throws -> [(frame: Frame, steps: Int)] {
        try await gpu.perform { gpu in
            let renderer = SharedContext.renderer(on: gpu, isShared: true)
            let prepared = try renderer.prepare(plan, framesInFlight: sets.count, on: gpu)
            renderer.use(prepared)
            var results: [(Frame, Int)] = []
            for (number, set) in sets.enumerated() {
                let frames = prepared.sources.map { set[$0] }
                let tick = try renderer.draw(frames, timestamp: .zero, sequence: UInt64(number), on: gpu)
                try renderer.collect(timeout: .seconds(10), on: gpu) { _, frame in results.append((frame, tick.steps)) }
            }
            return results
        }
    }

    @Test("unchanged steps are not executed again, and the result is the same", arguments: 0..<24)
    func randomGraphs(_ number: Int) async throws {
        let gpu = try await SharedContext.get()
        var dice = Dice(7_000_003 + number)
        let pool = RandomPool(&dice)
        let graph = RandomGraph(pool, &dice)
        var capabilities = gpu.capabilities.plan
        capabilities.renderer = number % 2 == 0 ? .software : .gpu
        let plan = try planned(
            graph.picture, graph.sources, to: SinkRequest(format: graph.target), capabilities: capabilities)
        // All sources have inverted frames at first. Then each source in turn gets its original frame, and at last none
        // changes.
        var current = Dictionary(
            graph.sources.map { ($0.node.id, $0.frame.inverted) }, uniquingKeysWith: { first, _ in first })
        var sets = [current]
        for source in graph.sources {
            current[source.node.id] = source.frame
            sets.append(current)
        }
        sets.append(current)
        let steady = try await draw(plan, sets, on: gpu)
        try #require(steady.count == sets.count)
        for (index, set) in sets.enumerated() {
            let fresh = try await draw(plan, [set], on: gpu)
            #expect(largestDifference(steady[index].frame, try #require(fresh.first).frame) == 0, "frame \(index)")
        }
        #expect(steady.last?.steps == 0)
    }

    /// The sources' frames at a tick, and the sinks whose outputs are due.
    private struct Moment {
        let frames: [NodeID: Frame]
        let due: Set<NodeID>
    }

    /// Draws a plan tick by tick; `skips` leaves out the steps that no due output needs.
    private func draw(
        _ plan: RenderPlan, _ moments: [Moment], skips: Bool, on gpu: RenderContext
    ) async throws -> (frames: [[NodeID: Frame]], steps: Int) {
        try await gpu.perform { gpu in
            let renderer = SharedContext.renderer(on: gpu, isShared: true)
            let prepared = try renderer.prepare(plan, framesInFlight: moments.count, on: gpu)
            renderer.use(prepared)
            var result: (frames: [[NodeID: Frame]], steps: Int) = ([], 0)
            for (index, moment) in moments.enumerated() {
                let frames = prepared.sources.map { moment.frames[$0] }
                let tick = try renderer.draw(
                    frames, timestamp: .zero, sequence: UInt64(index),
                    isDue: { $0.contains { !skips || moment.due.contains($0) } }, on: gpu)
                result.steps += tick.steps
                var drawn: [NodeID: Frame] = [:]
                try renderer.collect(timeout: .seconds(10), on: gpu) { sinks, frame in
                    for sink in sinks { drawn[sink] = frame }
                }
                result.frames.append(drawn)
            }
            return result
        }
    }

    @Test("steps that no due output needs are left out, and each output's result is the same", arguments: 0..<8)
    func dueOutputs(_ number: Int) async throws {
        let gpu = try await SharedContext.get()
        var dice = Dice(9_000_011 + number)
        let pool = RandomPool(&dice)
        let graph = RandomGraph(pool, &dice)
        let blurred = graph.picture --> GaussianBlur(radius: 3)
        let half = PixelSize(graph.canvas.width / 4 * 2, graph.canvas.height / 4 * 2)
        let wishes = [
            (graph.picture.node, SinkRequest(format: graph.target)),
            (graph.picture.node, SinkRequest(format: .rgba, size: half)),
            (blurred.node, SinkRequest(format: .nv12)),
        ]
        var capabilities = gpu.capabilities.plan
        capabilities.renderer = number % 2 == 0 ? .software : .gpu
        let (plan, sinks) = try planned(wishes, graph.sources, capabilities: capabilities)
        let still = Dictionary(
            graph.sources.map { ($0.node.id, $0.frame) }, uniquingKeysWith: { first, _ in first })
        var moments: [Moment] = []
        for _ in 0..<8 {
            let frames = still.mapValues { .random(using: &dice) ? $0 : $0.inverted }
            moments.append(Moment(frames: frames, due: Set(sinks.filter { _ in .random(using: &dice) })))
        }
        let skipping = try await draw(plan, moments, skips: true, on: gpu)
        let all = try await draw(plan, moments, skips: false, on: gpu)
        #expect(skipping.steps < all.steps)
        for (index, moment) in moments.enumerated() {
            #expect(Set(skipping.frames[index].keys) == moment.due, "frame \(index)")
            for (sink, frame) in skipping.frames[index] {
                let whole = try #require(all.frames[index][sink])
                #expect(largestDifference(frame, whole) == 0, "frame \(index)")
            }
        }
    }

    @Test("an effect with memory is drawn at every frame, whichever outputs are due")
    func remembering() async throws {
        let main = TestSource(testPicture(.nv12, PixelSize(64, 36)))
        let slow = main --> LowPass(0.5) --> GaussianBlur(radius: 3)
        let capabilities = try await SharedContext.get().capabilities.plan
        let (plan, _) = try planned(
            [(main.node, SinkRequest(format: .nv12)), (slow.node, SinkRequest(format: .rgba))], [main],
            capabilities: capabilities)
        let outputs = plan.stepOutputs
        #expect(outputs.contains(nil))
        let last = try #require(plan.steps.indices.last { if case .draw = plan.steps[$0] { true } else { false } })
        #expect(outputs[last] == [1])
    }

    @Test("a still mask and a still logo are drawn once, and the layers below them at every frame")
    func stills() async throws {
        let main = TestSource(testPicture(.nv12, PixelSize(128, 72)))
        let inset = TestSource(testPicture(.nv12, PixelSize(64, 36), seed: 1))
        let mask = TestSource(testPicture(.rgba, PixelSize(32, 32), seed: 2))
        let picture = Compositor {
            Layer(main)
            Layer(Blend(.mask(), base: inset, overlay: mask)).placed(.topRight, width: 0.25, margin: 8)
        }
        let gpu = try await SharedContext.get()
        let plan = try planned(
            picture, [main, inset, mask], to: SinkRequest(format: .nv12), capabilities: gpu.capabilities.plan)
        let first = [main, inset, mask].reduce(into: [NodeID: Frame]()) { $0[$1.node.id] = $1.frame }
        var second = first
        second[main.node.id] = main.frame.inverted
        let steps = try await draw(plan, [first, second], on: gpu).map(\.steps)
        #expect(steps[0] == plan.steps.count)
        // The steps that clear, upload and stretch the mask do not run, and neither does the inset's upload.
        #expect(steps[1] < plan.steps.count - 3)
        #expect(steps[1] > 0)
    }

    @Test("an effect with memory is drawn at every frame")
    func restless() async throws {
        let main = TestSource(testPicture(.nv12, PixelSize(64, 36)))
        let gpu = try await SharedContext.get()
        let plan = try planned(
            main --> LowPass(0.5), [main], to: SinkRequest(format: .nv12), capabilities: gpu.capabilities.plan)
        let set: [NodeID: Frame] = [main.node.id: main.frame]
        let drawn = try await draw(plan, [set, set, set], on: gpu)
        #expect(drawn.dropFirst().allSatisfy { $0.steps > 0 })
    }
}

extension Frame {
    /// A frame of the same format and size with inverted bytes.
    fileprivate var inverted: Frame {
        let layout = FrameLayout(layout.format, size)
        let planes = layout.planes.indices.map { bytes(of: self, plane: $0) }
        var info = makeFrame(layout.format, layout.size) { plane, column, row in
            255 - planes[plane][row * layout.planes[plane].rowBytes + column]
        }
        info = Frame(
            info: FrameInfo(
                layout: info.layout, colorimetry: self.info.colorimetry, orientation: self.info.orientation,
                sequence: self.info.sequence + 1), buffer: info.buffer)
        return info
    }
}
