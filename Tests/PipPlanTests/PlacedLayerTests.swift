import PipEffects
import PipFrames
import PipGraph
import Testing

@testable import PipPlan

@Suite("The layer at a point")
struct PlacedLayerTests {
    private let main = TestSource("main")
    private let other = TestSource("other")
    private static let mainSize = PixelSize(1280, 720)
    private static let otherSize = PixelSize(640, 480)

    /// The layer and source at a point of a compositor's canvas; nil if there is none.
    private func hit(_ compositor: Compositor, _ x: Double, _ y: Double) throws -> PointHit? {
        let plan = try plan(compositor, [(main, .nv12, Self.mainSize), (other, .nv12, Self.otherSize)])
        let drawn = DrawnGraph(compositor.node.wiring.graph, plan: plan)
        return PointHit(x: x, y: y, of: compositor.node.id, in: drawn)
    }

    private func layer(_ orientation: Orientation, _ fit: FitMode) -> Layer {
        var placement = Placement()
        placement.position = .at(x: 100, y: 50)
        (placement.width, placement.height) = (.pixels(400), .pixels(200))
        (placement.fit, placement.orientation) = (fit, orientation)
        return Layer(other).placed(placement)
    }

    @Test(
        "a hit has the same point of its source, whatever the rotation, mirroring and fit",
        arguments: Orientation.allCases, FitMode.allCases)
    func point(orientation: Orientation, fit: FitMode) throws {
        let compositor = Compositor(canvas: Self.mainSize) {
            Layer(main)
            layer(orientation, fit)
        }
        let inset = compositor.layers[1]
        let content = orientation.size(of: Self.otherSize)
        let (rect, part) = try #require(inset.record).placement.resolved(content: content, canvas: Self.mainSize)
        let (x, y) = (Double(rect.x) + Double(rect.width) / 2, Double(rect.y) + Double(rect.height) / 2)
        // The layer's centre shows the source's centre. The rotation decides where a point right of the centre lies.
        let middle = try #require(try hit(compositor, x, y))
        #expect(middle.layer == inset.id && middle.source == other.node.id)
        #expect(abs(middle.x - 0.5) < 1e-9 && abs(middle.y - 0.5) < 1e-9)
        let right = try #require(try hit(compositor, x + 30, y))
        let wanted = orientation.storedPoint(x: 1, y: 0.5)
        #expect((right.x - 0.5) * (wanted.x - 0.5) >= 0 && (right.y - 0.5) * (wanted.y - 0.5) >= 0)
        let (dx, dy) = (abs(right.x - 0.5), abs(right.y - 0.5))
        #expect(min(dx, dy) < 1e-9)
        // The expected distance is 30 canvas pixels, as a share of the source's side that is horizontal on the canvas.
        let share = 30 / Double(rect.width) * part.width / Double(content.width)
        #expect(abs(max(dx, dy) - share) < 1e-6)
    }

    @Test(
        "O14: a canvas point that is mapped to its source and back is the same point", arguments: Orientation.allCases,
        FitMode.allCases)
    func roundTrip(orientation: Orientation, fit: FitMode) throws {
        let compositor = Compositor(canvas: Self.mainSize) {
            Layer(main).oriented(orientation).fitted(fit)
            layer(orientation, fit)
        }
        let plan = try plan(compositor, [(main, .nv12, Self.mainSize), (other, .nv12, Self.otherSize)])
        let drawn = DrawnGraph(compositor.node.wiring.graph, plan: plan)
        var found: Set<NodeID> = []
        for x in stride(from: 3.25, to: 1280, by: 41.5) {
            for y in stride(from: 2.75, to: 720, by: 33.5) {
                guard let hit = PointHit(x: x, y: y, of: compositor.node.id, in: drawn),
                    let source = hit.source
                else { continue }
                found.insert(source)
                let points = ShownPoint.all(
                    x: hit.x, y: hit.y, of: source, on: compositor.node.id, in: drawn)
                let back = try #require(points.last { $0.layer == hit.layer })
                #expect(abs(back.x - x) < 1e-6 && abs(back.y - y) < 1e-6)
            }
        }
        #expect(found == [main.node.id, other.node.id])
        // A cropped point of the source has no point on the canvas.
        let edge = ShownPoint.all(x: 0.001, y: 0.001, of: other.node.id, on: compositor.node.id, in: drawn)
        #expect(edge.isEmpty == (fit == .fill))
    }

