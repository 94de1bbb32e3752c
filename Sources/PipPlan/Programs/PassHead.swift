internal import PipEffects
internal import PipFrames

/// The part of a pass's shader that reads the segment's image.
struct PassHead {
    let contents: PassContents

    private var segment: Segment { contents.segment }
    private var positions: Mapping { contents.positions }

    /// Adds the GLSL text and its uniforms to a shader.
    func add(to writer: inout ProgramWriter) {
        let source = addSourceMap(to: &writer)
        let size = segment.image.lumaSize
        let chroma = segment.image.chromaSize
        writer.add(
            Uniform(
                "imageSize",
                .integers4(Int32(size.width), Int32(size.height), Int32(chroma.width), Int32(chroma.height))))
        addFormat(of: segment.image, to: &writer)
        writer.add(LibraryShader.locate)
        switch segment.head {
        case .image, .warp:
            writer.add(LibraryShader.area)
            segment.image.format.isYUV ? addYUV(source, to: &writer) : addRGB(source, to: &writer)
        case .neighbourhood(let call):
            writer.add(call, as: "neighbourhood")
            writer.define("NEIGHBOURHOOD", "neighbourhood")
            let isUpright = source.keepsAxes && abs(source.a - 1) < 1e-9 && abs(source.e - 1) < 1e-9
            if isUpright { writer.define("UPRIGHT") }
            writer.add(LibraryShader.neighbourhoodHead)
            if !isUpright { writer.add(LibraryShader.headQuad) }
        case .sampler(let call, let before): addSampler(call, before, to: &writer)
        case .lanczos(let samples, let isVertical):
            writer.define("TAPS", "\(Int((6 * max(samples, 1)).rounded(.down)) + 1)")
            writer.define("DIRECTION", isVertical ? "0, 1" : "1, 0")
            writer.add(.float("samples", Float(samples)))
            writer.add(LibraryShader.lanczosHead)
            writer.add(LibraryShader.headQuad)
        case .kernel(let weights, let isVertical):
            writer.define("TAPS", "\(weights.count)")
            writer.define("DIRECTION", isVertical ? "0, 1" : "1, 0")
            writer.add(Uniform("kernel", .floats(weights.map { Float($0) })))
            writer.add(LibraryShader.kernelHead)
            writer.add(LibraryShader.headQuad)
        }
    }

    /// Adds the maps from canvas pixels to the image.
    ///
    /// - Returns: The map from canvas pixels to samples.
    private func addSourceMap(to writer: inout ProgramWriter) -> Mapping {
        let source: Mapping
        switch segment.head {
        case .warp(let call, let before):
            writer.add(call, as: "warp")
            writer.define("WARP", "warp")
            writer.add(Uniform("warpMap", .matrix3(positions.then(before).matrix3)))
            writer.add(Uniform("sourceMap", .matrix3(segment.place.matrix3)))
            source = positions.then(before).then(segment.place)
        case .sampler(_, let before):
            source = positions.then(before).then(segment.place)
            writer.add(Uniform("sourceMap", .matrix3(source.matrix3)))
        default:
            source = positions.then(segment.place)
            writer.add(Uniform("sourceMap", .matrix3(source.then(lumaMap).matrix3)))
        }
        return source
    }

    private func addSampler(_ call: ShaderCall, _ before: Mapping, to writer: inout ProgramWriter) {
        writer.add(Uniform("effectMap", .matrix3(positions.then(before).matrix3)))
        writer.add(Uniform("sampleMap", .matrix3(segment.place.matrix3)))
        writer.add(
            .vector("pixelSize", Float(1 / segment.place.extent.x), Float(1 / segment.place.extent.y)))
        writer.add(LibraryShader.samplerAccess)
        writer.add(call, as: "reader")
        writer.define("READER", "reader")
        writer.add(LibraryShader.samplerHead)
        writer.add(LibraryShader.headQuad)
    }

    private func addFormat(of image: Image, to writer: inout ProgramWriter) {
        if image.isPacked { writer.define("PACKED") }
        switch image.format {
        case .nv12, .nv16:
            writer.define("CHROMA_ORDER", "xy")
            writer.add(LibraryShader.semiPlanar)
        case .nv21:
            writer.define("CHROMA_ORDER", "yx")
            writer.add(LibraryShader.semiPlanar)
        case .i420, .yv12:
            writer.define("CHROMA_ORDER", image.format == .i420 ? "xy" : "yx")
            writer.add(LibraryShader.planar)
        case .yuyv, .uyvy, .yvyu, .vyuy:
            let (luma, chroma) =
                switch image.format {
                case .yuyv: ("rb", "ga")
                case .yvyu: ("rb", "ag")
                case .uyvy: ("ga", "rb")
                default: ("ga", "br")
                }
            writer.define("LUMA_ORDER", luma)
            writer.define("CHROMA_ORDER", chroma)
            writer.add(LibraryShader.packed422)
        case .gray: writer.add(LibraryShader.gray)
        default: addRGBFormat(of: image, to: &writer)
        }
    }

    private func addRGBFormat(of image: Image, to writer: inout ProgramWriter) {
        let (order, alpha) =
            switch image.format {
            case .bgr24, .bgra, .bgrx: ("bgr", "a")
            case .argb, .xrgb: ("gba", "r")
            case .abgr, .xbgr: ("abg", "r")
            default: ("rgb", "a")
            }
        writer.define("RGB_ORDER", order)
        if image.alpha != .none { writer.define("ALPHA_PART", alpha) }
        writer.add(LibraryShader.rgb)
    }

    private var firstPixel: (x: Double, y: Double) {
        let rect = contents.cover?.rect ?? contents.canvas.region
        return (Double(rect.x) + 0.5, Double(rect.y) + 0.5)
    }

