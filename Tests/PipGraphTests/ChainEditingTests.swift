import PipEffects
import PipFrames
import PipGraph
import PipTestSupport
import Testing

@Suite("Editing chains")
struct ChainEditingTests {
    private let source = TestSource()
    private let sink = NamedSink()

    /// The filters between the source and the first sink, starting at the source.
    private func chain(_ graph: Graph) -> [NodeID] {
        var nodes: [NodeID] = []
        var current = graph.sinks.first
        while let id = current, let input = graph.inputs(of: id).first {
            nodes.append(input)
            current = input
        }
        return nodes.dropLast().reversed()
    }

    @Test("filters are inserted, moved and removed, the same effect any number of times")
    func edits() throws {
        let one = source --> Brightness(0.1)
        let two = one --> Brightness(0.2)
        two --> sink
        let third = Filter(Brightness(0.3))
        try third.insert(after: one)
        #expect(chain(source.graph) == [one, third, two].map(\.node.id))
        try third.insert(after: two)
        #expect(chain(source.graph) == [one, two, third].map(\.node.id))
        try third.insert(before: one)
        #expect(chain(source.graph) == [third, one, two].map(\.node.id))
        one.remove()
        #expect(chain(source.graph) == [third, two].map(\.node.id))
        let error = #expect(throws: GraphError.self) { try third.insert(after: third) }
        #expect(error?.description == "brightness cannot be inserted before or after itself")
        try one.insert(after: source)
        #expect(chain(source.graph) == [one, third, two].map(\.node.id))
        #expect(one.effect.brightness == 0.1)
        try source.graph.validate()
    }

    @Test("all consumers of a node take their frames from a filter that is inserted after the node")
    func fanOut() throws {
        let shared = source --> Gamma(2)
        let picture = Compositor { Layer(shared) }
        picture --> sink
        shared --> Mirror() --> NamedSink(label: "other")
        let blend = Blend(.screen, base: shared, overlay: source, mask: shared)
        blend --> NamedSink(label: "third")
        let added = Filter(Invert())
        try added.insert(after: shared)
        let graph = source.graph
        #expect(graph.inputs(of: picture.node.id) == [added.node.id])
        #expect(graph.inputs(of: blend.node.id) == [added.node.id, source.node.id, added.node.id])
        #expect(graph.inputs(of: added.node.id) == [shared.node.id])
        added.remove()
        #expect(source.graph.inputs(of: blend.node.id) == [shared.node.id, source.node.id, shared.node.id])
        try source.graph.validate()
    }

    @Test("a filter that is removed and not inserted again is not drawn, and does no harm")
    func removed() throws {
        let filter = source --> Gamma(2)
        filter --> sink
        filter.remove()
        filter.remove()
        try source.graph.validate()
        #expect(chain(source.graph).isEmpty)
    }

    @Test("a thousand random edits leave one chain of all filters that were not removed")
    func atRandom() throws {
        var dice = Dice(11)
        let filters = (0..<6).map { Filter(Brightness(Float($0) / 10)) }
        source --> sink
        var expected: [Int] = []
        for _ in 0..<1000 {
            let moved = Int.random(in: 0..<6, using: &dice)
            let rest = expected.filter { $0 != moved }
            switch Int.random(in: 0..<3, using: &dice) {
            case 0:
                filters[moved].remove()
                expected = rest
            case 1:
                let place = Int.random(in: 0...rest.count, using: &dice)
                if place == 0 {
                    try filters[moved].insert(after: source)
                } else {
                    try filters[moved].insert(after: filters[rest[place - 1]])
                }
                expected = rest
                expected.insert(moved, at: place)
            default:
                guard let place = rest.indices.randomElement(using: &dice) else { continue }
                try filters[moved].insert(before: filters[rest[place]])
                expected = rest
                expected.insert(moved, at: place)
            }
            #expect(chain(source.graph) == expected.map { filters[$0].node.id })
        }
        try source.graph.validate()
    }
}
