internal import CPixels
internal import PipEffects
internal import PipFrames
internal import PipPlan

/// Reads the planes of a Y'CbCr image at the positions that a warp function returns, each plane at its own size.
@safe final class PlaneWarpHead: RowHead {
    private let functions: PipRowFunctions
    private let region: RowRegion
    private let call: EffectCall
    /// The locations of Y', Cb and Cr in the image's planes.
    private let components: [PlaneSampler.Component]
    private let luma: WarpPlaces
    private let chroma: WarpPlaces
    private let matrix: [Float]
    /// True when the image's Y'CbCr is not converted.
    let keepsColors: Bool
    /// The planes of Y', Cb and Cr, then two rows to read and two rows to write.
    private let samples: UnsafeMutablePointer<PipSamples>
    /// True while the source has a frame.
    private var isReady = false
    /// Memory for the Y', Cb and Cr of a row of pixels, and for a row of Cb and Cr at their own size.
    private let rows: RowBlock
    private let chromaRow: RowBlock
    private var lastChroma: Int?

    /// - Parameters:
    ///   - warp: The warp function, its positions, and the part of the canvas that is drawn.
    ///   - contents: The pass, whose image has 4:2:0 planes, and whose canvas has 4:2:0 planes or is converted to such.
    ///   - matrix: The conversion that is applied to the image's Y'CbCr.
    ///   - functions: The row loops that are compiled for one instruction set.
    init(_ warp: PlacedCall, _ contents: PassContents, matrix: ColorTransform, _ functions: PipRowFunctions) {
        self.functions = functions
        (region, call) = (warp.region, warp.call)
        self.matrix = matrix.rowsOfBytes
        keepsColors = matrix.isIdentity
        let (image, place) = (contents.segment.image, contents.segment.place)
        let layout = SampleLayout(image)
        components = [layout.luma] + layout.chroma
        let pixels = WarpGrid(region: region, positions: warp.positions)
        luma = WarpPlaces(call, pixels, place: place, size: image.size, functions)
        let (own, target) = (image.colorimetry.chromaSiting.offset, contents.canvas.colorimetry.chromaSiting.offset)
        let cells = WarpGrid(
            region: RowRegion(
                columns: region.columns.lowerBound / 2..<(region.columns.upperBound + 1) / 2,
                rows: region.rows.lowerBound / 2..<(region.rows.upperBound + 1) / 2),
            center: (0.5 - target.x / 2, 0.5 - target.y / 2), positions: Mapping.scale(2, 2).then(warp.positions))
        chroma = WarpPlaces(
            call, cells, place: place.then(.translation(own.x, own.y)).then(.scale(0.5, 0.5)), size: image.chromaSize,
            functions)
        unsafe samples = .allocate(capacity: 7)
        unsafe samples.initialize(repeating: PipSamples(), count: 7)
        rows = RowBlock(count: region.count + 2, hasAlpha: false)
        chromaRow = RowBlock(count: cells.region.count, hasAlpha: false)
    }

    deinit { unsafe samples.deallocate() }

    func begin(_ memory: PlaneMemory, at time: Duration) {
        call.begin(memory, at: time)
        isReady = false
        lastChroma = nil
        for (index, component) in components.enumerated() {
            guard let plane = memory[component.texture] else { return }
            unsafe samples[index] = PipSamples(
                first: plane.row(0) + component.offset, stride: Int32(plane.stride), step: Int32(component.step))
        }
        isReady = true
        luma.update()
        chroma.update()
    }

    func read(_ row: Int, into block: RowBlock) {
        guard isReady else { return }
        let count = region.count
        unsafe read(0, luma, row, to: rows.component(0))
        if lastChroma != row / 2 {
            lastChroma = row / 2
            // A region that begins at an odd column begins with the second pixel of a chroma sample.
            let phase = region.columns.lowerBound % 2
            for component in 1...2 {
                guard let out = unsafe rows.component(component) else { continue }
                unsafe read(component, chroma, row / 2, to: chromaRow.component(component))
                unsafe functions.twice(chromaRow.component(component), out - phase, Int32(count + phase))
            }
        }
        block.fill(3, with: 1, count: count)
        unsafe functions.matrix(rows.rows, matrix, block.rows, Int32(count))
    }

    /// Reads a row of a component as floats of 0 to 255.
    private func read(_ component: Int, _ places: WarpPlaces, _ row: Int, to result: UnsafeMutablePointer<Float>?) {
        guard let result = unsafe result else { return }
        for run in places.runs(row) {
            let out = unsafe result + run.column
            let start = unsafe places.start(of: run, in: samples[component])
            if let first = unsafe start.first {
                unsafe functions.widen(first, start.step, out, Int32(run.count))
            } else {
                var own = unsafe places.places(of: run)
                unsafe functions.warpToFloats(samples + component, &own, out, Int32(run.count))
            }
        }
    }
}

extension PlaneWarpHead: PlaneSource {
    func write(_ row: Int, to rows: PlaneRows) {
        unsafe writeLuma(row, to: rows.upper)
        if let lower = unsafe rows.lower { unsafe writeLuma(row + 1, to: lower) }
        guard let chroma = unsafe rows.chroma else { return }
        unsafe writeChroma(row / 2, to: chroma.cb, chroma.cr, step: rows.step)
    }

    /// Writes the luma of a canvas row.
    private func writeLuma(_ row: Int, to result: UnsafeMutablePointer<UInt8>) {
        guard isReady else { return }
        for run in luma.runs(row) {
            let out = unsafe result + run.column
            if let start = unsafe luma.start(of: run, in: samples[0]).first {
                unsafe out.update(from: start, count: run.count)
            } else {
                var places = unsafe luma.places(of: run)
                unsafe functions.warp(samples, &places, out, Int32(run.count))
            }
        }
    }

    /// Writes the Cb and Cr of a row of the canvas's chroma, whose samples are `step` bytes apart.
    private func writeChroma(
        _ row: Int, to cb: UnsafeMutablePointer<UInt8>, _ cr: UnsafeMutablePointer<UInt8>, step: Int
    ) {
        guard isReady else { return }
        let (planes, from, out) = unsafe (samples + 1, samples + 3, samples + 5)
        for run in chroma.runs(row) {
            for index in 0...1 {
                let first = unsafe (index == 0 ? cb : cr) + run.column * step
                unsafe out[index] = PipSamples(first: first, stride: 0, step: Int32(step))
                unsafe from[index] = chroma.start(of: run, in: planes[index])
            }
            if unsafe from[0].first != nil {
                unsafe functions.copyPairs(from, out, Int32(run.count))
            } else {
                var places = unsafe chroma.places(of: run)
                unsafe functions.warpPairs(planes, &places, out, Int32(run.count))
            }
        }
    }
}
