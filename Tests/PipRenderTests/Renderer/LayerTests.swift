import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPlan
import PipTestSupport
import Testing

@Suite("Layers against a compositor in Double", .serialized)
struct LayerTests {
    static let canvasFormats: [PixelFormat] = [.rgba, .nv12]
    static let allFormats: [PixelFormat] = [.rgba, .nv12, .i420]
    private let background = Color(red: 0.25, green: 0.5, blue: 0.375)

    /// Compares scenes drawn by the pipeline with scenes drawn by the reference.
    private func compare(
        _ scenes: [LayerScene], size: PixelSize, format: PixelFormat, tolerance: (first: Double, chroma: Double),
        fuses: Bool = true, light: Compositor.Light = .encoded,
        capabilities change: @Sendable (inout PlanCapabilities) -> Void = { _ in }
    ) async throws {
        let picture = Compositor(canvas: size, background: background, light: light) {
            for scene in scenes { scene.layer }
        }
        let frame = try await rendered(
            picture, scenes.map(\.source), to: format, colorimetry: .bt709, fuses: fuses,
            on: try await SharedContext.get(), capabilities: change)
        var reference = ReferenceCompositor(
            size, format: format, colorimetry: .bt709, background: background, light: light)
        reference.draw(scenes)
        let worst = reference.difference(frame)
        let slack = hardwareSlack(try await SharedContext.get())
        #expect(
            worst.first <= tolerance.first + slack && worst.chroma <= tolerance.chroma + slack, "\(worst.places)")
    }

    private func main(_ format: PixelFormat, _ size: PixelSize) -> LayerScene {
        LayerScene(source: TestSource(testPicture(format, size, seed: 4)), rect: size.bounds)
    }

    private func inset(_ rect: PixelRect, _ format: PixelFormat = .nv12) -> LayerScene {
        LayerScene(source: TestSource(testPicture(format, PixelSize(48, 32), seed: 1)), rect: rect)
    }

    @Test(
        "an empty canvas has the background", arguments: canvasFormats,
        [PixelSize(127, 71), PixelSize(64, 36), PixelSize(1, 1), PixelSize(3, 5)])
    func emptyCanvas(format: PixelFormat, size: PixelSize) async throws {
        let frame = try await rendered(
            Compositor(canvas: size, background: background), [], to: format, on: try await SharedContext.get())
        let reference = ReferenceCompositor(size, format: format, colorimetry: .bt709, background: background)
        let worst = reference.difference(frame)
        #expect(max(worst.first, worst.chroma) <= 0.51, "\(worst.places)")
    }

    static let rects = [
        PixelRect(x: 8, y: 4, width: 48, height: 32), PixelRect(x: 13, y: 7, width: 31, height: 21),
        PixelRect(x: -17, y: -9, width: 48, height: 32), PixelRect(x: 50, y: 26, width: 48, height: 32),
        PixelRect(x: 62, y: 34, width: 5, height: 5), PixelRect(x: 1, y: 1, width: 1, height: 1),
        PixelRect(x: 20, y: 10, width: 24, height: 16), PixelRect(x: -10, y: -10, width: 80, height: 60),
        PixelRect(x: 3, y: 30, width: 96, height: 64),
    ]

    @Test("an inset fills its rectangle on a canvas of odd size", arguments: rects, canvasFormats)
    func position(rect: PixelRect, format: PixelFormat) async throws {
        let size = PixelSize(63, 35)
        try await compare([main(.nv12, size), inset(rect)], size: size, format: format, tolerance: (1.01, 1.01))
    }

    @Test(
        "an inset fills its rectangle on a canvas of even size", arguments: rects, [PixelFormat.i420])
    func positionEven(rect: PixelRect, format: PixelFormat) async throws {
        let size = PixelSize(64, 36)
        let bottom = main(format == .rgba ? .rgbx : format, size)
        try await compare([bottom, inset(rect)], size: size, format: format, tolerance: (1.01, 1.01))
    }

    @Test("a layer is rotated and mirrored", arguments: Orientation.allCases, canvasFormats)
    func orientation(orientation: Orientation, format: PixelFormat) async throws {
        var scene = inset(PixelRect(x: 10, y: 6, width: 36, height: 40))
        scene.orientation = orientation
        try await compare([scene], size: PixelSize(64, 60), format: format, tolerance: (1, 1.01))
    }

    @Test(
        "a layer shows its crop",
        arguments: [PixelRect(x: 8, y: 8, width: 16, height: 16), PixelRect(x: 3, y: 5, width: 29, height: 17)],
        canvasFormats)
    func crop(crop: PixelRect, format: PixelFormat) async throws {
        var scene = inset(PixelRect(x: 10, y: 6, width: 32, height: 32))
        scene.crop = crop
        try await compare([scene], size: PixelSize(64, 48), format: format, tolerance: (1.01, 1.01))
    }

    @Test("opacity mixes a layer with the layers below", arguments: [0.0, 0.25, 0.8, 1], canvasFormats)
    func opacity(opacity: Double, format: PixelFormat) async throws {
        let size = PixelSize(53, 37)
        var scene = inset(PixelRect(x: 9, y: 3, width: 40, height: 30))
        scene.opacity = opacity
        try await compare([main(.nv12, size), scene], size: size, format: format, tolerance: (2, 2))
    }

    @Test("corners are round, however large the radius", arguments: [1.0, 7.5, 500], canvasFormats)
    func corners(radius: Double, format: PixelFormat) async throws {
        let size = PixelSize(53, 37)
        var scene = inset(PixelRect(x: 9, y: 3, width: 40, height: 30))
        scene.radius = radius
        try await compare([main(.nv12, size), scene], size: size, format: format, tolerance: (2, 2))
    }

    @Test(
        "a border lies along the inside of the edge",
        arguments: [Color.white, Color(red: 1, green: 0.5, blue: 0, alpha: 0.5)], canvasFormats)
    func border(color: Color, format: PixelFormat) async throws {
        let size = PixelSize(53, 37)
        var scene = inset(PixelRect(x: 9, y: 3, width: 40, height: 30))
        scene.border = (3, color)
        try await compare([main(.nv12, size), scene], size: size, format: format, tolerance: (2, 2))
        scene.radius = 8
        try await compare([main(.nv12, size), scene], size: size, format: format, tolerance: (2, 2))
    }

    @Test("a shadow lies below a layer and fades", arguments: [0.0, 6, 20], canvasFormats)
    func shadow(blur: Double, format: PixelFormat) async throws {
        let size = PixelSize(77, 57)
        var scene = inset(PixelRect(x: 29, y: 23, width: 40, height: 30))
        scene.shadow = LayerLook.Shadow(blur: blur, offset: 5, opacity: 0.7)
        scene.radius = 6
        try await compare([main(.nv12, size), scene], size: size, format: format, tolerance: (2, 2))
        scene.opacity = 0.5
        try await compare([main(.nv12, size), scene], size: size, format: format, tolerance: (2, 2))
    }

    @Test(
        "a picture with alpha shows the layer below, with a border and without", arguments: canvasFormats,
        [false, true])
    func alpha(format: PixelFormat, hasBorder: Bool) async throws {
        let size = PixelSize(53, 37)
        let source = TestSource(ConversionTests.translucent(.rgba, PixelSize(20, 15)))
        var scene = LayerScene(source: source, rect: PixelRect(x: 9, y: 3, width: 40, height: 30))
        if hasBorder { scene.border = (4, Color(red: 1, green: 1, blue: 0, alpha: 0.5)) }
        try await compare([main(.nv12, size), scene], size: size, format: format, tolerance: (2, 2))
    }

    /// Random scenes with random orientations, opacities, corners, borders, shadows and orders.
    private func randomScenes(_ dice: inout Dice, on size: PixelSize) -> [LayerScene] {
        let formats: [PixelFormat] = [.nv12, .i420, .yuyv, .nv16, .rgbx, .bgr24, .gray, .rgba]
        return (0..<Int.random(in: 1...4, using: &dice)).map { index in
            let format = formats.randomElement(using: &dice) ?? .nv12
            let content = PixelSize(.random(in: 1...70, using: &dice), .random(in: 1...50, using: &dice))
            let frame =
                format == .rgba
                ? ConversionTests.translucent(.rgba, content)
                : testPicture(format, content, seed: index, colorimetry: Bool.random(using: &dice) ? .bt709 : .jpeg)
            var scene = LayerScene(
                source: TestSource(frame),
                rect: PixelRect(
                    x: .random(in: -30...size.width, using: &dice), y: .random(in: -30...size.height, using: &dice),
                    width: .random(in: 1...90, using: &dice), height: .random(in: 1...70, using: &dice)))
            if Bool.random(using: &dice) {
                scene.orientation = Orientation.allCases.randomElement(using: &dice) ?? .identity
            }
            if Bool.random(using: &dice) { scene.opacity = .random(in: 0...1, using: &dice) }
            if Bool.random(using: &dice) { scene.radius = .random(in: 0...30, using: &dice) }
            if Int.random(in: 0..<3, using: &dice) == 0 {
                scene.border = (
                    .random(in: 0...5, using: &dice),
                    Color(red: 1, green: 0.5, blue: 0.2, alpha: .random(in: 0...1, using: &dice))
                )
            }
            if Int.random(in: 0..<3, using: &dice) == 0 {
                scene.shadow = LayerLook.Shadow(
                    blur: .random(in: 0...12, using: &dice), offset: .random(in: -8...8, using: &dice),
                    opacity: .random(in: 0...1, using: &dice))
            }
            scene.z = .random(in: -1...1, using: &dice)
            return scene
        }
    }

    @Test("random scenes are drawn as the reference draws them", arguments: 0..<18)
    func random(seed: Int) async throws {
        var dice = Dice(seed + 1000)
        let size = PixelSize(.random(in: 1...70, using: &dice), .random(in: 1...45, using: &dice))
        let format = Self.allFormats[seed % 3]
        // The GPU may round each layer twice: its weight and its sum.
        try await compare(randomScenes(&dice, on: size), size: size, format: format, tolerance: (3, 3))
    }

    @Test("in linear light, layers mix as their decoded colours do", arguments: 0..<12, [true, false])
    func linear(seed: Int, fuses: Bool) async throws {
        var dice = Dice(seed + 3000)
        let size = PixelSize(.random(in: 1...70, using: &dice), .random(in: 1...45, using: &dice))
        let scenes = randomScenes(&dice, on: size)
        try await compare(scenes, size: size, format: .rgba, tolerance: (1.51, 0), fuses: fuses, light: .linear)
    }

    @Test("random scenes are drawn the same without per-sample blending", arguments: 0..<6)
    func randomUnpacked(seed: Int) async throws {
        var dice = Dice(seed + 2000)
        let size = PixelSize(.random(in: 1...70, using: &dice), .random(in: 1...45, using: &dice))
        try await compare(
            randomScenes(&dice, on: size), size: size, format: Self.allFormats[seed % 3], tolerance: (3, 3)
        ) { $0.hasDualSourceBlending = false }
    }
}
