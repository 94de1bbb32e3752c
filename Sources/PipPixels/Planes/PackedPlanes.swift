internal import CYUV
internal import PipFrames
internal import PipPlan

/// Writes all 4:2:0 planes from packed 4:2:2 of the same size, and reads the source once.
final class PackedPlanes: PlaneWriter {
    let source: Int
    let readsPacked = false
    private let luma: Blit
    private let chroma: [Blit]
    private let operation: Operation

    private enum Operation {
        case pairs
        /// Writes separate planes of chroma: `first` is luma's first byte, and `isSwapped` is true when Cr comes before
        /// Cb.
        case planes(first: Int, isSwapped: Bool)
    }

    /// Creates a writer for the first blits of `blits`, which write one layer; ``count`` is their number.
    ///
    /// Nil where the blits do anything else or change values, and for odd sizes. Chroma pairs are written from `YUYV`
    /// only: libyuv allocates memory to make pairs from `UYVY`, and has no operation for other orders.
    init?(_ blits: ArraySlice<Blit>, source: Int) {
        guard let luma = blits.first, luma.plane == 0, case .everySecond(let first, mean: 1) = luma.conversion.samples
        else { return nil }
        let chroma = blits.dropFirst().prefix { $0.plane > 0 }
        let size = PixelSize(luma.region.width / 2, luma.region.height / 2)
        var places: [Int] = []
        for (index, blit) in chroma.enumerated() {
            guard blit.plane == index + 1, blit.source == luma.source, blit.region.size == size,
                blit.firstColumn * 2 == luma.firstColumn, blit.firstRow * 2 == luma.firstRow,
                case .packedChroma(let own, mean: 1) = blit.conversion.samples
            else { return nil }
            places += own
        }
        let isUnchanged = ([luma] + chroma).allSatisfy {
            $0.conversion == Blit.Conversion($0.conversion.samples)
        }
        let isEven = luma.region.width % 2 == 0 && luma.region.height % 2 == 0
        guard isUnchanged, isEven else { return nil }
        switch (chroma.count, first, places) {
        case (1, 0, [1, 3]): operation = .pairs
        case (2, 0, [1, 3]), (2, 1, [0, 2]): operation = .planes(first: first, isSwapped: false)
        case (2, 0, [3, 1]), (2, 1, [2, 0]): operation = .planes(first: first, isSwapped: true)
        default: return nil
        }
        self.source = source
        self.luma = luma
        self.chroma = Array(chroma)
    }

    /// The number of blits that this writer performs.
    var count: Int { 1 + chroma.count }

    var rows: Int { luma.region.height }

    func write(_ rows: Range<Int>, from frame: Frame, to buffer: FrameBuffer, _ layout: FrameLayout) {
        guard let source = SourceRows(luma, 1, frame), let out = PlaneTarget(luma, buffer, layout),
            let first = PlaneTarget(chroma[0], buffer, layout),
            let last = PlaneTarget(chroma[chroma.count - 1], buffer, layout)
        else { return }
        let line = unsafe source.line(0)
        let stride = Int32(source.stride)
        let (width, height) = (Int32(luma.region.width), Int32(luma.region.height))
        switch operation {
        case .pairs:
            // libyuv 1857 writes wrong pairs with AVX2 at the end of a row when the last 32 columns are 17 to 31 wide.
            let whole = width % 32 > 16 ? width & ~15 : width
            for columns in [0..<whole, whole..<width] where !columns.isEmpty {
                let column = Int(columns.lowerBound)
                _ = unsafe YUY2ToNV12(
                    line + 2 * column, stride, out.line(0) + column, Int32(out.stride), first.line(0) + column,
                    Int32(first.stride), Int32(columns.count), height)
            }
        case .planes(let place, let isSwapped):
            let (cb, cr) = isSwapped ? (last, first) : (first, last)
            let convert = unsafe place == 0 ? YUY2ToI420 : UYVYToI420
            _ = unsafe convert(
                line, stride, out.line(0), Int32(out.stride), cb.line(0), Int32(cb.stride), cr.line(0),
                Int32(cr.stride), width, height)
        }
    }
}
