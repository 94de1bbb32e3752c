import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPlan
import PipTestSupport
import Testing

@Suite("Conversions against a reference in Double", .serialized)
struct ConversionTests {
    static let yuvFormats = PixelFormat.allCases.filter(\.isYUV)
    static let rgbFormats = PixelFormat.allCases.filter { !$0.isYUV }
    static let colors = [ColorMatrixStandard.bt601, .bt709, .bt2020].flatMap { matrix in
        QuantizationRange.allCases.map { Colorimetry(matrix: matrix, range: $0) }
    }

    /// Coloured bars in the even rows and a gradient in the odd rows, different in each plane.
    static func bars(
        _ format: PixelFormat, _ size: PixelSize, stride: Int? = nil, colorimetry: Colorimetry = .bt709
    ) -> Frame {
        makeFrame(format, size, stride: stride, colorimetry: colorimetry) { plane, column, row in
            let bar = [16, 235, 128, 60, 200, 90, 170, 40][(column / 5 + plane * 3) % 8]
            let value = row % 2 == 0 ? bar : (column * 9 + row * 4 + plane * 67) % 256
            return UInt8(value)
        }
    }

    /// Pixels of varying colour and alpha, premultiplied.
    static func translucent(_ format: PixelFormat, _ size: PixelSize) -> Frame {
        let alphaAt = format == .argb || format == .abgr ? 0 : 3
        return makeFrame(format, size, colorimetry: .srgb) { _, column, row in
            let alpha = (column / 4 * 29 + row * 13) % 256
            return UInt8(column % 4 == alphaAt ? alpha : alpha * ((column * 37 + row * 5) % 256) / 255)
        }
    }

    @Test("Y'CbCr becomes R'G'B' by the standards' formulas", arguments: yuvFormats, colors)
    func toRGB(format: PixelFormat, colorimetry: Colorimetry) async throws {
        let source = TestSource(Self.bars(format, PixelSize(37, 11), colorimetry: colorimetry))
        let frame = try await rendered(source, [source], to: .rgba, on: try await SharedContext.get())
        let reference = ReferencePicture(source.frame)
        let worst = difference(frame) { x, y in
            let color = reference.color(at: (Double(x) + 0.5, Double(y) + 0.5), width: (1, 1))
            return ReferenceColor.rgb(color, colorimetry) + [1]
        }
        #expect(worst.steps <= 1, "\(worst.place)")
    }

    @Test(
        "chroma is interpolated according to its siting", arguments: ChromaSiting.allCases,
        [PixelSize(37, 11), PixelSize(60, 40), PixelSize(16, 6)])
    func siting(siting: ChromaSiting, target: PixelSize) async throws {
        var colorimetry = Colorimetry.bt709
        colorimetry.chromaSiting = siting
        let source = TestSource(Self.bars(.nv12, PixelSize(40, 24), colorimetry: colorimetry))
        let picture = Compositor(canvas: target) { Layer(source).fitted(.stretch) }
        let frame = try await rendered(picture, [source], to: .rgba, on: try await SharedContext.get())
        let worst = difference(frame) { x, y in Self.scaled(source, target, x, y) }
        #expect(worst.steps <= 1, "\(worst.place)")
    }

    private static func scaled(_ source: TestSource, _ target: PixelSize, _ x: Int, _ y: Int) -> [Double] {
        let reference = ReferencePicture(source.frame)
        let across = Double(reference.size.width) / Double(target.width)
        let down = Double(reference.size.height) / Double(target.height)
        let color = reference.color(at: ((Double(x) + 0.5) * across, (Double(y) + 0.5) * down), width: (across, down))
        guard reference.isYUV else { return color[..<3].map { $0 * color[3] } + [1] }
        return ReferenceColor.rgb(color, source.frame.info.colorimetry) + [1]
    }

    @Test("RGB components are read in every memory order", arguments: rgbFormats)
    func rgbOrder(format: PixelFormat) async throws {
        let source = TestSource(
            format.hasAlpha
                ? Self.translucent(format, PixelSize(37, 11)) : Self.bars(format, PixelSize(37, 11), stride: 160))
        let frame = try await rendered(source, [source], to: .rgba, on: try await SharedContext.get())
        let reference = ReferencePicture(source.frame)
        // Over black, premultiplied colours equal the visible ones.
        let worst = difference(frame) { x, y in (0..<3).map { reference.rgba($0, x, y) / 255 } + [1] }
        #expect(worst.steps <= 1, "\(worst.place)")
    }

    static let ratios: [(PixelSize, PixelSize)] = [
        (PixelSize(160, 96), PixelSize(40, 24)), (PixelSize(120, 72), PixelSize(40, 24)),
        (PixelSize(80, 48), PixelSize(40, 24)), (PixelSize(100, 60), PixelSize(40, 24)),
        (PixelSize(68, 51), PixelSize(40, 30)), (PixelSize(20, 12), PixelSize(40, 24)),
        (PixelSize(127, 71), PixelSize(31, 17)), (PixelSize(3, 5), PixelSize(1, 1)), (PixelSize(1, 1), PixelSize(3, 5)),
        (PixelSize(63, 35), PixelSize(63, 35)), (PixelSize(31, 17), PixelSize(63, 35)),
    ]

