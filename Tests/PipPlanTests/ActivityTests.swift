import PipEffects
import PipFrames
import PipGraph
import PipPlan
import Testing

@Suite("Effects with an active period")
struct ActivityTests {
    private func plan(at seconds: Double, _ chain: (TestSource) -> some FrameProducer) throws -> RenderPlan {
        let source = TestSource("back")
        chain(source) --> NamedSink()
        let graph = source.node.wiring.graph
        let format = SourceFormat(layout: FrameLayout(.nv12, .hd720), colorimetry: .bt709)
        let sinks = Dictionary(uniqueKeysWithValues: graph.sinks.map { ($0, SinkRequest(format: .nv12)) })
        return try Planner.plan(
            PlanInput(graph: graph, sources: [source.node.id: format], sinks: sinks, time: .seconds(seconds)))
    }

    @Test(
        "an effect has no pass before and after its period, and its usual passes in between",
        arguments: [(0.0, 0), (4.4, 0), (4.6, 2), (5.5, 2), (6.1, 1), (7.4, 1), (7.6, 2), (8.9, 2), (9, 0), (100, 0)])
    func passes(time: Double, passes: Int) throws {
        let plan = try plan(at: time) {
            $0 --> Gamma(2).active(from: .seconds(5), to: .seconds(9), fade: .seconds(1))
        }
        #expect(plan.passes.count == (passes == 2 ? 3 : passes))
    }

    @Test(
        "a plan tells until when it is valid",
        arguments: [(0.0, 4.5), (4.6, 6), (6, 7.5), (7.5, 9), (9, nil)] as [(Double, Double?)])
    func until(time: Double, until: Double?) throws {
        let plan = try plan(at: time) {
            $0 --> Gamma(2).active(from: .seconds(5), to: .seconds(9), fade: .seconds(1))
        }
        #expect(plan.validUntil == until.map { .seconds($0) })
    }

    @Test("the passes of a fading effect have the effect's name")
    func labels() throws {
        let plan = try plan(at: 5.5) { $0 --> Gamma(2).active(from: .seconds(5), fade: .seconds(1)) }
        let labels = plan.passes.map(\.label)
        #expect(labels.contains { $0.contains("gamma") })
        #expect(!labels.contains { $0.contains("part") })
    }

    @Test("effects that rotate or crop the picture are not faded")
    func turns() throws {
        let chain = { (source: TestSource) in source --> Mirror().active(from: .seconds(5), to: .seconds(9)) }
        #expect(try plan(at: 4.9, chain).outputs[0].blits.count == 2)
        #expect(try plan(at: 5, chain).outputs[0].blits.isEmpty)
        #expect(try plan(at: 9, chain).outputs[0].blits.count == 2)
        #expect(try plan(at: 4.9, chain).validUntil == .seconds(5))
    }

    @Test("an effect's share rises and falls linearly")
    func shares() {
        let period = ActivePeriod(from: .seconds(5), to: .seconds(9), fade: .seconds(2))
        let shares = [4, 5, 6, 7, 8, 9, 10].map { period.share(at: .seconds($0)) }
        #expect(shares == [0, 0, 0.5, 1, 0.5, 0, 0])
        #expect(ActivePeriod(from: .seconds(5)).share(at: .seconds(5)) == 1)
        #expect(ActivePeriod(to: .seconds(1), fade: .seconds(4)).share(at: .milliseconds(500)) == 0.125)
    }
}
