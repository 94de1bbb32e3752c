import PipEffects
import PipFrames
import PipGraph
import PipTestSupport
import Testing

@Suite("A draft")
struct DraftTests {
    struct Mistake: Error {}

    private let source = TestSource()

    private func wiring(_ node: some FrameProducer) -> Wiring { node.node.wiring }

    @Test("a draft is seen only by its own task until it is committed")
    func isolation() throws {
        let filter = source --> Brightness(0.1)
        let draft = Draft(of: wiring(filter))
        try draft.edit {
            try filter.update { $0.brightness = 0.5 }
            #expect(filter.effect.brightness == 0.5)
        }
        #expect(filter.effect.brightness == 0.1)
        #expect(draft.commit(draft.rebased))
        #expect(filter.effect.brightness == 0.5)
    }

    @Test("a draft that throws leaves no trace, and its handles can be used again")
    func rollsBack() throws {
        let picture = Compositor(canvas: PixelSize(16, 16)) { Layer(source) }
        picture --> NamedSink()
        let added = TestSource("added")
        let filter = Filter(Gamma(2))
        let draft = Draft(of: wiring(picture))
        #expect(throws: Mistake.self) {
            try draft.edit {
                picture.add(Layer(added --> filter))
                throw Mistake()
            }
        }
        #expect(picture.layers.count == 1)
        #expect(filter.graph.inputs(of: filter.node.id) == [])
        // The handles of the failed draft still work.
        picture.add(Layer(added --> filter))
        try picture.graph.validate()
        #expect(picture.graph.sources == [source.node.id, added.node.id])
    }

    @Test("an edit that throws changes nothing, within a draft as without one", arguments: [false, true])
    func refusedEdit(isInDraft: Bool) throws {
        let filter = source --> Brightness(0.1)
        let wiring = wiring(filter)
        func attempt() {
            #expect(throws: Mistake.self) {
                try wiring.edit { (graph: inout Graph) throws(Mistake) -> Void in
                    graph.remove(filter.node.id)
                    throw Mistake()
                }
            }
            #expect(wiring.graph.order.contains(filter.node.id))
        }
        if isInDraft { try Draft(of: wiring).edit { attempt() } } else { attempt() }
    }

    @Test("changes a compositor's light with its layers, or not at all")
    func light() throws {
        let picture = Compositor(canvas: PixelSize(16, 16)) { Layer(source) }
        #expect(picture.light == .encoded)
        let refused = Draft(of: wiring(picture))
        #expect(throws: Mistake.self) {
            try refused.edit {
                picture.light = .linear
                throw Mistake()
            }
        }
        let draft = Draft(of: wiring(picture))
        try draft.edit {
            picture.light = .linear
            picture.add(Layer(source))
        }
        #expect(picture.light == .encoded && picture.layers.count == 1)
        // This change is made outside of the draft.
        try picture.layers[0].update { $0.look.opacity = 0.5 }
        #expect(draft.commit(draft.rebased))
        #expect(picture.light == .linear && picture.layers.count == 2)
        #expect(picture.layers[0].record?.look.opacity == 0.5)
    }

    @Test("a nested draft joins the outer one, a nested draft that throws is left out, and all is committed once")
    func nested() throws {
        let filter = source --> Brightness(0.1)
        let gamma = Filter(Gamma(2))
        let wiring = wiring(filter)
        let version = wiring.snapshot.version
        let draft = Draft(of: wiring)
        try draft.edit {
            try filter.update { $0.brightness = 0.5 }
            #expect(Draft.joined(by: wiring) === draft)
            #expect(throws: Mistake.self) {
                try draft.edit {
                    try filter.update { $0.brightness = 0.9 }
                    filter --> gamma
                    throw Mistake()
                }
            }
            #expect(filter.effect.brightness == 0.5)
            try draft.edit { filter.isMuted = true }
            #expect(Draft.joined(by: wiring) === draft && wiring.snapshot.version == version)
        }
        #expect(Draft.joined(by: wiring) == nil)
        #expect(draft.commit(draft.rebased))
        #expect(filter.effect.brightness == 0.5 && filter.isMuted && wiring.snapshot.version == version + 1)
        // The handle of the inner edit still works.
        filter --> gamma
        #expect(filter.graph.inputs(of: gamma.node.id) == [filter.node.id])
    }

    @Test("undoing changes keeps the order of layers and later changes, and restores no removed sink")
    func undone() throws {
        let (back, front) = (TestSource("back"), TestSource("front"))
        let picture = Compositor(canvas: PixelSize(16, 16)) {
            Layer(back)
            Layer(front)
        }
        picture --> NamedSink()
        let wiring = wiring(picture)
        let drawn = wiring.graph
        try picture.layers[0].remove()
        let added = TestSource("added")
        picture.add(Layer(added))
        let sink = try #require(drawn.sinks.first)
        wiring.edit { (graph: inout Graph) throws(Never) in graph.remove(sink) }
        let attempted = wiring.graph
        // Undoing must keep these later changes.
        try picture.layers[0].update { $0.z = 5 }
        picture --> NamedSink()
        wiring.edit { (graph: inout Graph) throws(Never) in graph.undo(attempted, to: drawn) }
        #expect(picture.graph.inputs(of: picture.node.id) == [back.node.id, front.node.id])
        #expect(picture.composition?.layers.map(\.z) == [0, 5])
        #expect(picture.graph.sinks.count == 1 && picture.graph.sinks.first != sink)
        // The node of the undone change can be used again.
        picture.add(Layer(added))
        try picture.graph.validate()
    }

    @Test("a draft keeps changes that others make meanwhile, and wins where both change the same property")
    func merges() throws {
        let (one, two) = (source --> Brightness(0.1), source --> Brightness(0.2))
        let picture = Compositor(canvas: PixelSize(16, 16)) {
            Layer(one)
            Layer(two)
        }
        picture --> NamedSink()
        let draft = Draft(of: wiring(picture))
        let third = TestSource("third")
        try draft.edit {
            try one.update { $0.brightness = 0.5 }
            try picture.layers[1].update { $0.z = 7 }
            picture.add(Layer(third))
        }
        try one.update { $0.brightness = -0.5 }
        one.isMuted = true
        try two.update { $0.brightness = 0.9 }
        try picture.layers[1].update { $0.look.opacity = 0.25 }
        try picture.layers[0].remove()
        #expect(draft.commit(draft.rebased))
        #expect(one.effect.brightness == 0.5)
        #expect(one.isMuted)
        #expect(two.effect.brightness == 0.9)
        #expect(picture.layers.map { $0.record?.z } == [7, 0])
        #expect(picture.layers.map { $0.record?.look.opacity } == [0.25, 1])
        #expect(picture.graph.inputs(of: picture.node.id) == [two.node.id, third.node.id])
    }

    @Test("a draft is not committed over a graph that has changed since the draft's proposal")
    func compareAndSwap() throws {
        let filter = source --> Brightness(0.1)
        let draft = Draft(of: wiring(filter))
        try draft.edit { try filter.update { $0.brightness = 0.5 } }
        let stale = draft.rebased
        filter.isMuted = true
        #expect(!draft.commit(stale))
        #expect(filter.effect.brightness == 0.1)
        #expect(draft.commit(draft.rebased))
        #expect(filter.effect.brightness == 0.5 && filter.isMuted)
    }

    @Test("no change is lost when many tasks edit while drafts are committed", arguments: 0..<10)
    func concurrency(round: Int) async throws {
        let filters = (0..<8).map { _ in source --> Brightness(0) }
        let picture = Compositor(canvas: PixelSize(16, 16)) { for filter in filters { Layer(filter) } }
        let wiring = wiring(picture)
        await withTaskGroup(of: Void.self) { group in
            for (index, filter) in filters.enumerated() {
                group.addTask {
                    for step in 1...50 { try? filter.update { $0.brightness = Float(step) / 100 + Float(index) / 100 } }
                }
                group.addTask {
                    for step in 1...20 {
                        let draft = Draft(of: wiring)
                        try? draft.edit { try picture.layers[index].update { $0.z = step } }
                        while !draft.commit(draft.rebased) {}
                    }
                }
            }
        }
        for (index, filter) in filters.enumerated() {
            #expect(filter.effect.brightness == 0.5 + Float(index) / 100)
            #expect(picture.layers[index].record?.z == 20)
        }
    }

    @Test("a node that no handle refers to and no sink draws on leaves the graph; others stay")
    func collects() throws {
        let picture = Compositor(canvas: PixelSize(16, 16)) { Layer(source) }
        picture --> NamedSink()
        let kept = TestSource("kept")
        let layer = picture.add(Layer(TestSource("dropped") --> Gamma(2)))
        picture.add(Layer(kept --> Mirror()))
        #expect(picture.graph.order.count == 7)
        wiring(picture).collect()
        #expect(picture.graph.order.count == 7)
        try layer.remove()
        try picture.layers[1].remove()
        wiring(picture).collect()
        #expect(picture.graph.order.map(picture.graph.label) == ["compositor 16x16", "camera", "sink", "kept"])
        picture.add(Layer(kept))
        try picture.graph.validate()
    }
}