    @Test(
        "scaling averages exactly the area of each pixel", arguments: ratios)
    func scaling(sizes: (PixelSize, PixelSize)) async throws {
        // Widths that are divisible by four use padded camera frames, and the others RGB.
        let format: PixelFormat = sizes.0.width % 4 == 0 ? .nv12 : .rgbx
        for stride in [format == .nv12 ? 1024 : nil] {
            let source = TestSource(Self.bars(format, sizes.0, stride: stride))
            let picture = Compositor(canvas: sizes.1) { Layer(source).fitted(.stretch) }
            let frame = try await rendered(picture, [source], to: .rgba, on: try await SharedContext.get())
            let worst = difference(frame) { x, y in Self.scaled(source, sizes.1, x, y) }
            #expect(worst.steps <= 1, "stride \(stride ?? 0): \(worst.place)")
        }
    }

    static let subsampledSizes: [(PixelSize, PixelSize)] =
        ratios.filter { $0.0.width > 60 } + [
            (PixelSize(126, 70), PixelSize(63, 35)), (PixelSize(128, 70), PixelSize(64, 35)),
            (PixelSize(130, 26), PixelSize(65, 13)),
        ]

    @Test(
        "4:2:0 is scaled plane by plane, with each chroma sample at its position", arguments: subsampledSizes,
        [PixelFormat.nv12, .i420, .yuyv])
    func scalingSubsampled(sizes: (PixelSize, PixelSize), format: PixelFormat) async throws {
        for (stride, target) in [format == .i420 ? (1024, .i420) : (nil, .nv12)] as [(Int?, PixelFormat)] {
            let source = TestSource(Self.bars(format, sizes.0, stride: stride))
            let picture = Compositor(canvas: sizes.1) { Layer(source).fitted(.stretch) }
            let frame = try await rendered(picture, [source], to: target, on: try await SharedContext.get())
            let worst = try planarDifference(frame, reference: ReferencePicture(source.frame))
            #expect(worst.steps <= 1, "to \(target) with stride \(stride ?? 0): \(worst.place)")
        }
    }

    private func planarDifference(_ frame: Frame, reference: ReferencePicture) throws -> (steps: Double, place: String)
    {
        let actual = ReferencePicture(frame)
        let across = Double(reference.size.width) / Double(frame.size.width)
        let down = Double(reference.size.height) / Double(frame.size.height)
        var worst = (steps: 0.0, place: "nowhere")
        func check(_ code: Double, _ wanted: Double, _ place: String) {
            let steps = abs(code - min(max(wanted * 255, 0), 255))
            if !(steps <= worst.steps) { worst = (steps, "\(place): \(code), not \(wanted * 255)") }
        }
        for y in 0..<frame.size.height {
            for x in 0..<frame.size.width {
                let place = ((Double(x) + 0.5) * across, (Double(y) + 0.5) * down)
                let color = reference.color(at: place, width: (across, down))
                check(actual.luma(x, y), color[0], "luma \(x), \(y)")
            }
        }
        for y in 0..<actual.chromaSize.height {
            for x in 0..<actual.chromaSize.width {
                let place = (Double(2 * x + 1) * across, Double(2 * y + 1) * down)
                let color = reference.color(at: place, width: (2 * across, 2 * down))
                for part in 0..<2 { check(actual.chroma(part, x, y), color[1 + part], "chroma \(part) \(x), \(y)") }
            }
        }
        return worst
    }

    @Test(
        "4:2:0 formats are converted into each other without changing a sample",
        arguments: [PixelFormat.nv12, .nv21, .i420, .yv12],
        [PixelFormat.nv12, .i420])
    func exactRoundTrip(format: PixelFormat, target: PixelFormat) async throws {
        for size in [PixelSize(64, 32), PixelSize(127, 71), PixelSize(3, 5), PixelSize(1, 1)] {
            let source = TestSource(Self.bars(format, size, stride: 192))
            let frame = try await rendered(source, [source], to: target, on: try await SharedContext.get())
            let (one, other) = (ReferencePicture(source.frame), ReferencePicture(frame))
            var changed = 0
            for y in 0..<size.height {
                for x in 0..<size.width where one.luma(x, y) != other.luma(x, y) { changed += 1 }
            }
            for y in 0..<one.chromaSize.height {
                for x in 0..<one.chromaSize.width {
                    for part in 0..<2 where one.chroma(part, x, y) != other.chroma(part, x, y) { changed += 1 }
                }
            }
            #expect(changed == 0, "\(size)")
        }
    }

    @Test("a source with another colorimetry is converted to the canvas's", arguments: [PixelFormat.nv12, .rgba])
    func colorimetryOfSink(target: PixelFormat) async throws {
        let source = TestSource(Self.bars(.rgbx, PixelSize(32, 16), colorimetry: .srgb))
        let frame = try await rendered(
            source, [source], to: target, colorimetry: .bt601, on: try await SharedContext.get())
        #expect(frame.info.colorimetry == .bt601)
        guard target == .nv12 else { return }
        let (reference, actual) = (ReferencePicture(source.frame), ReferencePicture(frame))
        var worst = 0.0
        for y in 0..<16 {
            for x in 0..<32 {
                let yuv = ReferenceColor.yuv((0..<3).map { reference.rgba($0, x, y) / 255 }, .bt601)
                worst = max(worst, abs(actual.luma(x, y) - yuv[0] * 255))
            }
        }
        #expect(worst <= 1)
    }
}
