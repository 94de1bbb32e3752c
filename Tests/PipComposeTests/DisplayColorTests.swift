import Foundation
import PipTestSupport
import Testing

@testable import PipCompose
@testable import PipEffects

@Suite("Wide colours and high dynamic range", .serialized, .timeLimit(.minutes(5)))
struct DisplayColorTests {
    /// The primaries and the transfer function of a source.
    struct Colors: Sendable, CustomTestStringConvertible {
        let primaries: ColorPrimaries
        let transfer: TransferFunction

        var testDescription: String { "\(primaries) \(transfer)" }
        var colorimetry: Colorimetry {
            Colorimetry(matrix: .bt709, range: .full, primaries: primaries, transfer: transfer)
        }
    }

    private static let converted = [
        Colors(primaries: .bt2020, transfer: .smpte2084), Colors(primaries: .bt709, transfer: .smpte2084),
        Colors(primaries: .bt2020, transfer: .hlg), Colors(primaries: .bt2020, transfer: .bt709),
        Colors(primaries: .dciP3, transfer: .srgb),
    ]

    /// The published matrices from linear R, G and B of some primaries to linear R, G and B of BT.709.
    ///
    /// Source: ITU-R BT.2087 and BT.2407, and the literature on colour for P3.
    private static let matrices: [ColorPrimaries: [[Double]]] = [
        .bt709: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        .bt2020: [
            [1.660491, -0.587641, -0.072850], [-0.124550, 1.132900, -0.008349], [-0.018151, -0.100579, 1.118730],
        ],
        .dciP3: [[1.224940, -0.224940, 0], [-0.042057, 1.042057, 0], [-0.019638, -0.078636, 1.098274]],
    ]

    @Test("matrices match the published ones", arguments: matrices.keys)
    func printed(_ primaries: ColorPrimaries) throws {
        let printed = try #require(Self.matrices[primaries])
        for (own, other) in zip(primaries.matrixToDisplay, printed) {
            for (a, b) in zip(own, other) { #expect(abs(a - b) < 0.000002, "\(own) \(other)") }
        }
    }

    // MARK: A reference

    // The light of a PQ code, in cd/m².
    //
    // Source: SMPTE ST 2084.
    private static func light(ofPQ code: Double) -> Double {
        let root = pow(code, 32 / 2523.0)
        return 10_000 * pow(max(root - 107 / 128.0, 0) / (2413 / 128.0 - 2392 / 128.0 * root), 8192 / 1305.0)
    }

    private static func code(ofPQ light: Double) -> Double {
        let root = pow(light / 10_000, 1305 / 8192.0)
        return pow((107 / 128.0 + 2413 / 128.0 * root) / (1 + 2392 / 128.0 * root), 2523 / 32.0)
    }

    // The light of an HLG code on a display of 1000 cd/m² with a gamma of 1.2, in cd/m².
    //
    // Source: ITU-R BT.2100.
    private static func light(ofHLG code: [Double]) -> [Double] {
        let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
        let scene = code.map { $0 <= 0.5 ? $0 * $0 / 3 : (exp(($0 - c) / a) + b) / 12 }
        let luminance = 0.2627 * scene[0] + 0.678 * scene[1] + 0.0593 * scene[2]
        return scene.map { 1000 * pow(luminance, 0.2) * $0 }
    }

    // Tone mapping from 1000 to 203 cd/m².
    //
    // Source: ITU-R BT.2390-10, 5.4.1.
    private static func compressed(_ light: Double) -> Double {
        let top = code(ofPQ: 1000)
        let (e, limit) = (min(code(ofPQ: light) / top, 1), code(ofPQ: 203) / top)
        let knee = 1.5 * limit - 0.5
        guard e > knee else { return light }
        let t = (e - knee) / (1 - knee)
        let p = (2 * pow(t, 3) - 3 * pow(t, 2) + 1) * knee + (pow(t, 3) - 2 * pow(t, 2) + t) * (1 - knee)
        return self.light(ofPQ: (p + (3 * pow(t, 2) - 2 * pow(t, 3)) * limit) * top)
    }

    /// The code values with which a BT.709 display shows a colour.
    private static func expected(_ code: [Double], _ colors: Colors) throws -> [Double] {
        var light: [Double]
        switch colors.transfer {
        case .smpte2084: light = code.map(light(ofPQ:))
        case .hlg: light = Self.light(ofHLG: code)
        default: light = code.map { 203 * pow($0, 2.4) }
        }
        light = try #require(Self.matrices[colors.primaries]).map { row in
            zip(row, light).reduce(0) { $0 + $1.0 * $1.1 }
        }
        let most = light.max() ?? 0
        if [.smpte2084, .hlg].contains(colors.transfer), most > 0 {
            light = light.map { $0 * compressed(most) / most }
        }
        return light.map { pow(min(max($0 / 203, 0), 1), 1 / 2.4) }
    }

