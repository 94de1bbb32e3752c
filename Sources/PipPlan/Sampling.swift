internal import PipFrames

/// How many samples of an image a pixel of the canvas averages.
struct Sampling: Hashable {
    /// Width of the averaged part in samples, across and down; 1 or more.
    var width: (x: Double, y: Double)
    /// Samples that the part may touch.
    var taps: (x: Int, y: Int)

    /// - Parameters:
    ///   - map: From canvas pixels to samples.
    ///   - step: Canvas pixels from one value to the next: 1, or 2 for 4:2:0 chroma.
    ///   - first: The place of the first value, in canvas pixels.
    init(map: Mapping, step: (x: Double, y: Double) = (1, 1), first: (x: Double, y: Double)) {
        let extent = map.extent
        // Turned maps exchange the steps.
        let across = map.b == 0 ? step.x : step.y
        let down = map.d == 0 ? step.y : step.x
        let stride = (x: extent.x * across, y: extent.y * down)
        width = (max(stride.x, 1), max(stride.y, 1))
        let place = map.applied(x: first.x, y: first.y)
        taps = (
            Self.taps(width: width.x, stride: stride.x, center: place.x),
            Self.taps(width: width.y, stride: stride.y, center: place.y)
        )
    }

    private static func taps(width: Double, stride: Double, center: Double) -> Int {
        let isWhole = abs(stride - stride.rounded()) < 1e-6 && stride >= 0.5
        let low = center - width / 2
        if isWhole && abs(low - low.rounded()) < 1e-4 { return Int(width.rounded()) }
        return Int((width - 1e-6).rounded(.up)) + 1
    }

    static func == (left: Sampling, right: Sampling) -> Bool {
        left.width == right.width && left.taps == right.taps
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(width.x)
        hasher.combine(width.y)
        hasher.combine(taps.x)
        hasher.combine(taps.y)
    }
}
