import PipEffects
import PipFrames
import PipGraph
import PipTestSupport
import Synchronization
import Testing

@Suite("Wiring", .timeLimit(.minutes(5)))
struct WiringTests {
    @Test("connected nodes see the same graph")
    func oneGraph() {
        let back = TestSource("back")
        let front = TestSource("front")
        let mirrored = front --> Mirror()
        let picture = Compositor {
            Layer(back)
            Layer(mirrored)
        }
        picture --> NamedSink()
        for wiring in [back.node.wiring, front.node.wiring, mirrored.node.wiring, picture.node.wiring] {
            #expect(wiring.graph.order.count == 5)
            #expect(wiring.graph.sources == [back.node.id, front.node.id])
        }
        #expect(picture.graph.inputs(of: mirrored.node.id) == [front.node.id])
        #expect(picture.graph.inputs(of: picture.node.id) == [back.node.id, mirrored.node.id])
    }

    @Test("a source may feed two layers, a filter and several sinks")
    func fanOut() throws {
        let source = TestSource()
        let picture = Compositor {
            Layer(source)
            Layer(source).placed(.topRight, width: 0.25)
        }
        source --> Gamma(2) --> NamedSink(label: "a")
        source --> NamedSink(label: "b")
        picture --> NamedSink(label: "c")
        picture --> NamedSink(label: "d")
        let graph = source.graph
        try graph.validate()
        #expect(graph.sinks.map(graph.label) == ["a", "b", "c", "d"])
        #expect(graph.sources == [source.node.id])
        #expect(graph.inputs(of: picture.node.id) == [source.node.id, source.node.id])
    }

    @Test("a filter's second connection replaces its first")
    func reconnect() {
        let first = TestSource("first")
        let second = TestSource("second")
        let filter = Filter(Gamma(2))
        first --> filter
        second --> filter
        #expect(filter.graph.inputs(of: filter.node.id) == [second.node.id])
    }

    @Test("two wirings that two tasks join at once become one", arguments: 0..<50)
    func opposingJoins(round: Int) async {
        let (left, right) = (TestSource("left"), TestSource("right"))
        let (one, other) = (Compositor { Layer(left) }, Compositor { Layer(right) })
        await withTaskGroup(of: Void.self) { group in
            group.addTask { one.add(Layer(right)) }
            group.addTask { other.add(Layer(left)) }
        }
        #expect(one.graph.order.count == 4)
        #expect(one.composition?.layers.map(\.input) == [left.node.id, right.node.id])
        #expect(other.composition?.layers.map(\.input) == [right.node.id, left.node.id])
    }

    @Test("no change is lost when many tasks connect, add and change at once", arguments: 0..<10)
    func manyTasks(round: Int) async throws {
        let sources = (0..<12).map { TestSource("source \($0)") }
        let filters = sources.map { $0 --> Brightness(0) }
        let picture = Compositor(canvas: PixelSize(16, 16))
        await withTaskGroup(of: Void.self) { group in
            for (index, filter) in filters.enumerated() {
                group.addTask { picture.add(Layer(filter)) }
                group.addTask { sources[(index + 1) % 12] --> NamedSink(label: "\(index)") }
                group.addTask { try? filter.update { $0.brightness = Float(index) / 12 } }
                group.addTask { sources[(index + 5) % 12] --> filter }
            }
        }
        let graph = picture.graph
        #expect(graph.order.count == 37)
        #expect(Set(picture.composition?.layers.map(\.input) ?? []) == Set(filters.map(\.node.id)))
        for (index, filter) in filters.enumerated() {
            #expect(filter.effect.brightness == Float(index) / 12)
            #expect(graph.inputs(of: filter.node.id) == [sources[(index + 5) % 12].node.id])
        }
        #expect(Set(graph.sinks.map(graph.label)) == Set((0..<12).map(String.init)))
    }

    @Test("observers of two wirings get changes after the join, and no changes after they are removed")
    func observers() {
        let (left, right) = (TestSource("left"), TestSource("right"))
        let heard = Mutex<[String]>([])
        let one = left.node.wiring.observe { heard.withLock { $0.append("left") } }
        let other = right.node.wiring.observe { heard.withLock { $0.append("right") } }
        let picture = Compositor { Layer(left) }
        picture.add(Layer(right))
        heard.withLock { $0 = [] }
        picture.add(Layer(left))
        #expect(heard.withLock { $0.sorted() } == ["left", "right"])
        right.node.wiring.removeObserver(one)
        heard.withLock { $0 = [] }
        picture.add(Layer(left))
        #expect(heard.withLock { $0 } == ["right"])
        left.node.wiring.removeObserver(other)
        picture.add(Layer(left))
        #expect(heard.withLock { $0 } == ["right"])
    }

    @Test("the version grows with every change")
    func versions() {
        let source = TestSource()
        let filter = source --> Gamma(2)
        let before = source.node.wiring.snapshot.version
        filter.node.wiring.edit { (graph: inout Graph) throws(Never) in graph.remove(filter.node.id) }
        #expect(source.node.wiring.snapshot.version > before)
        #expect(source.graph[filter.node.id] == nil)
    }

    @Test("a refused parameter changes nothing")
    func refusedParameter() throws {
        let filter = TestSource() --> Brightness(0.25)
        let error = #expect(throws: EffectError.self) { try filter.update { $0.brightness = 3 } }
        #expect(error?.description == "brightness: brightness is 3, but must be -1 to 1")
        #expect(filter.effect.brightness == 0.25)
        #expect(throws: EffectError.self) { try filter.update { $0.brightness = .nan } }
        #expect(filter.effect.brightness == 0.25)
    }
}
