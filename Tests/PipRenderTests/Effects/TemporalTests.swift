import Foundation
import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPlan
import PipRender
import PipTestSupport
import Testing

@Suite("Effects with memory of earlier frames", .serialized)
struct TemporalTests {
    typealias Pixel = PixelGrid.Pixel

    /// Draws frames in order, with the outputs of `producers` in turn; a new plan is prepared for each change of
    /// output.
    private func draw(
        _ producers: [any FrameProducer], _ source: TestSource, _ frames: [Frame], fuses: Bool = true
    ) async throws -> [PixelGrid] {
        try await RenderContext.with { gpu in
            let plans = try producers.map { producer in
                try planned(
                    producer, [source], to: SinkRequest(format: .rgba), capabilities: gpu.capabilities.plan,
                    fuses: fuses)
            }
            return try await gpu.perform { gpu in
                let renderer = Renderer()
                var drawn: [PixelGrid] = []
                for (index, frame) in frames.enumerated() {
                    if index == 0 || plans[index % plans.count] != plans[(index - 1) % plans.count] {
                        renderer.use(try renderer.prepare(plans[index % plans.count], framesInFlight: 2, on: gpu))
                    }
                    _ = try renderer.draw([frame], timestamp: .zero, sequence: UInt64(index), on: gpu)
                    try renderer.collect(timeout: .seconds(10), on: gpu) { _, frame in
                        drawn.append(PixelGrid(frame))
                    }
                }
                return drawn
            }
        }
    }

    private func pictures(_ count: Int) -> [Frame] {
        (0..<count).map { testPicture(.rgbx, PixelSize(37, 23), seed: $0) }
    }

    private func expect(_ drawn: [PixelGrid], _ wanted: [PixelGrid], within tolerance: Double = 1.01) {
        #expect(drawn.count == wanted.count)
        for (index, (one, other)) in zip(drawn, wanted).enumerated() {
            let worst =
                zip(one.pixels, other.pixels).map { (pair: (Pixel, Pixel)) -> Double in
                    let away = (pair.0 - pair.1) * 255
                    return max(abs(away.x), abs(away.y), abs(away.z))
                }.max() ?? 0
            #expect(worst <= tolerance, "frame \(index) is off by \(worst)")
        }
    }

    /// The exact low-pass results of frames; the first result is the first frame.
    private func lowPasses(_ frames: [Frame], _ strength: Double) -> [PixelGrid] {
        var results: [PixelGrid] = []
        for frame in frames {
            let grid = PixelGrid(frame)
            guard let last = results.last else {
                results.append(grid)
                continue
            }
            results.append(PixelGrid(grid.size) { x, y in grid.at(x, y) * (1 - strength) + last.at(x, y) * strength })
        }
        return results
    }

    @Test("a low pass mixes each frame with the previous result", arguments: [0.3, 0.9], [true, false])
    func lowPass(strength: Double, fuses: Bool) async throws {
        let frames = pictures(5)
        let source = TestSource(frames[0])
        let drawn = try await draw([source --> LowPass(Float(strength))], source, frames, fuses: fuses)
        expect(drawn, lowPasses(frames, strength))
    }

    @Test("a low pass converges to the picture completely")
    func comesToRest() async throws {
        let dark = makeFrame(.rgbx, PixelSize(4, 4)) { _, _, _ in 100 }
        let light = makeFrame(.rgbx, PixelSize(4, 4)) { _, _, _ in 104 }
        let source = TestSource(dark)
        let drawn = try await draw(
            [source --> LowPass(0.95)], source, [dark] + Array(repeating: light, count: 150))
        let code: Double = (drawn.last?.at(1, 1).x ?? 0) * 255
        #expect(abs(code - 104) < 0.6)
    }

    @Test("an effect's memory survives an edit of the chain")
    func survivesPlans() async throws {
        let frames = pictures(6)
        let source = TestSource(frames[0])
        let filter = source --> LowPass(0.8)
        // The filter ends one plan's chain, and is followed by other filters in the other plan.
        let drawn = try await draw([filter, filter --> Contrast(1) --> Brightness(0.1)], source, frames)
        let wanted = lowPasses(frames, 0.8).enumerated().map { index, grid in
            index % 2 == 0 ? grid : grid.map { $0 + Pixel(0.1, 0.1, 0.1, 0) }
        }
        expect(drawn, wanted)
    }

    @Test("the same effect twice has two memories")
    func twice() async throws {
        let frames = pictures(4)
        let source = TestSource(frames[0])
        let drawn = try await draw([source --> LowPass(0.5) --> LowPass(0.5)], source, frames)
        var second: [PixelGrid] = []
        for grid in lowPasses(frames, 0.5) {
            guard let last = second.last else {
                second.append(grid)
                continue
            }
            second.append(PixelGrid(grid.size) { x, y in (grid.at(x, y) + last.at(x, y)) * 0.5 })
        }
        expect(drawn, second)
    }

    @Test("a high pass and a motion detector compare each frame with the low pass")
    func differences() async throws {
        let frames = pictures(3)
        let source = TestSource(frames[0])
        let low = lowPasses(frames, 0.5)
        let high = zip(frames.map(PixelGrid.init), low).map { grid, low in
            PixelGrid(grid.size) { x, y in
                let away = grid.at(x, y) - low.at(x, y)
                return Pixel(abs(away.x), abs(away.y), abs(away.z), 1)
            }
        }
        expect(try await draw([source --> HighPass(0.5)], source, frames), high)
        let moving = try await draw([source --> MotionDetector(threshold: 0.05)], source, frames)
        for (index, grid) in moving.enumerated() {
            let now = PixelGrid(frames[index])
            for (pixel, (one, other)) in zip(grid.pixels, zip(now.pixels, low[index].pixels)) {
                let away = one - other
                let change = (away.x * away.x + away.y * away.y + away.z * away.z).squareRoot()
                if abs(change - 0.05) > 0.002 { #expect(pixel.x == (change >= 0.05 ? 1 : 0)) }
            }
        }
    }

    @Test("trails fade according to their persistence")
    func trails() async throws {
        let frames = pictures(4)
        let source = TestSource(frames[0])
        var wanted: [PixelGrid] = []
        for grid in frames.map(PixelGrid.init) {
            let last = wanted.last ?? grid
            wanted.append(
                PixelGrid(grid.size) { x, y in
                    let (now, before) = (grid.at(x, y), last.at(x, y) * 0.9)
                    return Pixel(max(now.x, before.x), max(now.y, before.y), max(now.z, before.z), 1)
                })
        }
        expect(try await draw([source --> Trails(0.9)], source, frames), wanted)
    }

    @Test("NaN is forgotten at the next frame")
    func nonsense() async throws {
        let frames = pictures(2)
        let source = TestSource(frames[0])
        let poison = Drawing.call(
            """
            vec4 EFFECT(vec4 color, vec4 previous, vec2 position)
            {
                return previous.r == color.r && previous.b == color.b ? vec4(sqrt(color.r - 2.0)) : 0.5 * (color + previous);
            }
            """)
        let drawn = try await draw([source --> Drawing(.temporal(poison))], source, [frames[0], frames[1], frames[0]])
        #expect(drawn.count == 3 && drawn.last?.pixels.allSatisfy { $0.x > 0 } == true)
    }
}
