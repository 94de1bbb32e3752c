import Foundation
import PipFrames
import PipGraph

/// A layer stretched to a rectangle, for both the pipeline and the reference.
struct LayerScene {
    var source: TestSource
    var rect: PixelRect
    var crop: PixelRect?
    var orientation = Orientation.identity
    var opacity = 1.0
    var radius = 0.0
    var border: (width: Double, color: Color)?
    var shadow: LayerLook.Shadow?
    var z = 0
    /// The result of the layer's effects, in the size of the rectangle; nil shows the unchanged source.
    var grid: PixelGrid?

    var layer: Layer {
        var layer = Layer(source).placed(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
            .fitted(.stretch).oriented(orientation).faded(to: opacity).rounded(radius).raised(to: z)
        if let crop { layer = layer.cropped(crop) }
        if let border { layer = layer.bordered(border.width, border.color) }
        if let shadow { layer = layer.shadowed(blur: shadow.blur, offset: shadow.offset, opacity: shadow.opacity) }
        return layer
    }
}

/// A reference for the pipeline, which draws layers in `Double`, pixel by pixel, from the definitions.
struct ReferenceCompositor {
    let size: PixelSize
    let format: PixelFormat
    let colorimetry: Colorimetry
    let light: Compositor.Light
    /// Red, green and blue, or luma, all from 0 to 1.
    ///
    /// `chroma` has Cb and Cr for each chroma sample.
    private(set) var first: [[Double]]
    private(set) var chroma: [[Double]] = []
    private var chromaSize: PixelSize { PixelSize((size.width + 1) / 2, (size.height + 1) / 2) }

    /// Makes a reference with a background.
    ///
    /// The reference supports linear light for R'G'B' only.
    init(
        _ size: PixelSize, format: PixelFormat, colorimetry: Colorimetry, background: Color,
        light: Compositor.Light = .encoded
    ) {
        self.size = size
        self.light = light
        self.format = format
        self.colorimetry = colorimetry
        let rgb = [background.red, background.green, background.blue]
        let color = format.isYUV ? ReferenceColor.yuv(rgb, colorimetry) : rgb
        first = Array(repeating: format.isYUV ? [color[0]] : color, count: size.area)
        if format.isYUV {
            let area = ((size.width + 1) / 2) * ((size.height + 1) / 2)
            chroma = Array(repeating: Array(color[1...]), count: area)
        }
    }

    mutating func draw(_ scenes: [LayerScene]) {
        for scene in scenes.enumerated().sorted(by: { ($0.element.z, $0.offset) < ($1.element.z, $1.offset) }) {
            drawShadow(scene.element)
            draw(scene.element)
        }
    }

    /// The signed distance of a point from the edge of a rounded rectangle; positive outside.
    private static func distance(_ x: Double, _ y: Double, _ rect: PixelRect, _ radius: Double) -> Double {
        let r = min(radius, Double(min(rect.width, rect.height)) / 2)
        let dx = max(Double(rect.x) + r - x, x - Double(rect.maxX) + r)
        let dy = max(Double(rect.y) + r - y, y - Double(rect.maxY) + r)
        return (dx > 0 && dy > 0 ? hypot(dx, dy) : max(dx, dy)) - r
    }

    private mutating func drawShadow(_ scene: LayerScene) {
        guard let shadow = scene.shadow else { return }
        let rect = PixelRect(
            x: scene.rect.x, y: scene.rect.y + Int(shadow.offset.rounded()), width: scene.rect.width,
            height: scene.rect.height)
        let color = format.isYUV ? ReferenceColor.yuv([0, 0, 0], colorimetry) : [0, 0, 0]
        blend { x, y in
            let edge = Self.distance(x, y, rect, scene.radius)
            let blur = max(shadow.blur, 0.5)
            let t = min(max((edge + blur) / (2 * blur), 0), 1)
            let alpha = shadow.opacity * scene.opacity * (1 - t * t * (3 - 2 * t))
            return color + [alpha]
        }
    }

    private mutating func draw(_ scene: LayerScene) {
        let picture = ReferencePicture(scene.source.frame)
        let (format, own, light) = (format, colorimetry, light)
        let borderColor = scene.border.map { border in
            let rgb = [border.color.red, border.color.green, border.color.blue]
            return format.isYUV ? ReferenceColor.yuv(rgb, colorimetry) : rgb
        }
        // Unless the layer is rotated or mirrored, 4:2:0 chroma is sampled once for each 2×2 pixels.
        let readsOnce = format.isYUV && scene.orientation == .identity
        blend { x, y in
            let edge = Self.distance(x, y, scene.rect, scene.radius)
            let cover = scene.opacity * min(max(0.5 - edge, 0), 1)
            if cover <= 0 { return [0, 0, 0, 0] }
            let grid = readsOnce ? ((x / 2).rounded(.down) * 2 + 1, (y / 2).rounded(.down) * 2 + 1) : nil
            let color = Self.color(of: picture, scene, at: (x, y), grid: grid, to: (format, own))
            var straight = Array(color[..<3])
            var alpha = color[3]
            if let border = scene.border, let borderColor {
                let over = border.color.alpha * min(max(edge + border.width + 0.5, 0), 1)
                let below = alpha * (1 - over)
                if over + below > 0 {
                    let share = over / (over + below)
                    straight = zip(straight, borderColor).map {
                        light == .linear
                            ? SRGB.encoded(mix(SRGB.decoded($0), SRGB.decoded($1), share)) : mix($0, $1, share)
                    }
                }
                alpha = over + below
            }
            return straight + [alpha * cover]
        }
    }

