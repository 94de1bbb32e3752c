import Foundation
import PipFrames
import PipGL
import PipGraph
import PipPlan
import PipTestSupport
import Testing

@Suite("Random graphs", .serialized)
struct RandomGraphTests {
    private static let environment = ProcessInfo.processInfo.environment

    /// The seed of all graphs of a run, from `PIP_GRAPH_SEED`; 20 by default.
    private static let seed = environment["PIP_GRAPH_SEED"].flatMap { Int($0) } ?? 20

    /// The numbers of the graphs to draw: `PIP_GRAPH` alone, or the first `SEEDS` graphs, by default 200.
    private static let numbers =
        environment["PIP_GRAPH"].flatMap { Int($0) }.map { $0..<$0 + 1 }
        ?? 0..<(environment["SEEDS"].flatMap { Int($0) } ?? 200)

    @Test("random graphs are equal fused, unfused, by rows and mixed, within a step, and within two of the reference")
    func lookRight() async throws {
        // This output names the graphs and the seed of a failed run.
        print("random graphs \(Self.numbers) of seed \(Self.seed)")
        let gpu = try await SharedContext.get()
        var dice = Dice(Self.seed)
        let pool = RandomPool(&dice)
        var mixedCount = 0
        for number in Self.numbers {
            var dice = Dice(Self.seed &* 100_003 &+ number)
            let graph = RandomGraph(pool, &dice)
            let fused = try await rendered(graph.picture, graph.sources, to: graph.target, on: gpu)
            let unfused = try await rendered(graph.picture, graph.sources, to: graph.target, fuses: false, on: gpu)
            let difference = largestDifference(fused, unfused)
            let again = "PIP_GRAPH_SEED=\(Self.seed) PIP_GRAPH=\(number)"
            #expect(difference <= 1, "\(again), fused and unfused, \(graph.summary)")
            let mixed = try await renderedMixed(
                graph.picture, graph.sources, to: graph.target, on: gpu
            ) { $0 % 3 != UInt64(number % 3) }
            if let mixed {
                mixedCount += 1
                let difference = largestDifference(fused, mixed)
                #expect(difference <= 1, "\(again), mixed, \(graph.summary)")
            }
            let away = graph.reference(fused.info.colorimetry).difference(fused)
            #expect(max(away.first, away.chroma) <= 2, "\(again), \(away.places), \(graph.summary)")
        }
        #expect(mixedCount > Self.numbers.count / 10 || Self.numbers.count == 1, "\(mixedCount) drawn by both")
    }
}
