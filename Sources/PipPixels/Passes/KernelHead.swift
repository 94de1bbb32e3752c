internal import CPixels
internal import Glibc
internal import PipFrames
internal import PipPlan

/// The distance from a pixel of the canvas to its sample in a picture that is shown upright and, along at least one
/// axis, one to one.
struct PixelOffset {
    /// The number of columns from a canvas column to the picture's column.
    let columns: Int
    let rows: Int

    /// - Parameters:
    ///   - source: The map from canvas pixels to samples.
    ///   - region: The part of the canvas that is drawn.
    init(_ source: Mapping, _ region: RowRegion) {
        let (x, y) = (region.columns.lowerBound, region.rows.lowerBound)
        let place = source.applied(x: Double(x) + 0.5, y: Double(y) + 0.5)
        columns = Int(place.x.rounded(.down)) - x
        rows = Int(place.y.rounded(.down)) - y
    }

    /// Creates an offset; nil where a pixel of the canvas is not exactly one sample.
    init?(exactly source: Mapping, _ region: RowRegion) {
        self.init(source, region)
        let (columns, rows) = (region.columns, region.rows)
        let moved = Mapping.translation(Double(self.columns), Double(self.rows))
        for (column, row) in [
            (columns.lowerBound, rows.lowerBound), (columns.upperBound, rows.lowerBound),
            (columns.lowerBound, rows.upperBound),
        ] {
            let place = source.applied(x: Double(column), y: Double(row))
            let wanted = moved.applied(x: Double(column), y: Double(row))
            guard abs(place.x - wanted.x) < 0.01, abs(place.y - wanted.y) < 0.01 else { return nil }
        }
    }
}

/// Filters a picture's pixels with a symmetric kernel in one direction.
@safe final class KernelHead: RowHead {
    private let functions: PipRowFunctions
    private let weights: [Float]
    private let isVertical: Bool
    private let region: RowRegion
    private let offset: PixelOffset
    private let source: PictureRows
    private let hasAlpha: Bool
    private let lines: UnsafeMutablePointer<UnsafePointer<Float>?>

    /// - Parameters:
    ///   - weights: The weights of one side of the kernel, the centre's first.
    ///   - isVertical: True when the kernel works down, false when it works across.
    ///   - picture: The picture, upright and one to one on the canvas.
    ///   - region: The part of the canvas that is drawn.
    ///   - functions: The row loops that are compiled for one instruction set.
    init(
        _ weights: [Double], isVertical: Bool, of picture: MappedPicture, _ region: RowRegion,
        _ functions: PipRowFunctions
    ) {
        let (map, picture) = (picture.map, picture.pixels)
        self.functions = functions
        self.weights = weights.map { Float($0) }
        self.isVertical = isVertical
        self.region = region
        offset = PixelOffset(map, region)
        hasAlpha = picture.hasAlpha
        let first = region.columns.lowerBound + offset.columns
        let count = 2 * weights.count - 1
        source = PictureRows(
            picture, columns: first..<first + region.count, margin: isVertical ? 0 : weights.count + 2,
            kept: isVertical ? count : 1, hasAlpha: picture.hasAlpha, straightens: false, functions)
        unsafe lines = .allocate(capacity: count)
        unsafe lines.initialize(repeating: nil, count: count)
    }

    deinit { unsafe lines.deallocate() }

    func begin(_ memory: PlaneMemory, at time: Duration) { source.begin(memory) }

    func read(_ row: Int, into block: RowBlock) {
        let (count, taps) = (Int32(region.count), Int32(weights.count))
        if !hasAlpha { block.fill(3, with: 1, count: region.count) }
        let components = hasAlpha && block.hasAlpha ? 4 : 3
        if isVertical {
            let middle = row + offset.rows
            for component in 0..<components {
                guard let out = unsafe block.component(component) else { continue }
                for index in 0..<2 * weights.count - 1 {
                    let line = source.row(middle + index - weights.count + 1)
                    unsafe lines[index] = UnsafePointer(line.component(component))
                }
                unsafe functions.convolveDown(lines, weights, taps, out, count)
            }
        } else {
            let own = source.row(row + offset.rows)
            for component in 0..<components {
                guard let out = unsafe block.component(component) else { continue }
                unsafe functions.convolveAcross(own.component(component), weights, taps, out, count)
            }
        }
        if components == 4 { unsafe functions.straighten(block.rows, count) }
    }
}

