import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPlan
import PipTestSupport

/// The shapes of layers from which random graphs choose, so that graphs share programs.
///
/// Compiling takes a thousand times longer than drawing.
struct RandomPool {
    /// The format of a layer's source, its orientation, and the kinds of its effects.
    struct Shape {
        var format: PixelFormat
        var orientation: Orientation
        var kinds: [RandomLink.Kind]
        /// The numbers of source samples and of drawn pixels along a side.
        ///
        /// The ratio of both numbers is a constant in the program's text.
        var samples: (Int, Int)
    }

    let mains: [Shape]
    let insets: [Shape]

    private static let formats: [PixelFormat] = [
        .nv12, .i420, .yuyv, .nv16, .bgrx, .nv21, .uyvy, .yv12, .rgb24, .gray,
    ]

    private static let ratios = [(1, 1), (1, 1), (2, 1), (3, 2), (1, 2), (3, 4)]

    init(_ dice: inout Dice) {
        var mains: [Shape] = []
        var insets: [Shape] = []
        for (index, format) in Self.formats.enumerated() {
            mains.append(
                Shape(
                    format: format, orientation: .identity, kinds: Self.kinds(upTo: 1 + index / 2, &dice),
                    samples: Self.ratios.randomElement(using: &dice) ?? (1, 1)))
            insets.append(
                Shape(
                    format: format, orientation: Orientation.allCases.randomElement(using: &dice) ?? .identity,
                    kinds: Self.kinds(upTo: index / 3, &dice),
                    samples: Self.ratios.randomElement(using: &dice) ?? (1, 1)))
        }
        (self.mains, self.insets) = (mains, insets)
    }

    private static func kinds(upTo count: Int, _ dice: inout Dice) -> [RandomLink.Kind] {
        var kinds: [RandomLink.Kind] = []
        while kinds.count < count {
            guard let kind = RandomLink.Kind.allCases.randomElement(using: &dice) else { break }
            if kind.isSteep && kinds.contains(where: \.isSteep) { continue }
            kinds.append(kind)
        }
        return kinds
    }
}

/// A picture of two layers with effects, drawn both by the pipeline and by the reference.
struct RandomGraph {
    let target: PixelFormat
    let canvas: PixelSize
    private(set) var layers: [RandomLayer] = []

    init(_ pool: RandomPool, _ dice: inout Dice) {
        target = SinkRequest.formats.randomElement(using: &dice) ?? .nv12
        // The canvas sizes are multiples of eight, since partly covered texels at the edges need other programs.
        canvas = PixelSize(8 * .random(in: 4...6, using: &dice), 8 * .random(in: 3...4, using: &dice))
        if let main = pool.mains.randomElement(using: &dice) {
            layers.append(RandomLayer(main, rect: canvas.bounds, colorimetry: .bt709, &dice))
        }
        guard let inset = pool.insets.randomElement(using: &dice) else { return }
        let size = PixelSize(8 * .random(in: 1...3, using: &dice), 8 * .random(in: 1...2, using: &dice))
        let rect = PixelRect(
            x: 4 * .random(in: 0...(canvas.width - size.width) / 4, using: &dice),
            y: 4 * .random(in: 0...(canvas.height - size.height) / 4, using: &dice), width: size.width,
            height: size.height)
        layers.append(RandomLayer(inset, rect: rect, colorimetry: .bt601, &dice))
    }

    var sources: [TestSource] { layers.map(\.scene.source) }

    var picture: Compositor {
        Compositor(canvas: canvas) { for layer in layers { layer.layer } }
    }

    /// A description of the graph for the message of a failed test.
    var summary: String {
        "\(target.rawValue) \(canvas): " + layers.map(\.summary).joined(separator: "; ")
    }

    /// The reference's picture, in the colorimetry of the drawn frame.
    func reference(_ colorimetry: Colorimetry) -> ReferenceCompositor {
        var compositor = ReferenceCompositor(canvas, format: target, colorimetry: colorimetry, background: .black)
        compositor.draw(layers.map { $0.drawn(subsampled: target.isYUV) })
        return compositor
    }
}

struct RandomLayer {
    var scene: LayerScene
    let links: [RandomLink]