    /// A layer's colour at a canvas pixel, in the canvas's encoding and with straight alpha.
    private static func color(
        of picture: ReferencePicture, _ scene: LayerScene, at place: (x: Double, y: Double), grid: (Double, Double)?,
        to target: (format: PixelFormat, colorimetry: Colorimetry)
    ) -> [Double] {
        let ((x, y), (format, colorimetry)) = (place, target)
        if let grid = scene.grid {
            let pixel = grid.at(Int(x) - scene.rect.x, Int(y) - scene.rect.y)
            let rgb = [pixel.x, pixel.y, pixel.z]
            return (format.isYUV ? ReferenceColor.yuv(rgb, colorimetry) : rgb) + [pixel.w]
        }
        let crop = scene.crop ?? picture.size.bounds
        func stored(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
            let shown = (
                (x - Double(scene.rect.x)) / Double(scene.rect.width),
                (y - Double(scene.rect.y)) / Double(scene.rect.height)
            )
            let point = scene.orientation.storedPoint(x: shown.0, y: shown.1)
            return (Double(crop.x) + point.x * Double(crop.width), Double(crop.y) + point.y * Double(crop.height))
        }
        let box = scene.orientation.swapsAxes ? scene.rect.size.transposed : scene.rect.size
        let width = (x: Double(crop.width) / Double(box.width), y: Double(crop.height) / Double(box.height))
        let color = picture.color(
            at: stored(x, y), width: width,
            chroma: grid.map { (stored($0.0, $0.1), (2 * width.x, 2 * width.y)) })
        let source = picture.frame.info.colorimetry
        switch (picture.isYUV, format.isYUV) {
        case (true, true) where source == colorimetry: return color
        case (true, true): return ReferenceColor.yuv(ReferenceColor.rgb(color, source), colorimetry) + [color[3]]
        case (true, false): return ReferenceColor.rgb(color, source) + [color[3]]
        case (false, true): return ReferenceColor.yuv(Array(color[..<3]), colorimetry) + [color[3]]
        case (false, false): return color
        }
    }

    /// Mixes a colour with straight alpha over every pixel; chroma is mixed with the mean colour of its 2×2 pixels.
    private mutating func blend(_ color: (Double, Double) -> [Double]) {
        var drawn: [[Double]] = []
        for y in 0..<size.height {
            for x in 0..<size.width { drawn.append(color(Double(x) + 0.5, Double(y) + 0.5)) }
        }
        for (index, value) in drawn.enumerated() {
            for part in first[index].indices {
                let below = first[index][part]
                first[index][part] =
                    light == .linear
                    ? SRGB.encoded(mix(SRGB.decoded(below), SRGB.decoded(value[part]), value[3]))
                    : min(max(value[part] * value[3], 0), 1) + below * (1 - value[3])
            }
        }
        guard format.isYUV else { return }
        for row in 0..<chromaSize.height {
            for column in 0..<chromaSize.width {
                var sum = [0.0, 0, 0]
                for (i, j) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    let x = min(2 * column + i, size.width - 1)
                    let y = min(2 * row + j, size.height - 1)
                    let value = drawn[y * size.width + x]
                    sum[0] += value[1] * value[3] / 4
                    sum[1] += value[2] * value[3] / 4
                    sum[2] += value[3] / 4
                }
                let index = row * chromaSize.width + column
                for part in 0..<2 {
                    chroma[index][part] = min(max(sum[part], 0), 1) + chroma[index][part] * (1 - sum[2])
                }
            }
        }
    }

    /// The largest differences of a drawn frame, in luma or R'G'B' and in chroma, and the positions of both.
    ///
    /// Units: steps of 8 bits.
    func difference(_ frame: Frame) -> (first: Double, chroma: Double, places: String) {
        let actual = ReferencePicture(frame)
        var worst = (first: 0.0, chroma: 0.0, places: "")
        var places = ["", ""]
        for y in 0..<size.height {
            for x in 0..<size.width {
                for (part, value) in first[y * size.width + x].enumerated() {
                    let code = format.isYUV ? actual.luma(x, y) : actual.rgba(part, x, y)
                    let steps = abs(code - min(max(value, 0), 1) * 255)
                    if steps > worst.first {
                        (worst.first, places[0]) = (steps, "(\(x), \(y)) part \(part): \(code), not \(value * 255)")
                    }
                }
            }
        }
        guard format.isYUV, format != .gray else { return (worst.first, 0, places[0]) }
        for y in 0..<chromaSize.height {
            for x in 0..<chromaSize.width {
                for part in 0..<2 {
                    let value = chroma[y * chromaSize.width + x][part]
                    let steps = abs(actual.chroma(part, x, y) - value * 255)
                    if steps > worst.chroma {
                        (worst.chroma, places[1]) = (
                            steps, "chroma (\(x), \(y)) part \(part): \(actual.chroma(part, x, y)), not \(value * 255)"
                        )
                    }
                }
            }
        }
        return (worst.first, worst.chroma, places.joined(separator: "; "))
    }
}

/// The sRGB transfer function.
///
/// Source: IEC 61966-2-1.
enum SRGB {
    static func decoded(_ value: Double) -> Double {
        let value = min(max(value, 0), 1)
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    static func encoded(_ value: Double) -> Double {
        let value = min(max(value, 0), 1)
        return value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055
    }
}
