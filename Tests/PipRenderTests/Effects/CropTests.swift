import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPlan
import PipTestSupport
import Testing

@Suite("Crop", .serialized)
struct CropTests {
    private func pixels(
        _ producer: some FrameProducer, _ source: TestSource, fuses: Bool = true
    ) async throws -> PixelGrid {
        PixelGrid(
            try await rendered(producer, [source], to: .rgba, fuses: fuses, on: try await SharedContext.get()))
    }

    /// The part of a picture within a rectangle, in pixels.
    private func part(_ grid: PixelGrid, _ rect: PixelRect) -> PixelGrid {
        PixelGrid(rect.size) { grid.at(rect.x + $0, rect.y + $1) }
    }

    private func expect(_ drawn: PixelGrid, _ wanted: PixelGrid, within steps: Double = 0.01) {
        #expect(drawn.size == wanted.size)
        let worst =
            zip(drawn.pixels, wanted.pixels).map { (pair: (PixelGrid.Pixel, PixelGrid.Pixel)) -> Double in
                let away = (pair.0 - pair.1) * 255
                return max(abs(away.x), abs(away.y), abs(away.z))
            }.max() ?? 0
        #expect(worst <= steps)
    }

    static let crop = Crop(x: 0.25, y: 0.5, width: 0.5, height: 0.25)

    @Test("keeps the pixels of its rectangle, and the picture gets the rectangle's size", arguments: [true, false])
    func leavesPart(fuses: Bool) async throws {
        let source = TestSource(testPicture(.rgbx, PixelSize(40, 24)))
        let drawn = try await pixels(source --> Self.crop, source, fuses: fuses)
        expect(drawn, part(PixelGrid(source.frame), PixelRect(x: 10, y: 12, width: 20, height: 6)))
    }

    @Test("a crop is rotated with its source", arguments: Orientation.allCases)
    func turns(orientation: Orientation) async throws {
        let frame = testPicture(.rgbx, PixelSize(40, 24))
        let source = TestSource(frame, orientation: orientation)
        let whole = try await pixels(source, source)
        let size = whole.size
        let rect = PixelRect(x: size.width / 4, y: size.height / 2, width: size.width / 2, height: size.height / 4)
        expect(try await pixels(source --> Self.crop, source), part(whole, rect))
    }

    @Test("effects before a crop read beyond its edge", arguments: [true, false])
    func afterBlur(fuses: Bool) async throws {
        let source = TestSource(testPicture(.nv12, PixelSize(40, 24)))
        let blurred = try await pixels(source --> GaussianBlur(radius: 3) --> Vignette(strength: 1), source)
        let drawn = try await pixels(
            source --> GaussianBlur(radius: 3) --> Vignette(strength: 1) --> Self.crop, source, fuses: fuses)
        expect(drawn, part(blurred, PixelRect(x: 10, y: 12, width: 20, height: 6)), within: 1.01)
    }

    @Test("effects after a crop read only its pixels", arguments: [true, false])
    func beforeBlur(fuses: Bool) async throws {
        let source = TestSource(testPicture(.rgbx, PixelSize(40, 24)))
        let drawn = try await pixels(source --> Self.crop --> BoxBlur(radius: 2), source, fuses: fuses)
        let wanted = part(PixelGrid(source.frame), PixelRect(x: 10, y: 12, width: 20, height: 6))
            .weighed(across: ImageEffectCases.box(2), down: ImageEffectCases.box(2))
        expect(drawn, wanted, within: 1.5)
    }

    @Test("a crop of a crop takes a part of the part")
    func twice() async throws {
        let source = TestSource(testPicture(.rgbx, PixelSize(40, 24)))
        let twice = source --> Self.crop --> Crop(x: 0.5, y: 0, width: 0.5, height: 0.5)
        expect(
            try await pixels(twice, source),
            part(PixelGrid(source.frame), PixelRect(x: 20, y: 12, width: 10, height: 3)))
        let around = source --> Self.crop --> Mirror() --> Crop(x: 0.5, y: 0, width: 0.5, height: 0.5)
        let wanted = part(PixelGrid(source.frame), PixelRect(x: 10, y: 12, width: 10, height: 3))
        expect(try await pixels(around, source), PixelGrid(wanted.size) { wanted.at(9 - $0, $1) })
    }

    @Test("costs no pass of its own on a source, and leaves at least one pixel")
    func costs() async throws {
        let source = TestSource(testPicture(.nv12, PixelSize(40, 24)))
        let plan = try planned(
            source --> Self.crop --> Saturation(0.5), [source], to: SinkRequest(format: .rgba),
            capabilities: PlanCapabilities())
        #expect(plan.passes.count == 1)
        let corner = try await pixels(source --> Crop(x: 1, y: 1, width: 0.001, height: 0.001), source)
        #expect(corner.size == PixelSize(1, 1))
    }
}
