import Foundation
import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPlan
import PipRender
import PipTestSupport
import Testing

@Suite("Detected lines", .serialized)
struct LineFindingTests {
    /// A picture that is white on one side of a line; `away` is the line's distance from the middle in pixels.
    private func halved(_ size: PixelSize, degrees: Double, away: Double) -> TestSource {
        TestSource(
            makeFrame(.rgbx, size, stride: size.width * 4 + 20) { _, column, row in
                distance(size, degrees, away, column / 4, row) > 0 ? 230 : 20
            })
    }

    /// The signed distance from the line to a pixel's centre, in pixels.
    private func distance(_ size: PixelSize, _ degrees: Double, _ away: Double, _ x: Int, _ y: Int) -> Double {
        let angle = degrees * Double.pi / 180
        let (across, down) = (Double(x) + 0.5 - Double(size.width) / 2, Double(y) + 0.5 - Double(size.height) / 2)
        return across * cos(angle) + down * sin(angle) - away
    }

    private func drawn(_ effect: HoughLines, _ source: TestSource) async throws -> PixelGrid {
        PixelGrid(try await rendered(source --> effect, [source], to: .rgba, on: try await SharedContext.get()))
    }

    /// The result of one executor, since each executor may choose another line among equal votes.
    private func drawn(_ effect: HoughLines, _ source: TestSource, by executor: Executor) async throws -> PixelGrid {
        PixelGrid(
            try await rendered(
                source --> effect, [source], to: .rgba, rowsWithin: nil, on: try await SharedContext.get()
            ) { $0.executors = [executor] })
    }

    @Test(
        "an edge is found at its position, in every direction",
        arguments: [0.0, 17, 45, 90, 91, 135, 179], [0.0, 21])
    func oneLine(degrees: Double, away: Double) async throws {
        let sizes = [PixelSize(161, 121), PixelSize(1279, 717)]
        for (size, executor) in sizes.flatMap({ size in [Executor.gl, .cpu].map { (size, $0) } }) {
            let away = away * Double(size.width) / 161
            let source = halved(size, degrees: degrees, away: away)
            let grid = try await drawn(HoughLines(threshold: 0.4, color: .red), source, by: executor)
            // The tolerance allows for half a degree over half the diagonal, a step of the distance, and the reduced
            // picture's pixels.
            let reach = hypot(Double(size.width), Double(size.height))
            let tolerance = 3 + reach / 256 + reach * Double.pi / 720
            var (red, near, wrong) = (0, 0, 0)
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let away = abs(distance(size, degrees, away, x, y))
                    if away < 0.5 { near += 1 }
                    guard grid.at(x, y).x - grid.at(x, y).y > 0.8 else { continue }
                    red += 1
                    if away > tolerance { wrong += 1 }
                }
            }
            #expect(red >= near, "\(size), \(executor): \(red) pixels of a line for \(near)")
            #expect(wrong == 0, "\(size), \(executor): \(wrong) of \(red) pixels are elsewhere")
        }
    }

    @Test("a rectangle has four lines, and the longest lines come first", arguments: [1, 2, 4, 10])
    func rectangle(count: Int) async throws {
        let size = PixelSize(200, 160)
        let source = TestSource(
            makeFrame(.rgbx, size) { _, column, row in
                (30..<170).contains(column / 4) && (40..<120).contains(row) ? 220 : 30
            })
        let grid = try await drawn(HoughLines(threshold: 0.3, count: count, color: .red), source)
        func isDrawn(_ x: Int, _ y: Int) -> Bool { grid.at(x, y).x - grid.at(x, y).y > 0.5 }
        // Row 8 and column 8 lie outside of the rectangle, so they show only the detected lines.
        let across = (0..<160).filter { isDrawn(8, $0) }
        let down = (0..<200).filter { isDrawn($0, 8) }
        func groups(_ places: [Int]) -> [Int] {
            places.filter { !places.contains($0 - 1) }
        }
        // The upper and lower edges of the rectangle are longer than the others.
        #expect(groups(across).count == min(count, 2) && groups(down).count == min(max(count - 2, 0), 2))
        #expect(groups(across).allSatisfy { abs($0 - 39) <= 3 || abs($0 - 119) <= 3 })
        #expect(groups(down).allSatisfy { abs($0 - 29) <= 3 || abs($0 - 169) <= 3 })
    }

    @Test(
        "a picture without edges stays unchanged", arguments: [PixelSize(1, 1), PixelSize(3, 5), PixelSize(127, 71)])
    func nothing(size: PixelSize) async throws {
        let source = TestSource(makeFrame(.rgbx, size) { _, column, _ in column % 4 == 3 ? 255 : 90 })
        let frame = try await rendered(
            source --> HoughLines(), [source], to: .rgba, on: try await SharedContext.get())
        #expect(largestDifference(frame, makeFrame(.rgba, size) { _, column, _ in column % 4 == 3 ? 255 : 90 }) == 0)
    }

    @Test("votes are counted in a reduced picture")
    func smallPasses() async throws {
        let source = halved(PixelSize(1280, 720), degrees: 30, away: 0)
        let gpu = try await SharedContext.get()
        let plan = try planned(
            source --> HoughLines(), [source], to: SinkRequest(format: .rgba), capabilities: gpu.capabilities.plan)
        let tables = plan.passes.filter { $0.groups != nil }
        #expect(tables.count == 3)
        #expect(plan.passes.dropLast().filter { $0.groups == nil }.allSatisfy { $0.pixels <= 320 * 180 })
    }
}