    @Test("O14: a source's point is found through an inner compositor, and once for each layer")
    func backThroughCompositors() throws {
        let inner = Compositor(canvas: PixelSize(400, 400)) {
            Layer(main).placed(x: 0, y: 0, width: 400, height: 200).fitted(.stretch)
        }
        let outer = Compositor(canvas: Self.mainSize) {
            Layer(main)
            Layer(inner).placed(x: 100, y: 100, width: 200, height: 200)
        }
        let plan = try plan(outer, [(main, .nv12, Self.mainSize)])
        let drawn = DrawnGraph(outer.node.wiring.graph, plan: plan)
        let points = ShownPoint.all(x: 0.5, y: 0.25, of: main.node.id, on: outer.node.id, in: drawn)
        #expect(points.map(\.layer) == outer.layers.map(\.id))
        #expect(points.map { [$0.x, $0.y] } == [[640, 180], [200, 125]])
    }

    @Test("a hit is on the uppermost layer, but on the layer below beside it and at its rounded corners")
    func uppermost() throws {
        let compositor = Compositor(canvas: Self.mainSize) {
            Layer(main)
            Layer(other).placed(x: 800, y: 100, width: 400, height: 300).rounded(100)
        }
        let layers = compositor.layers
        #expect(try hit(compositor, 1000, 200)?.layer == layers[1].id)
        #expect(try hit(compositor, 799, 200)?.layer == layers[0].id)
        #expect(try hit(compositor, 805, 105)?.layer == layers[0].id)
        #expect(try hit(compositor, 830, 131)?.layer == layers[1].id)
        #expect(try hit(compositor, 1280, 200) == nil)
        #expect(try hit(compositor, -1, 200) == nil)
    }

    @Test("a hit has the outer compositor's layer, and the inner compositor's source")
    func nested() throws {
        let inner = Compositor(canvas: PixelSize(400, 400)) {
            Layer(main).placed(x: 0, y: 0, width: 400, height: 200).fitted(.stretch)
            Layer(other).placed(x: 0, y: 200, width: 400, height: 200).fitted(.stretch)
        }
        let outer = Compositor(canvas: Self.mainSize) {
            Layer(main)
            Layer(inner).placed(x: 100, y: 100, width: 200, height: 200)
        }
        let found = try #require(try hit(outer, 150, 250))
        #expect(found.layer == outer.layers[1].id && found.source == other.node.id)
        #expect(abs(found.x - 0.25) < 1e-9 && abs(found.y - 0.5) < 1e-9)
        #expect(try hit(outer, 150, 120)?.source == main.node.id)
    }

    @Test("a hit maps through effects that mirror, and through crops")
    func effects() throws {
        var placement = Placement()
        placement.position = .at(x: 0, y: 0)
        (placement.width, placement.height, placement.fit) = (.pixels(640), .pixels(480), .stretch)
        placement.crop = PixelRect(x: 320, y: 0, width: 320, height: 480)
        let compositor = Compositor(canvas: Self.mainSize) {
            Layer(other --> Mirror() --> Sepia()).placed(placement)
        }
        let found = try #require(try hit(compositor, 160, 120))
        #expect(found.source == other.node.id)
        // The point lies a quarter from the left of the mirrored right half.
        #expect(abs(found.x - 0.875) < 1e-9 && abs(found.y - 0.25) < 1e-9)
    }

    @Test("hit testing leaves equal graphs equal plans, also with effects of the whole picture")
    func equalPlans() throws {
        let compositor = Compositor(canvas: Self.mainSize) {
            Layer(main)
            Layer(other).placed(x: 800, y: 100, width: 400, height: 300)
        }
        let whole = compositor --> Sepia()
        whole --> NamedSink()
        let graph = whole.node.wiring.graph
        func planned() throws -> RenderPlan {
            let sources = [(main, Self.mainSize), (other, Self.otherSize)].map { source, size in
                (source.node.id, SourceFormat(layout: FrameLayout(.nv12, size), colorimetry: .bt709))
            }
            let sinks = graph.sinks.map { ($0, SinkRequest(format: .nv12)) }
            return try Planner.plan(
                PlanInput(
                    graph: graph, sources: Dictionary(uniqueKeysWithValues: sources),
                    sinks: Dictionary(uniqueKeysWithValues: sinks), capabilities: PlanCapabilities()))
        }
        let plan = try planned()
        #expect(try planned() == plan)
        #expect(Set(plan.layers.keys) == Set(compositor.layers.map(\.id)))
    }
}