/// Resamples a picture in one direction with Lanczos's kernel of three lobes.
///
/// Results are clamped to the range of the samples under the middle lobe, which prevents ringing.
///
/// Source: Duchon, "Lanczos filtering in one and two dimensions", 1979.
@safe final class LanczosHead: RowHead {
    private let functions: PipRowFunctions
    private let isVertical: Bool
    private let region: RowRegion
    private let offset: PixelOffset
    private let source: PictureRows
    private let hasAlpha: Bool
    private let places: [Place]
    private let taps: Int
    /// The index in a row of `source` of the first sample that each column reads, for a horizontal kernel.
    private let starts: [Int32]
    private let weights: [Float]
    private let bounds: [Int32]
    private let lines: UnsafeMutablePointer<UnsafePointer<Float>?>

    /// The samples that one position of the result reads, with their weights.
    fileprivate struct Place {
        var start: Int
        var weights: [Float]
        var bounds: ClosedRange<Int>
    }

    /// - Parameters:
    ///   - samples: The number of samples of the picture for one position of the result.
    ///   - isVertical: True when the kernel works down, false when it works across.
    ///   - picture: The upright picture.
    ///   - region: The part of the canvas that is drawn.
    ///   - functions: The row loops that are compiled for one instruction set.
    init(
        _ samples: Double, isVertical: Bool, of picture: MappedPicture, _ region: RowRegion,
        _ functions: PipRowFunctions
    ) {
        let (map, picture) = (picture.map, picture.pixels)
        self.functions = functions
        self.isVertical = isVertical
        self.region = region
        offset = PixelOffset(map, region)
        hasAlpha = picture.hasAlpha
        let taps = Int((6 * max(samples, 1)).rounded(.down)) + 1
        self.taps = taps
        let range = isVertical ? region.rows : region.columns
        places = range.map { pixel in
            let place = map.applied(x: Double(pixel) + 0.5, y: Double(pixel) + 0.5)
            return Place(middle: (isVertical ? place.y : place.x) - 0.5, width: max(samples, 1), taps: taps)
        }
        let least = places.map(\.start).min() ?? 0
        let most = (places.map(\.start).max() ?? 0) + taps
        starts = places.map { Int32($0.start - least) }
        let places = places
        weights = isVertical ? [] : (0..<taps).flatMap { tap in places.map { $0.weights[tap] } }
        bounds = places.flatMap { [Int32($0.bounds.lowerBound), Int32($0.bounds.upperBound)] }
        let first = region.columns.lowerBound + offset.columns
        source = PictureRows(
            picture, columns: isVertical ? first..<first + region.count : least..<most,
            kept: isVertical ? taps : 1, hasAlpha: picture.hasAlpha, straightens: false, functions)
        unsafe lines = .allocate(capacity: taps)
        unsafe lines.initialize(repeating: nil, count: taps)
    }

    deinit { unsafe lines.deallocate() }

    func begin(_ memory: PlaneMemory, at time: Duration) { source.begin(memory) }

    func read(_ row: Int, into block: RowBlock) {
        let count = Int32(region.count)
        if !hasAlpha { block.fill(3, with: 1, count: region.count) }
        let components = hasAlpha && block.hasAlpha ? 4 : 3
        for component in 0..<components {
            guard let out = unsafe block.component(component) else { continue }
            if isVertical {
                let place = places[row - region.rows.lowerBound]
                for tap in 0..<taps {
                    unsafe lines[tap] = UnsafePointer(source.row(place.start + tap).component(component))
                }
                unsafe functions.boundedRows(
                    lines, place.weights, Int32(place.bounds.lowerBound), Int32(place.bounds.upperBound), Int32(taps),
                    out, count)
            } else {
                let own = source.row(row + offset.rows)
                unsafe functions.boundedColumns(
                    own.component(component), starts, weights, bounds, Int32(taps), out, count)
            }
        }
        if components == 4 { unsafe functions.straighten(block.rows, count) }
    }
}

extension LanczosHead.Place {
    /// - Parameters:
    ///   - middle: The position in samples; 0 is the centre of the first sample.
    ///   - width: The width of a lobe, in samples.
    ///   - taps: The number of samples that are read.
    fileprivate init(middle: Double, width: Double, taps: Int) {
        let start = Int((middle - 3 * width).rounded(.up))
        let offsets = (start..<start + taps).map { (Double($0) - middle) / width }
        let values = offsets.map(Self.kernel)
        let total = values.reduce(0, +)
        let inner = offsets.indices.filter { abs(offsets[$0]) < 1 }
        self.init(
            start: start, weights: values.map { Float($0 / total) },
            bounds: (inner.first ?? 0)...max(inner.last ?? 0, inner.first ?? 0))
    }

    /// Lanczos's kernel: sinc(x) sinc(x / 3).
    private static func kernel(_ x: Double) -> Double {
        if abs(x) < 1e-4 { return 1 }
        if abs(x) >= 3 { return 0 }
        let angle = Double.pi * x
        return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
    }
}
