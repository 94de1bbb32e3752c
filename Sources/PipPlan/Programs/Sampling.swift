internal import PipFrames

/// An area filter: the number of an image's samples that are averaged for a pixel of the canvas.
struct Sampling {
    /// The width and height of the averaged area, in samples; 1 or more.
    var width: (x: Double, y: Double)
    /// The number of samples that the area may touch, across and down.
    var taps: (x: Int, y: Int)
    /// The column of the first sample for the first value, and the number of samples from one value to the next.
    ///
    /// Nil where either is not a whole number, and where a warp displaces positions.
    private var columns: (first: Int, stride: Int)?
    private var hasWholeRows: Bool

    /// - Parameters:
    ///   - map: The map from canvas pixels to samples.
    ///   - step: The number of canvas pixels from one value to the next: 1, or 2 for 4:2:0 chroma.
    ///   - first: The position of the first value, in canvas pixels.
    ///   - isWarped: True when a warp displaces positions, which may then lie anywhere among the samples.
    init(map: Mapping, step: (x: Double, y: Double) = (1, 1), first: (x: Double, y: Double), isWarped: Bool = false) {
        let extent = map.extent
        // A map that swaps the axes exchanges the steps.
        let across = map.b == 0 ? step.x : step.y
        let down = map.d == 0 ? step.y : step.x
        let stride = (x: extent.x * across, y: extent.y * down)
        width = (max(stride.x, 1), max(stride.y, 1))
        let place = map.applied(x: first.x, y: first.y)
        taps = (
            Self.taps(width: width.x, stride: isWarped ? nil : stride.x, center: place.x),
            Self.taps(width: width.y, stride: isWarped ? nil : stride.y, center: place.y)
        )
        hasWholeRows =
            !isWarped && place.y - width.y / 2 > -1e-4 && Self.isWhole(stride: stride.y, low: place.y - width.y / 2)
        let low = place.x - width.x / 2
        if !isWarped && Self.isWhole(stride: stride.x, low: low) {
            columns = (Int(low.rounded()), Int(stride.x.rounded()))
        }
    }

    /// The number of texels across that the area may touch, with `count` samples to a texel.
    func texels(ofSamples count: Int) -> Int {
        guard let columns else { return (taps.x + count - 2) / count + 1 }
        return (0..<count).reduce(1) { most, value in
            let place = columns.first + value * columns.stride
            let offset = place - place.roundedDown(to: count)
            return max(most, (offset + taps.x).dividedUp(by: count))
        }
    }

    /// True when the area consists of whole texels, with `count` samples to a texel.
    func isExact(ofSamples count: Int) -> Bool {
        // An area that begins left of the image contains positions without samples.
        guard let columns, columns.first >= 0 else { return false }
        return hasWholeRows && texels(ofSamples: count) * count == taps.x
    }

    /// The number of samples that are read along an axis.
    ///
    /// `stride`: The distance from one value to the next, in samples; nil when it varies.
    private static func taps(width: Double, stride: Double?, center: Double) -> Int {
        if let stride, isWhole(stride: stride, low: center - width / 2) { return Int(width.rounded()) }
        return Int((width - 1e-6).rounded(.up)) + 1
    }

    private static func isWhole(stride: Double, low: Double) -> Bool {
        abs(stride - stride.rounded()) < 1e-6 && stride >= 0.5 && abs(low - low.rounded()) < 1e-4
    }
}
