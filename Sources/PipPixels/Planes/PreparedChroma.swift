internal import PipFrames
internal import PipPlan

/// Writes both chroma planes of a planar output, and reads their common source once.
final class PreparedChroma: PlaneWriter {
    let source: Int
    let readsPacked: Bool
    private let blits: [Blit]
    private let count: Int
    private let way: Way

    private enum Way {
        /// Takes pairs out of packed samples, then splits them.
        ///
        /// Each half has the position of its samples in a pair, and the change of their values.
        case parted(Blit, SampleRows, RowMemory<UInt8>, Half, Half)
        /// Splits pairs: `isSwapped` is true when the first plane takes the second samples. The maps change the values.
        case split(isSwapped: Bool, [ValueMap])
        /// Computes each sample from both chroma planes of the source.
        case mixed(ValueMap)
    }

    private struct Half {
        let offset: Int
        let values: ValueMap

        init(_ places: [Int], _ values: Blit.Values) {
            offset = places[0] / 2
            self.values = ValueMap(values)
        }

        func take(of pairs: UnsafePointer<UInt8>, to out: UnsafeMutablePointer<UInt8>, _ count: Int) {
            unsafe LibraryRows.takeEverySecond(pairs, 2 * count, first: offset, to: out, count)
            unsafe values.change(out, to: out, count)
        }
    }

    /// Creates a writer; nil where the two blits cannot be written together from the same source samples.
    init?(_ first: Blit, _ second: Blit, source: Int) {
        guard first.source == second.source, first.plane == 1, second.plane == 2, first.region == second.region,
            first.firstColumn == second.firstColumn, first.firstRow == second.firstRow
        else { return nil }
        self.source = source
        blits = [first, second]
        count = first.region.width
        let conversions = [first.conversion, second.conversion]
        guard conversions.allSatisfy({ $0.kernel == nil && $0.scaling == nil }) else { return nil }
        switch (conversions[0].samples, conversions[1].samples) {
        case (.packedChroma(let one, let mean), .packedChroma(let other, let otherMean)):
            guard one.count == 1, other.count == 1, mean == otherMean else { return nil }
            var pairs = first
            pairs.conversion = Blit.Conversion(.packedChroma(places: (one + other).sorted(), mean: mean))
            way = .parted(
                pairs, SampleRows(pairs.conversion, parts: 2, count: 2 * count), RowMemory(rows: 1, count: 2 * count),
                Half(one, conversions[0].values), Half(other, conversions[1].values))
            readsPacked = true
        case (.everySecond(let one, mean: 1), .everySecond(let other, mean: 1)):
            guard one != other else { return nil }
            way = .split(isSwapped: one == 1, conversions.map { ValueMap($0.values) })
            readsPacked = false
        case (.plane(mean: 1), .plane(mean: 1)):
            guard case .affineOfBoth(let own, let other, let offset) = conversions[0].values,
                case .affineOfBoth(let own2, let other2, let offset2) = conversions[1].values
            else { return nil }
            way = .mixed(
                ValueMap(.affinePairs(matrix: [own, other, other2, own2], offset: [offset, offset2])))
            readsPacked = false
        default: return nil
        }
    }

    var rows: Int { blits[0].region.height }

    func write(_ rows: Range<Int>, from frame: Frame, to buffer: FrameBuffer, _ layout: FrameLayout) {
        guard let first = PlaneTarget(blits[0], buffer, layout), let second = PlaneTarget(blits[1], buffer, layout)
        else { return }
        switch way {
        case .parted(let blit, let samples, let memory, let low, let high):
            guard let source = SourceRows(blit, 2, frame) else { return }
            for row in rows {
                let pairs = unsafe samples.take(row, of: source, to: memory[0], 2 * count)
                unsafe low.take(of: pairs, to: first.line(row), count)
                unsafe high.take(of: pairs, to: second.line(row), count)
            }
        case .split(let isSwapped, let values):
            guard let source = SourceRows(blits[0], 2, frame) else { return }
            let (low, high) = isSwapped ? (second, first) : (first, second)
            for row in rows {
                unsafe LibraryRows.split(source.line(row), to: low.line(row), high.line(row), count)
                unsafe values[0].change(first.line(row), to: first.line(row), count)
                unsafe values[1].change(second.line(row), to: second.line(row), count)
            }
        case .mixed(let values):
            guard let source = SourceRows(blits[0], 1, frame) else { return }
            for row in rows {
                unsafe values.changePairs(
                    source.line(row), source.beside(row), to: first.line(row), second.line(row), count)
            }
        }
    }
}