    // MARK: Drawn colours

    private static let size = PixelSize(64, 32)

    private static func codes(_ index: Int) -> [UInt8] {
        // The first 256 colours are greys, and the others are random.
        if index < 256 { return Array(repeating: UInt8(index), count: 3) }
        var dice = Dice(index)
        return (0..<3).map { _ in UInt8.random(in: 0...255, using: &dice) }
    }

    private static func drawn(
        _ colors: Colors, _ renderer: RendererChoice
    ) async throws -> (pixels: [[UInt8]], colorimetry: Colorimetry) {
        let layout = FrameLayout(.rgba, size)
        let source = AppSource("colours", layout: layout, colorimetry: colors.colorimetry)
        let tap = FrameTap(.rgba, buffering: .newest(1))
        source --> tap
        var options = SessionOptions.live()
        options.renderer = renderer
        let session = try await Session(source, options: options)
        let bytes: [UInt8] = (0..<size.area).flatMap { index -> [UInt8] in codes(index) + [255] }
        _ = try bytes.withBytes { try source.push(copying: $0, layout: layout) }
        var pixels: [[UInt8]] = []
        var colorimetry = Colorimetry.bt601
        _ = try await running(session) {
            var frames = tap.frames.makeAsyncIterator()
            let frame = try #require(await frames.next())
            colorimetry = frame.info.colorimetry
            pixels = frame.withPlane(0) { span, plane in
                (0..<size.area).map { index in
                    (0..<3).map { part in
                        let place = index / size.width * plane.strideInBytes + index % size.width * 4 + part
                        return unsafe span.unsafeLoad(fromByteOffset: place, as: UInt8.self)
                    }
                }
            }
        }
        return (pixels, colorimetry)
    }

    @Test(
        "C10: wide colours are shown as on a BT.709 display, by both executors", arguments: converted,
        [RendererChoice.cpu, .gl])
    func shown(colors: Colors, renderer: RendererChoice) async throws {
        let (pixels, colorimetry) = try await Self.drawn(colors, renderer)
        #expect(colorimetry.primaries == .bt709 && colorimetry.transfer == .bt709)
        var worst = 0.0
        for (index, pixel) in pixels.enumerated() {
            let wanted = try Self.expected(Self.codes(index).map { Double($0) / 255 }, colors)
            for (part, value) in zip(pixel, wanted) { worst = max(worst, abs(Double(part) - 255 * value)) }
        }
        #expect(worst < 1.6, "\(worst) of 255")
    }

    @Test("white of 203 cd/m² stays bright, and brighter greys remain distinguishable")
    func white() async throws {
        let (pixels, _) = try await Self.drawn(Self.converted[1], .cpu)
        // The PQ code of 203 cd/m² is 148, and that of 1000 cd/m² is 192.
        #expect((225...240).contains(pixels[148][0]), "\(pixels[148])")
        #expect(pixels[192][0] >= 254 && pixels[170][0] > pixels[148][0] + 8)
        #expect(pixels[100][0] > 90 && pixels[0][0] == 0)
        #expect(zip(pixels[..<192], pixels[1..<193]).allSatisfy { $0[0] <= $1[0] })
    }

    @Test("colours of a standard display are left unchanged")
    func untouched() async throws {
        for colors in [Colorimetry.bt709, .bt601, .jpeg, .srgb] { #expect(DisplayColors(colors) == nil) }
        let (pixels, _) = try await Self.drawn(Colors(primaries: .bt709, transfer: .srgb), .cpu)
        for (index, pixel) in pixels.enumerated() { #expect(pixel == Self.codes(index)) }
    }
}
