import Foundation
import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPlan
import Testing

@Suite("Effects that only displace pixels, on Y'CbCr planes", .serialized)
struct PlaneWarpTests {
    private static let formats: [PixelFormat] = [.nv12, .i420, .nv21, .yv12]

    /// Interpolates between the four samples around a position; sample 0 covers the coordinates 0…1.
    private static func interpolated(
        _ size: PixelSize, at place: (x: Double, y: Double), _ sample: (Int, Int) -> Double
    ) -> Double {
        let x = min(max(place.x - 0.5, 0), Double(size.width - 1))
        let y = min(max(place.y - 0.5, 0), Double(size.height - 1))
        let (left, upper) = (min(Int(x), size.width - 2), min(Int(y), size.height - 2))
        func row(_ y: Int) -> Double { mix(sample(left, y), sample(left + 1, y), x - Double(left)) }
        return mix(row(upper), row(upper + 1), y - Double(upper))
    }

    /// The position that a swirl of 200° and a radius of 0.45 reads for a canvas position, in pixels.
    private static func swirled(_ x: Double, _ y: Double, _ size: PixelSize) -> (x: Double, y: Double) {
        let (width, height) = (Double(size.width), Double(size.height))
        let (u, v) = (x - width / 2, y - height / 2)
        let away = hypot(u, v) / min(width, height)
        let turn = away < 0.45 ? 200 * Double.pi / 180 * pow((0.45 - away) / 0.45, 2) : 0
        return (width / 2 + cos(turn) * u - sin(turn) * v, height / 2 + sin(turn) * u + cos(turn) * v)
    }

    /// The largest distance of a drawn frame from the swirled planes of another frame, in steps of 8 bits.
    private func worst(_ drawn: Frame, _ source: Frame) -> Double {
        let (result, original) = (ReferencePicture(drawn), ReferencePicture(source))
        let (size, chroma) = (original.size, original.chromaSize)
        let own = source.info.colorimetry.chromaSiting.offset
        let target = drawn.info.colorimetry.chromaSiting.offset
        var worst = 0.0
        for y in 0..<size.height {
            for x in 0..<size.width {
                let place = Self.swirled(Double(x) + 0.5, Double(y) + 0.5, size)
                let wanted = Self.interpolated(size, at: place, original.luma)
                worst = max(worst, abs(result.luma(x, y) - wanted))
            }
        }
        for y in 0..<chroma.height {
            for x in 0..<chroma.width {
                let place = Self.swirled(Double(2 * x + 1) - target.x, Double(2 * y + 1) - target.y, size)
                let position = ((place.x + own.x) / 2, (place.y + own.y) / 2)
                for component in 0...1 {
                    let wanted = Self.interpolated(chroma, at: position) { original.chroma(component, $0, $1) }
                    worst = max(worst, abs(result.chroma(component, x, y) - wanted))
                }
            }
        }
        return worst
    }

    @Test(
        "each plane is interpolated at its own size, within a step of the formula", arguments: formats,
        ChromaSiting.allCases)
    func formula(_ format: PixelFormat, _ siting: ChromaSiting) async throws {
        let gpu = try await SharedContext.get()
        var colorimetry = Colorimetry.bt709
        colorimetry.chromaSiting = siting
        for size in [PixelSize(63, 35), PixelSize(128, 72), PixelSize(3, 5)] {
            let source = TestSource(testPicture(format, size, colorimetry: colorimetry))
            let swirled = source --> Swirl(angle: 200, radius: 0.45)
            for output in [PixelFormat.nv12, .i420] {
                let drawn = try await rendered(swirled, [source], to: output, on: gpu)
                #expect(worst(drawn, source.frame) <= 1 + hardwareSlack(gpu), "by OpenGL ES \(size) \(output)")
                let rows = try await rendered(swirled, [source], to: output, on: gpu) { $0.executors = [.cpu] }
                #expect(worst(rows, source.frame) <= 0.75, "by the CPU \(size) \(output)")
            }
        }
    }

    // No edge of a cell lies on a sample's centre, where rounding would decide.
    private static let warps: [[any Effect]] = [
        [Swirl()], [Bulge()], [Pinch()], [Stretch()], [Pixellate(size: 0.1234)], [PolarPixellate()],
        [Swirl(angle: 90), Bulge(scale: -0.6)],
    ]

    @Test(
        "warps of scaled and of translucent layers are the same by both executors, fused and unfused", arguments: 0..<7)
    func layers(_ index: Int) async throws {
        let gpu = try await SharedContext.get()
        for format in [PixelFormat.nv12, .i420, .yuyv, .gray] {
            let main = TestSource(testPicture(format, PixelSize(97, 65)))
            let inset = TestSource(testPicture(format, PixelSize(64, 48), seed: 3))
            var (below, above) = (AnyProducer(node: main.node), AnyProducer(node: inset.node))
            for effect in Self.warps[index] { (below, above) = (below.applying(effect), above.applying(effect)) }
            let picture = Compositor(canvas: PixelSize(97, 65)) {
                Layer(below)
                Layer(above).placed(.topRight, width: 0.5, margin: 6)
                Layer(above).placed(.bottomLeft, width: 0.4, margin: 4).rounded(6).faded(to: 0.8)
            }
            for output in [PixelFormat.nv12, .i420] {
                let fused = try await rendered(picture, [main, inset], to: output, on: gpu)
                // The planes of a scaled layer are rounded before the layer is mixed with the picture below.
                let unfused = try await rendered(
                    picture, [main, inset], to: output, fuses: false, rowsWithin: 2, on: gpu)
                #expect(largestDifference(fused, unfused) <= 1, "\(format) \(output)")
            }
        }
    }
}
