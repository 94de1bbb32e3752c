internal import CPixels
internal import PipPlan

/// An affine change of a plane's samples, in this project's vector code, because libyuv has tables for RGB only.
struct ValueMap {
    private enum Change {
        case none
        case bytes(scale: Float, offset: Float)
        /// The factors of both halves and the offset, for the first half of a pair and then for the second.
        case pairs([Float])
    }

    private let change: Change
    private let functions = RowSet.best.functions

    init(_ values: Blit.Values) {
        switch values {
        case .affine(let scale, let offset): change = .bytes(scale: Float(scale), offset: Float(offset * 255))
        case .affinePairs(let matrix, let offset):
            change = .pairs(
                [matrix[0], matrix[1], offset[0] * 255, matrix[2], matrix[3], offset[1] * 255].map { Float($0) })
        // ``PreparedChroma`` mixes samples of both planes with `affinePairs` instead.
        case .same, .affineOfBoth: change = .none
        }
    }

    /// Changes the values of a row of samples.
    ///
    /// Writes nothing to `out` where values stay the same.
    func change(_ values: UnsafePointer<UInt8>, to out: UnsafeMutablePointer<UInt8>, _ count: Int) {
        switch change {
        case .none: break
        case .bytes(let scale, let offset): unsafe functions.scaleBytes(values, scale, offset, out, Int32(count))
        case .pairs(let map):
            unsafe functions.mixPairs(values, map, out, Int32(count / 2))
        }
    }

    /// Changes pairs whose first halves lie in one row and whose second halves in another.
    func changePairs(
        _ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>, to low: UnsafeMutablePointer<UInt8>,
        _ high: UnsafeMutablePointer<UInt8>, _ count: Int
    ) {
        guard case .pairs(let map) = change else { return }
        unsafe functions.mixBytes(first, second, map, low, high, Int32(count))
    }
}