    private var isWarped: Bool { if case .warp = segment.head { true } else { false } }

    private func addRGB(_ source: Mapping, to writer: inout ProgramWriter) {
        let sampling = Sampling(map: source, first: firstPixel, isWarped: isWarped)
        writer.define("LUMA_TAPS", "\(sampling.taps.x), \(sampling.taps.y)")
        writer.add(.vector("lumaWidth", Float(sampling.width.x), Float(sampling.width.y)))
        writer.add(LibraryShader.rgbHead)
        writer.add(LibraryShader.headQuad)
    }

    /// The map from samples of the whole luma plane to stored samples.
    private var lumaMap: Mapping {
        segment.image.hasHalfLuma ? PlaneFilter.halfSizeMapping(samplesPerTexel: 4) : .identity
    }

    private func addYUV(_ source: Mapping, to writer: inout ProgramWriter) {
        let image = segment.image
        let (columns, rows) = image.format.chromaSubsampling
        let siting = image.colorimetry.chromaSiting.offset
        let own = (x: columns == 2 ? siting.x : 0, y: rows == 2 ? siting.y : 0)
        let canvasSiting = contents.canvas.colorimetry.chromaSiting.offset
        let luma = Sampling(map: source.then(lumaMap), first: firstPixel, isWarped: isWarped)
        let chromaMap = source.then(.translation(own.x, own.y)).then(.scale(1 / Double(columns), 1 / Double(rows)))
        let chroma: Sampling
        if contents.usesChromaGrid {
            let first = (
                x: (firstPixel.x / 2).rounded(.down) * 2 + 1 - canvasSiting.x,
                y: (firstPixel.y / 2).rounded(.down) * 2 + 1 - canvasSiting.y
            )
            chroma = Sampling(map: chromaMap, step: (2, 2), first: first, isWarped: isWarped)
        } else {
            chroma = Sampling(map: chromaMap, first: firstPixel, isWarped: isWarped)
        }
        addSampling(luma: luma, chroma: chroma, to: &writer)
        writer.add(
            .vector(
                "chromaPlace", Float(own.x * lumaMap.a - lumaMap.c), Float(own.y * lumaMap.e - lumaMap.f),
                Float(canvasSiting.x), Float(canvasSiting.y)))
        if contents.usesChromaGrid, own == canvasSiting, let quads = quads(source, rows: rows) {
            writer.define("QUADS", "\(quads.factor)")
            if image.hasHalfLuma {
                writer.define("DOUBLED")
                writer.add(LibraryShader.doubled)
            }
            writer.add(Uniform("quadOrigin", .integers2(Int32(quads.x), Int32(quads.y))))
        }
        writer.add(LibraryShader.yuvHead)
    }

    /// Adds the number of luma and chroma samples that are averaged for a pixel, and the width of the averaged area.
    private func addSampling(luma: Sampling, chroma: Sampling, to writer: inout ProgramWriter) {
        let image = segment.image
        let (columns, rows) = image.format.chromaSubsampling
        if contents.usesChromaGrid { writer.define("CHROMA_GRID") }
        writer.define("LUMA_TAPS", "\(luma.taps.x), \(luma.taps.y)")
        writer.define("CHROMA_TAPS", "\(chroma.taps.x), \(chroma.taps.y)")
        if image.isPacked {
            writer.define("EXACT", "\(luma.isExact(ofSamples: 4) && chroma.isExact(ofSamples: 2))")
            writer.define("LUMA_TEXELS", "\(luma.texels(ofSamples: 4))")
            writer.define("CHROMA_TEXELS", "\(chroma.texels(ofSamples: 2))")
        }
        let divisor = image.hasHalfLuma ? 2 : 1
        writer.define("SUBSAMPLED_COLUMNS", "\(columns / divisor)")
        writer.define("SUBSAMPLED_ROWS", "\(rows / divisor)")
        writer.define("CHROMA_ROWS", "\(rows)")
        writer.add(.vector("lumaWidth", Float(luma.width.x), Float(luma.width.y)))
        writer.add(.vector("chromaWidth", Float(chroma.width.x), Float(chroma.width.y)))
    }

    /// The parameters of a shader that reads four packed samples at once: the number of samples across a pixel of the
    /// canvas, and the offset from the canvas's quads to the image's quads.
    ///
    /// Nil when no such shader can read the image.
    private func quads(_ source: Mapping, rows: Int) -> (factor: Int, x: Int, y: Int)? {
        let isQuadReadable = segment.image.isPacked || segment.image.format.family == .packed422
        guard isQuadReadable, case .image = segment.head, source.keepsAxes, abs(source.a - source.e) < 1e-9 else {
            return nil
        }
        let factor = Int(source.a.rounded())
        guard abs(source.a - Double(factor)) < 1e-9, (1...4).contains(factor) else { return nil }
        guard factor == 1 || !segment.image.hasHalfLuma else { return nil }
        // Another chroma siting shifts the averaged area by a fraction of a sample; only a 1:1 read may ignore the
        // shift.
        guard factor == 1 || segment.image.colorimetry.chromaSiting == .center else { return nil }
        // The averages must not contain samples beyond the image's edges.
        let size = segment.image.size
        guard factor == 1 || (size.width % (2 * factor) == 0 && size.height % (2 * factor) == 0) else { return nil }
        let x = source.c / Double(4 * factor)
        let y = source.f / Double(factor)
        guard abs(x - x.rounded()) < 1e-6, abs(y - y.rounded()) < 1e-6, Int(y.rounded()) % 2 == 0 else { return nil }
        return (factor, Int(x.rounded()), Int(y.rounded()))
    }
}
