import Foundation
import PipEffects
import PipFrames

/// Effects that count the values of a whole picture, and their expected results.
enum TallyEffectCases {
    typealias Pixel = PixelGrid.Pixel

    static let all: [EffectCase] =
        [
            EffectCase(HistogramEqualization()) { equalized($0, by: [3, 3, 3], share: 1, step: 4) },
            EffectCase(HistogramEqualization(0.4, channels: .rgb, step: 1)) {
                equalized($0, by: [0, 1, 2], share: 0.4)
            },
            EffectCase(CLAHE()) { clahe($0, clip: 2, PixelSize(8, 8), share: 1, step: 2) },
            EffectCase(CLAHE(clip: 1.3, columns: 3, rows: 2, amount: 0.7, step: 1)) {
                clahe($0, clip: 1.3, PixelSize(3, 2), share: 0.7)
            },
            EffectCase(Luminosity()) { grid in grid.map { Pixel(gray: grid.mean.luma, like: $0) } },
        ] + displays

    // Pixels at the end of a bar may differ, because the end may fall on the middle of a pixel.
    static let displays = [
        EffectCase(HistogramDisplay(height: 1, step: 1), strays: 0.5) {
            display($0, height: 1, background: 0, [0, 1, 2])
        },
        EffectCase(HistogramDisplay(height: 0.5, background: 0.3, channels: .luma, step: 1), strays: 0.5) {
            display($0, height: 0.5, background: 0.3, [3, 3, 3])
        },
    ]

    /// The codes of red, green, blue and luma, with integer luma weights of 1/65536.
    static func codes(_ pixel: Pixel) -> [Int] {
        let parts = (0..<3).map { Int((min(max(pixel[$0], 0), 1) * 255).rounded()) }
        return parts + [(parts[0] * 13933 + parts[1] * 46871 + parts[2] * 4732 + 32768) / 65536]
    }

    /// The histograms of red, green, blue and luma, for an area of the picture.
    static func counts(
        _ grid: PixelGrid, columns: Range<Int>, rows: Range<Int>, step: Int = 1
    ) -> [[Int]] {
        var counts = Array(repeating: Array(repeating: 0, count: 256), count: 4)
        for y in stride(from: rows.lowerBound, to: rows.upperBound, by: step) {
            for x in stride(from: columns.lowerBound, to: columns.upperBound, by: step) {
                let at = grid.at(mirrored(x, grid.size.width), mirrored(y, grid.size.height))
                for (channel, code) in codes(at).enumerated() { counts[channel][code] += 1 }
            }
        }
        return counts
    }

    /// The coordinate within the picture to which a coordinate beyond the right or lower edge is mirrored.
    static func mirrored(_ place: Int, _ count: Int) -> Int {
        if count == 1 { return 0 }
        let around = place % (2 * count - 2)
        return around < count ? around : 2 * count - 2 - around
    }

    static func sums(_ counts: [Int]) -> [Int] {
        var sum = 0
        return counts.map {
            sum += $0
            return sum
        }
    }

    /// The histograms of the whole picture, each cell of the 8×8 mesh sampled from its own first pixel on.
    static func meshCounts(_ grid: PixelGrid, step: Int) -> [[Int]] {
        let width = (grid.size.width + 7) / 8
        let height = (grid.size.height + 7) / 8
        var sums = Array(repeating: Array(repeating: 0, count: 256), count: 4)
        for cell in 0..<64 {
            let (x, y) = (cell % 8 * width, cell / 8 * height)
            guard x < grid.size.width, y < grid.size.height else { continue }
            let own = counts(
                grid, columns: x..<min(x + width, grid.size.width), rows: y..<min(y + height, grid.size.height),
                step: step)
            for channel in 0..<4 {
                for value in 0..<256 { sums[channel][value] += own[channel][value] }
            }
        }
        return sums
    }

    static func equalized(
        _ grid: PixelGrid, by channels: [Int], share: Double, step: Int = 1
    ) -> PixelGrid {
        let counts = meshCounts(grid, step: step)
        let curves = counts.map { counts -> [Double] in
            let sums = sums(counts)
            let least = counts.first { $0 > 0 } ?? 0
            let rest = counts.reduce(0, +) - least
            return (0..<256).map { code in
                rest == 0 ? Double(code) / 255 : Double(max(sums[code] - least, 0)) / Double(rest)
            }
        }
        return PixelGrid(grid.size, every: grid.step) { x, y in
            var pixel = grid.at(x, y)
            let codes = codes(pixel)
            for part in 0..<3 {
                let channel = channels[part]
                pixel[part] += share * (curves[channel][codes[channel]] - Double(codes[channel]) / 255)
            }
            return pixel
        }
    }

    /// The curve of OpenCV's `CLAHE`, which counts, clips and redistributes in integers.
    static func curve(_ counts: [Int], clip: Double) -> [Double] {
        let area = counts.reduce(0, +)
        let limit = max(Int(clip * Double(area) / 256), 1)
        let excess = counts.reduce(0) { $0 + max($1 - limit, 0) }
        var clipped = counts.map { min($0, limit) + excess / 256 }
        var rest = excess % 256
        let stride = max(256 / max(rest, 1), 1)
        var bin = 0
        while bin < 256 && rest > 0 {
            clipped[bin] += 1
            rest -= 1
            bin += stride
        }
        return sums(clipped).map { Double($0) / Double(area) }
    }

    static func clahe(_ grid: PixelGrid, clip: Double, _ tiles: PixelSize, share: Double, step: Int = 1) -> PixelGrid {
        let width = (grid.size.width + tiles.width - 1) / tiles.width
        let height = (grid.size.height + tiles.height - 1) / tiles.height
        let curves = (0..<tiles.area).map { tile -> [Double] in
            let (column, row) = (tile % tiles.width, tile / tiles.width)
            let own = counts(
                grid, columns: column * width..<(column + 1) * width, rows: row * height..<(row + 1) * height,
                step: step)
            return curve(own[3], clip: clip)
        }
        func value(_ column: Int, _ row: Int, _ code: Int) -> Double {
            let x = min(max(column, 0), tiles.width - 1)
            return curves[min(max(row, 0), tiles.height - 1) * tiles.width + x][code]
        }
        return PixelGrid(grid.size, every: grid.step) { x, y in
            let pixel = grid.at(x, y)
            let code = codes(pixel)[3]
            let (across, down) = (Double(x) / Double(width) - 0.5, Double(y) / Double(height) - 0.5)
            let (column, row) = (Int(across.rounded(.down)), Int(down.rounded(.down)))
            let (right, below) = (across - Double(column), down - Double(row))
            let upper = value(column, row, code) * (1 - right) + value(column + 1, row, code) * right
            let lower = value(column, row + 1, code) * (1 - right) + value(column + 1, row + 1, code) * right
            let change = upper * (1 - below) + lower * below - Double(code) / 255
            return pixel.mapColor { $0 + share * change }
        }
    }

    static func display(
        _ grid: PixelGrid, height: Double, background: Double, _ channels: [Int]
    ) -> PixelGrid {
        let counts = counts(grid, columns: 0..<grid.size.width, rows: 0..<grid.size.height)
        let most = Double(channels.flatMap { counts[$0] }.max() ?? 1)
        return grid.mapPositions { pixel, x, y in
            let level = (1 - y) / height
            if level > 1 { return pixel }
            var result = pixel.mapColor { $0 * background }
            for part in 0..<3 where Double(counts[channels[part]][Int(x * 256)]) / most >= level { result[part] = 1 }
            return result
        }
    }
}
