import PipFrames
import Testing

@testable import PipGraph

@Suite("A layer's place")
struct PlacementTests {
    /// Pairs of a content's size and a box's size, whose aspect ratios are equal or different.
    static let pairs: [(PixelSize, PixelSize)] = [
        (PixelSize(1280, 720), PixelSize(320, 180)), (PixelSize(640, 480), PixelSize(320, 180)),
        (PixelSize(720, 1280), PixelSize(320, 180)), (PixelSize(480, 480), PixelSize(320, 180)),
        (PixelSize(1280, 720), PixelSize(180, 320)), (PixelSize(640, 480), PixelSize(180, 320)),
        (PixelSize(720, 1280), PixelSize(180, 320)), (PixelSize(480, 480), PixelSize(180, 320)),
        (PixelSize(1280, 720), PixelSize(200, 200)), (PixelSize(641, 479), PixelSize(201, 199)),
        (PixelSize(720, 1280), PixelSize(200, 200)), (PixelSize(3, 1), PixelSize(200, 200)),
    ]

    private func placement(_ box: PixelSize, _ fit: FitMode, _ position: Placement.Position) -> Placement {
        var placement = Placement()
        placement.position = position
        placement.width = .pixels(box.width)
        placement.height = .pixels(box.height)
        placement.fit = fit
        placement.margin = 10
        return placement
    }

    @Test("fill covers the box with the middle of the picture, undistorted", arguments: pairs)
    func fill(content: PixelSize, box: PixelSize) {
        let (rect, part) = placement(box, .fill, .at(x: -7, y: 13)).resolved(content: content, canvas: .hd720)
        #expect(rect == PixelRect(x: -7, y: 13, width: box.width, height: box.height))
        let boxAspect = Double(box.width) / Double(box.height)
        #expect(abs(part.width / part.height / boxAspect - 1) < 2e-3)
        #expect(abs(part.x * 2 + part.width - Double(content.width)) < 1e-9)
        #expect(abs(part.y * 2 + part.height - Double(content.height)) < 1e-9)
        #expect(part.width == Double(content.width) || part.height == Double(content.height))
        #expect(part.x >= 0 && part.y >= 0)
    }

    @Test(
        "fit shows all of the picture in the middle of the box, undistorted to one chroma sample", arguments: pairs)
    func fit(content: PixelSize, box: PixelSize) {
        let (rect, part) = placement(box, .fit, .at(x: 4, y: 6)).resolved(content: content, canvas: .hd720)
        #expect(part == VisiblePart(x: 0, y: 0, width: Double(content.width), height: Double(content.height)))
        #expect(rect.width == box.width || rect.height == box.height)
        #expect(rect.width <= box.width && rect.height <= box.height)
        let aspect = Double(content.width) / Double(content.height)
        #expect(abs(Double(rect.width) - Double(rect.height) * aspect) <= max(1.01 * aspect, 1.01))
        #expect((0...3).contains(box.width - rect.width - (rect.x - 4) * 2) && rect.x % 2 == 0)
        #expect((0...3).contains(box.height - rect.height - (rect.y - 6) * 2) && rect.y % 2 == 0)
    }

    @Test("stretch shows the whole picture in the whole box", arguments: pairs)
    func stretch(content: PixelSize, box: PixelSize) {
        let (rect, part) = placement(box, .stretch, .at(x: 0, y: 0)).resolved(content: content, canvas: .hd720)
        #expect(rect == box.bounds)
        #expect(part == VisiblePart(x: 0, y: 0, width: Double(content.width), height: Double(content.height)))
    }

    @Test(
        "an anchor puts a layer a margin away from the anchor's edges, and centres it between other edges",
        arguments: Anchor.allCases)
    func anchors(anchor: Anchor) {
        let box = PixelSize(100, 60)
        let canvas = PixelSize(400, 300)
        let rect = placement(box, .stretch, .anchor(anchor)).resolved(content: box, canvas: canvas).rect
        let name = anchor.rawValue
        #expect(rect.x == (name.hasSuffix("left") ? 10 : name.hasSuffix("right") ? 400 - 110 : 150))
        #expect(rect.y == (name.hasPrefix("top") ? 10 : name.hasPrefix("bottom") ? 300 - 70 : 120))
    }

    @Test("one length keeps the picture's aspect ratio, and no length fills the canvas")
    func lengths() {
        var placement = Placement()
        #expect(placement.resolved(content: PixelSize(4, 3), canvas: .hd720).rect == PixelSize.hd720.bounds)
        placement.width = .fraction(0.25)
        #expect(placement.resolved(content: PixelSize(640, 480), canvas: .hd720).rect.size == PixelSize(320, 240))
        placement.width = nil
        placement.height = .fraction(0.5)
        #expect(placement.resolved(content: PixelSize(640, 480), canvas: .hd720).rect.size == PixelSize(480, 360))
        // The exact size is 192 by 144.28.
        (placement.width, placement.height) = (.pixels(192), nil)
        #expect(placement.resolved(content: PixelSize(511, 384), canvas: .hd720).rect.size == PixelSize(192, 144))
        #expect(placement.resolved(content: PixelSize(191, 141), canvas: .hd720).rect.size == PixelSize(192, 142))
        (placement.width, placement.height) = (nil, .pixels(31))
        #expect(placement.resolved(content: PixelSize(1, 1000), canvas: .hd720).rect.size == PixelSize(1, 31))
    }

    @Test("a picture without a length keeps its size, also when it is larger than the canvas")
    func ownSize() {
        var placement = Placement()
        placement.position = .anchor(.bottomRight)
        (placement.width, placement.height, placement.margin) = (.own, .own, 10)
        let small = placement.resolved(content: PixelSize(31, 17), canvas: PixelSize(100, 80))
        #expect(small.rect == PixelRect(x: 59, y: 53, width: 31, height: 17))
        #expect(small.visible == VisiblePart(x: 0, y: 0, width: 31, height: 17))
        let large = placement.resolved(content: PixelSize(131, 17), canvas: PixelSize(100, 80))
        #expect(large.rect == PixelRect(x: -41, y: 53, width: 131, height: 17))
        placement.height = nil
        #expect(placement.resolved(content: PixelSize(31, 17), canvas: .hd720).rect.size == PixelSize(31, 17))
    }

    @Test("a share of the canvas is even", arguments: [0.1, 0.25, 0.3333, 0.5, 1, 0.0001])
    func shares(share: Double) {
        for whole in [1280, 127, 71, 640] {
            let pixels = Length.fraction(share).pixels(of: whole)
            #expect(pixels % 2 == 0 && pixels >= 2)
            #expect(abs(Double(pixels) - Double(whole) * share) <= 2)
        }
    }
}