    init(_ shape: RandomPool.Shape, rect: PixelRect, colorimetry: Colorimetry, _ dice: inout Dice) {
        let shown = shape.orientation.size(of: rect.size)
        let (count, pixels) = shape.samples
        let size = PixelSize(shown.width * count / pixels, shown.height * count / pixels)
        let seed = Int.random(in: 0..<1000, using: &dice)
        let source = TestSource(Self.picture(shape.format, size, seed: seed, colorimetry))
        scene = LayerScene(source: source, rect: rect, orientation: shape.orientation)
        links = shape.kinds.map { RandomLink($0, &dice) }
    }

    /// A frame whose colours stay within 0…1 under the effects of a chain.
    private static func picture(
        _ format: PixelFormat, _ size: PixelSize, seed: Int, _ colorimetry: Colorimetry
    ) -> Frame {
        makeFrame(format, size, colorimetry: colorimetry) { plane, column, row in
            let wave = (column * (2 + seed % 5) + row * (3 + seed % 7) + seed * 37) % 80
            let detail = (wave < 40 ? wave : 80 - wave) + (column * 7 + row * 13 + seed) % 7
            let isChroma =
                format.isYUV && (plane > 0 || (format.family == .packed422 && column % 2 == chromaByte(format)))
            return UInt8(isChroma ? 116 + detail / 2 : 92 + detail)
        }
    }

    private static func chromaByte(_ format: PixelFormat) -> Int { format == .uyvy || format == .vyuy ? 0 : 1 }

    var summary: String {
        let frame = scene.source.frame
        let chain = links.map(\.effect.label).joined(separator: ", ")
        return "\(frame.layout.format.rawValue) \(frame.size) \(scene.orientation) to \(scene.rect): \(chain)"
    }

    private var producer: AnyProducer {
        links.reduce(AnyProducer(node: scene.source.node)) { $0.applying($1.effect) }
    }

    var layer: Layer {
        let rect = scene.rect
        return Layer(producer).placed(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
            .fitted(.stretch).oriented(scene.orientation)
    }

    /// The scene with the result of the effects instead of the source.
    ///
    /// `subsampled`: True if chroma is sampled once for each 2×2 canvas pixels, except in rotated and mirrored layers.
    func drawn(subsampled: Bool) -> LayerScene {
        let isTurned = scene.orientation != .identity || links.contains { $0.effect is Mirror }
        let total = links.reduce(Orientation.identity) { $1.effect is Mirror ? $0.then(.mirrored) : $0 }
            .then(scene.orientation)
        let frame = scene.source.frame
        let colorimetry = frame.info.colorimetry
        let (red, blue) = colorimetry.matrix.lumaWeights
        let shown = total.size(of: frame.size)
        let surroundings = RandomLink.Surroundings(
            weights: SIMD4(red, 1 - red - blue, blue, 0), scale: Double(scene.rect.width) / Double(shown.width))
        var grid = Self.scaled(
            frame, to: scene.orientation.inverse.size(of: scene.rect.size), readsOnce: subsampled && !isTurned)
        for link in links { grid = link.reference(grid, surroundings) }
        var scene = scene
        scene.grid = grid.oriented(scene.orientation)
        return scene
    }

    /// A frame scaled to another size, in R'G'B'.
    private static func scaled(_ frame: Frame, to size: PixelSize, readsOnce: Bool) -> PixelGrid {
        let picture = ReferencePicture(frame)
        let (across, down) = (
            Double(frame.size.width) / Double(size.width), Double(frame.size.height) / Double(size.height)
        )
        return PixelGrid(size) { (x: Int, y: Int) -> PixelGrid.Pixel in
            let place = (x: (Double(x) + 0.5) * across, y: (Double(y) + 0.5) * down)
            let quad = (x: Double(x / 2 * 2 + 1) * across, y: Double(y / 2 * 2 + 1) * down)
            let width = (x: across, y: down)
            let color =
                readsOnce
                ? picture.color(at: place, width: width, chroma: (place: quad, width: (x: 2 * across, y: 2 * down)))
                : picture.color(at: place, width: width)
            let rgb = picture.isYUV ? ReferenceColor.rgb(color, frame.info.colorimetry) : color
            return PixelGrid.Pixel(rgb[0], rgb[1], rgb[2], 1)
        }
    }
}
