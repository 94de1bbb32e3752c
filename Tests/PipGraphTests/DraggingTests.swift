import PipFrames
import PipGraph
import Testing

@Suite("A layer that is dragged")
struct DraggingTests {
    private static let content = PixelSize(640, 480)
    private static let canvas = PixelSize(1280, 720)

    private func inset(_ position: Placement.Position = .anchor(.topRight)) -> Placement {
        var placement = Placement()
        placement.position = position
        placement.width = .fraction(0.25)
        placement.margin = 24
        return placement
    }

    private func rect(_ placement: Placement) -> PixelRect {
        placement.resolved(content: Self.content, canvas: Self.canvas).rect
    }

    private func dragged(_ placement: Placement, _ x: Int, _ y: Int, reach: Int = 16) -> Placement {
        placement.dragged(toX: x, y: y, content: Self.content, canvas: Self.canvas, reach: reach)
    }

    @Test("a dragged layer keeps its size, on even pixels")
    func moves() {
        let moved = dragged(inset(), 301, 155)
        #expect(moved.position == .at(x: 300, y: 154))
        #expect(rect(moved) == PixelRect(x: 300, y: 154, width: 320, height: 240))
    }

    @Test("a layer that is dragged near an anchor takes the anchor", arguments: Anchor.allCases)
    func snaps(to anchor: Anchor) {
        let place = rect(inset(.anchor(anchor)))
        for (dx, dy) in [(0, 0), (14, -14), (-16, 16)] {
            let moved = dragged(inset(.at(x: 300, y: 154)), place.x + dx, place.y + dy)
            #expect(moved.position == .anchor(anchor), "\(dx), \(dy)")
        }
        #expect(dragged(inset(), place.x + 20, place.y, reach: 4).position != .anchor(anchor))
        #expect(dragged(inset(), place.x, place.y, reach: 0).position == .at(x: place.x, y: place.y))
    }

    @Test("a dragged layer stays on the canvas", arguments: [(-500, -500), (5000, 5000), (5000, -3), (-3, 5000)])
    func stays(x: Int, y: Int) {
        let moved = dragged(inset(), x, y)
        #expect(Self.canvas.bounds.contains(rect(moved)))
        #expect(moved.position == .at(x: x < 0 ? 0 : 960, y: y < 0 ? 0 : 480))
    }

    @Test("a layer larger than the canvas keeps covering the canvas")
    func large() {
        var large = inset()
        (large.width, large.height) = (.pixels(2000), .pixels(1000))
        #expect(rect(dragged(large, 100, 100, reach: 0)).contains(Self.canvas.bounds))
        #expect(rect(dragged(large, -3000, -3000, reach: 0)).contains(Self.canvas.bounds))
        (large.width, large.height) = (.pixels(1283), .pixels(721))
        #expect(rect(dragged(large, -3000, -3000, reach: 0)).contains(Self.canvas.bounds))
    }

    @Test("within a box of another shape, the visible picture is dragged")
    func fitted() {
        var boxed = inset(.at(x: 0, y: 0))
        (boxed.width, boxed.height, boxed.fit) = (.pixels(600), .pixels(200), .fit)
        let before = rect(boxed)
        #expect(before.width < 300)
        let after = rect(dragged(boxed, 500, 300, reach: 0))
        #expect(after == PixelRect(x: 500, y: 300, width: before.width, height: before.height))
    }

    @Test("a layer that is dragged out of a cell keeps the cell's size")
    func cell() {
        let cell = Placement.Cell(column: 1, row: 0, columns: 2, rows: 1)
        var placement = Placement()
        placement.position = .cell(cell)
        let moved = dragged(placement, 100, 0, reach: 0)
        #expect(rect(moved) == PixelRect(x: 100, y: 0, width: 640, height: 720))
    }

    @Test("a layer that is resized by its corner keeps its shape and anchor, and follows the canvas's size")
    func resizes() {
        let large = inset().resized(toWidth: 640, content: Self.content, canvas: Self.canvas)
        #expect(rect(large) == PixelRect(x: 1280 - 24 - 640, y: 24, width: 640, height: 480))
        #expect(large.width == .fraction(0.5))
        let smallest = inset().resized(toWidth: -5, content: Self.content, canvas: Self.canvas)
        #expect(rect(smallest).width == 16)
        let largest = inset().resized(toWidth: 99999, content: Self.content, canvas: Self.canvas)
        #expect(rect(largest).width == 1280)
    }

    @Test("a box that is resized by its corner keeps its own shape")
    func resizesBoxes() {
        var boxed = inset(.at(x: 10, y: 20))
        (boxed.width, boxed.height, boxed.fit) = (.pixels(400), .pixels(100), .stretch)
        let large = boxed.resized(toWidth: 800, content: Self.content, canvas: Self.canvas)
        #expect(rect(large) == PixelRect(x: 10, y: 20, width: 800, height: 200))
        let cell = Placement.Cell(column: 1, row: 1, columns: 2, rows: 2)
        var placement = Placement()
        placement.position = .cell(cell)
        let small = placement.resized(toWidth: 320, content: Self.content, canvas: Self.canvas)
        #expect(rect(small) == PixelRect(x: 640, y: 360, width: 320, height: 180))
    }
}
