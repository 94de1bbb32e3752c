internal import PipFrames

/// Scales 32-bit pixels with a triangle filter, first along rows, then along columns.
///
/// The filter is bilinear when it enlarges, and avoids aliasing when it reduces. libyuv is no alternative: the weights
/// of its filter add up to 127/128, which turns white into 253.
///
/// Thread: one thread at a time. Allocates only when sizes change.
@safe final class PictureScaler {
    private var columns = ScalerTaps(1, 1)
    private var rows = ScalerTaps(1, 1)
    private var size = PixelSize(1, 1)
    /// The rows of the source, scaled to the target's width.
    private let narrowed = PixelMemory()
    private let scaled = PixelMemory()

    /// Scales a picture.
    ///
    /// - Parameters:
    ///   - source: The upper left pixel of the picture.
    ///   - stride: The number of bytes from row to row of the picture.
    ///   - size: The size of the picture.
    ///   - target: The size of the scaled picture.
    /// - Returns: The scaled picture, without padding between its rows; valid until the next call.
    @unsafe func scale(
        _ source: UnsafePointer<UInt8>, stride: Int, _ size: PixelSize, to target: PixelSize
    ) -> UnsafePointer<UInt8> {
        if size != self.size || columns.count != target.width || rows.count != target.height {
            columns = ScalerTaps(size.width, target.width)
            rows = ScalerTaps(size.height, target.height)
            self.size = size
        }
        let between = unsafe narrowed.room(for: PixelSize(target.width, size.height))
        for row in 0..<size.height {
            unsafe narrow(
                UnsafeRawPointer(source + row * stride).assumingMemoryBound(to: UInt32.self),
                to: between + row * target.width)
        }
        let result = unsafe scaled.room(for: target)
        for row in 0..<target.height {
            unsafe blend(between, to: result + row * target.width, row, width: target.width)
        }
        return unsafe UnsafePointer(UnsafeRawPointer(result).assumingMemoryBound(to: UInt8.self))
    }

    // Two channels of a pixel share a word: a channel of 255, weighted by weights that add up to 256, fits into 16
    // bits.
    private static let mask: UInt32 = 0xff_00ff
    private static let half: UInt32 = 0x80_0080

    @unsafe private func narrow(_ source: UnsafePointer<UInt32>, to target: UnsafeMutablePointer<UInt32>) {
        unsafe columns.withTaps { starts, weights, taps in
            for column in 0..<starts.count {
                var (even, odd) = (Self.half, Self.half)
                let start = unsafe starts[column]
                for tap in 0..<taps {
                    let pixel = unsafe source[start &+ tap]
                    let weight = unsafe weights[column &* taps &+ tap]
                    even &+= (pixel & Self.mask) &* weight
                    odd &+= (pixel >> 8 & Self.mask) &* weight
                }
                unsafe target[column] = even >> 8 & Self.mask | odd & ~Self.mask
            }
        }
    }

    @unsafe private func blend(
        _ source: UnsafeMutablePointer<UInt32>, to target: UnsafeMutablePointer<UInt32>, _ row: Int, width: Int
    ) {
        unsafe rows.withTaps { starts, weights, taps in
            let first = unsafe source + starts[row] * width
            for column in 0..<width {
                var (even, odd) = (Self.half, Self.half)
                for tap in 0..<taps {
                    let pixel = unsafe first[tap &* width &+ column]
                    let weight = unsafe weights[row &* taps &+ tap]
                    even &+= (pixel & Self.mask) &* weight
                    odd &+= (pixel >> 8 & Self.mask) &* weight
                }
                unsafe target[column] = even >> 8 & Self.mask | odd & ~Self.mask
            }
        }
    }
}

/// The source samples from which each sample of a scaled line is made, with their weights.
struct ScalerTaps {
    /// The index of the first source sample for each target sample.
    private var starts: [Int] = []
    /// The weights of the source samples, `taps` for each target sample; these add up to 256.
    private var weights: [UInt32] = []
    private let taps: Int

    /// - Parameters:
    ///   - source: The number of source samples; 1 or more.
    ///   - target: The number of target samples; 1 or more.
    init(_ source: Int, _ target: Int) {
        let ratio = Double(source) / Double(target)
        let reach = max(1, ratio)
        taps = min(source, Int(reach.rounded(.up)) * 2)
        for index in 0..<target {
            let centre = (Double(index) + 0.5) * ratio - 0.5
            let first = min(max(0, Int((centre - reach).rounded(.down)) + 1), source - taps)
            let shares = (first..<first + taps).map { place in
                Self.share(of: place, count: source, centre: centre, reach: reach)
            }
            let sum = shares.reduce(0, +)
            var rounded = shares.map { Int(($0 / sum * 256).rounded()) }
            let largest = rounded.indices.max { rounded[$0] < rounded[$1] } ?? 0
            rounded[largest] += 256 - rounded.reduce(0, +)
            starts.append(first)
            weights += rounded.map(UInt32.init)
        }
    }

    /// The weight of a source sample before normalization.
    ///
    /// The first and the last sample also take the weights of the positions beyond them.
    private static func share(of place: Int, count: Int, centre: Double, reach: Double) -> Double {
        func weight(_ place: Int) -> Double { max(0, 1 - abs(Double(place) - centre) / reach) }
        var share = weight(place)
        let most = Int(reach.rounded(.up)) + 1
        if place == 0 { for beyond in 1...most { share += weight(-beyond) } }
        if place == count - 1 { for beyond in 1...most { share += weight(place + beyond) } }
        return share
    }

    var count: Int { starts.count }

    /// Calls `body` with the starts, the weights, and the number of weights for each start.
    func withTaps(_ body: (UnsafeBufferPointer<Int>, UnsafeBufferPointer<UInt32>, Int) -> Void) {
        unsafe starts.withUnsafeBufferPointer { starts in
            unsafe weights.withUnsafeBufferPointer { weights in unsafe body(starts, weights, taps) }
        }
    }
}

/// Memory for an intermediate picture of 32-bit pixels, which grows as needed.
@safe final class PixelMemory {
    private var memory: UnsafeMutablePointer<UInt32>?
    private var capacity = 0

    deinit { unsafe memory?.deallocate() }

    /// Returns memory for a picture without padding between its rows; valid until the next call.
    @unsafe func room(for size: PixelSize) -> UnsafeMutablePointer<UInt32> {
        let count = size.area
        if let memory = unsafe memory, count <= capacity { return unsafe memory }
        unsafe memory?.deallocate()
        let made = UnsafeMutablePointer<UInt32>.allocate(capacity: count)
        (unsafe memory, capacity) = (unsafe made, count)
        return unsafe made
    }
}
