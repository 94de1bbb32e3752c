import PipEffects
import PipFrames
import PipGraph
import PipTestSupport
import Testing

@Suite("A compositor")
struct CompositorTests {
    let back = TestSource("back")
    let front = TestSource("front")

    @Test("draws layers by z, and layers with equal z in the given order")
    func order() {
        let picture = Compositor {
            Layer(back).raised(to: 1)
            Layer(front)
            Layer(back).raised(to: -3)
            Layer(front).raised(to: 1)
        }
        let layers = picture.layers
        #expect(picture.composition?.drawingOrder.map(\.id) == [2, 1, 0, 3].map { layers[$0].id })
    }

    @Test("exchanges the pictures of two layers, and keeps the layers' places and looks")
    func swap() throws {
        let picture = Compositor { Layer(back) }
        let main = picture.layers[0]
        let inset = picture.add(Layer(front).placed(.topRight, width: 0.25).rounded(8))
        #expect(picture.layers == [main, inset])
        try picture.swap(main, inset)
        let layers = picture.composition?.layers ?? []
        #expect(layers.map(\.input) == [front.node.id, back.node.id])
        #expect(layers.map(\.placement.width) == [nil, .fraction(0.25)])
        #expect(layers.map(\.look.cornerRadius) == [0, 8])
        try picture.swap(inset, main)
        #expect(picture.composition?.layers.map(\.input) == [back.node.id, front.node.id])
    }

    @Test("changes and removes a layer")
    func edit() throws {
        let picture = Compositor { Layer(back) }
        let inset = picture.add(Layer(front))
        try inset.update { $0.look.opacity = 0.5 }
        #expect(picture.composition?.layers.map(\.look.opacity) == [1, 0.5])
        #expect(inset.record?.look.opacity == 0.5)
        try picture.layers[0].remove()
        #expect(picture.layers == [inset])
    }

    @Test("a layer that was removed, of another compositor or undrawable is refused with an error message")
    func misuse() throws {
        let picture = Compositor(canvas: .hd720) { Layer(back) }
        let other = Compositor(canvas: .hd720) { Layer(front) }
        let (own, foreign) = (picture.layers[0], other.layers[0])
        var error = #expect(throws: GraphError.self) { try picture.swap(own, foreign) }
        #expect(error == .foreignLayer(node: "compositor 1280x720"))
        #expect(error?.description.contains("does not belong to compositor") == true)
        error = #expect(throws: GraphError.self) { try own.update { $0.look.opacity = 7 } }
        #expect(error?.description == "compositor 1280x720: a layer's opacity is 7.0, but must be 0 to 1")
        #expect(own.record?.look.opacity == 1)
        try own.remove()
        #expect(own.record == nil)
        for misuse in [{ try own.remove() }, { try own.update { $0.z = 1 } }] as [() throws -> Void] {
            error = #expect(throws: GraphError.self) { try misuse() }
            #expect(error == .removedLayer(node: "compositor 1280x720"))
        }
    }

    @Test("one layer value may be added any number of times")
    func reuse() {
        let layer = Layer(back).placed(.topRight, width: 0.25)
        let picture = Compositor { for _ in 0..<3 { layer } }
        #expect(Set(picture.layers).count == 3)
    }

    @Test("arranges layers, keeps their rotation, crop and fit, and disables layers without a place")
    func arrange() {
        let crop = PixelRect(x: 2, y: 2, width: 8, height: 8)
        let picture = Compositor(canvas: PixelSize(101, 60)) {
            Layer(back).oriented(.mirrored)
            Layer(front).cropped(crop).fitted(.fit)
            Layer(back)
        }
        picture.arrange(.mainOnly)
        #expect(picture.composition?.layers.map(\.isEnabled) == [true, false, false])
        picture.arrange(.sideBySide)
        let layers = picture.composition?.layers ?? []
        #expect(layers.map(\.isEnabled) == [true, true, true])
        #expect(layers.map(\.placement.orientation) == [.mirrored, .identity, .identity])
        #expect(layers.map(\.placement.crop) == [nil, crop, nil])
        #expect(layers.map(\.placement.fit) == [.fill, .fit, .fill])
        #expect(
            layers.map { $0.placement.resolved(content: PixelSize(34, 60), canvas: PixelSize(101, 60)).rect.x }
                == [0, 32, 66])
    }

    @Test("arranges layers on a canvas whose size is not known yet")
    func arrangeUnknownCanvas() {
        let picture = Compositor {
            Layer(back)
            Layer(front)
        }
        picture.arrange(.sideBySide)
        let canvas = PixelSize(64, 48)
        let rects = picture.composition?.layers.map { $0.placement.resolved(content: canvas, canvas: canvas).rect }
        #expect(rects == [PixelRect(x: 0, y: 0, width: 32, height: 48), PixelRect(x: 32, y: 0, width: 32, height: 48)])
    }

    @Test(
        "cells cover the canvas without gap or overlap", arguments: [Layout.sideBySide, .topBottom, .grid],
        [PixelSize(1280, 720), PixelSize(127, 71), PixelSize(64, 64)])
    func cells(layout: Layout, canvas: PixelSize) {
        for count in 1...9 {
            let rects = layout.placements(count: count).compactMap {
                $0?.resolved(content: .hd720, canvas: canvas).rect
            }
            #expect(rects.count == count)
            var area = 0
            for (index, rect) in rects.enumerated() {
                #expect(canvas.bounds.contains(rect) && !rect.isEmpty)
                #expect(rect.x % 2 == 0 && rect.y % 2 == 0)
                #expect(rects[..<index].allSatisfy { $0.intersection(rect).isEmpty })
                area += rect.size.area
            }
            let isFull = layout != .grid || [1, 2, 4, 6, 9].contains(count)
            #expect(isFull ? area == canvas.area : area < canvas.area)
        }
    }

    @Test("places up to four insets in different corners")
    func insets() {
        let places = Layout.pictureInPicture.placements(count: 5).compactMap(\.self)
        #expect(places[0] == .full)
        let rects = places.dropFirst().map { $0.resolved(content: .hd720, canvas: .hd720).rect }
        #expect(
            rects.map { [$0.x, $0.y] } == [[936, 24], [936, 720 - 24 - 180], [24, 720 - 24 - 180], [24, 24]])
        #expect(rects.allSatisfy { $0.size == PixelSize(320, 180) })
    }

    @Test("layouts and colours are found by their names")
    func names() {
        #expect(Layout(rawValue: "side-by-side") == .sideBySide)
        #expect(Color(named: "White") == .white)
        #expect(Color(named: "#ff800040") == Color(red: 1, green: 128.0 / 255, blue: 0, alpha: 64.0 / 255))
        #expect(Color(named: "#ff8000")?.alpha == 1)
        for text in ["", "#", "#12345", "#gggggg", "#+12345", "whit"] { #expect(Color(named: text) == nil) }
    }
}
