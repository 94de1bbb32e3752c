import PipEffects
import PipFrames

/// A picture of red, green, blue and alpha from 0 to 1, on which the effects' references work.
struct PixelGrid: Sendable {
    typealias Pixel = SIMD4<Double>

    let size: PixelSize
    var pixels: [Pixel]
    /// The spacing of the pixels that `mapPositions` and `mapAround` compute; above 1 for large pictures.
    var step = 1

    /// Makes a picture from a function of column and row, or only every `step`th pixel of it; other pixels are 0.
    init(_ size: PixelSize, every step: Int = 1, _ value: (Int, Int) -> Pixel) {
        self.size = size
        self.step = step
        pixels = []
        pixels.reserveCapacity(size.area)
        for y in 0..<size.height {
            for x in 0..<size.width {
                pixels.append((y * size.width + x) % step == 0 ? value(x, y) : Pixel())
            }
        }
    }

    /// Reads the pixels of an RGB frame.
    init(_ frame: Frame) {
        let reference = ReferencePicture(frame)
        self.init(frame.size) { x, y in
            Pixel(
                reference.rgba(0, x, y), reference.rgba(1, x, y), reference.rgba(2, x, y), reference.rgba(3, x, y))
                / 255
        }
    }

    /// The pixel at a column and a row.
    ///
    /// Coordinates beyond the edges give the nearest pixel of the edge.
    func at(_ x: Int, _ y: Int) -> Pixel {
        pixels[min(max(y, 0), size.height - 1) * size.width + min(max(x, 0), size.width - 1)]
    }

    /// The interpolated pixel at a position from 0 to 1.
    func sample(_ x: Double, _ y: Double) -> Pixel {
        let column = min(max(x * Double(size.width), 0.5), Double(size.width) - 0.5) - 0.5
        let row = min(max(y * Double(size.height), 0.5), Double(size.height) - 0.5) - 0.5
        let left = Int(column)
        let top = Int(row)
        let across = column - Double(left)
        let down = row - Double(top)
        let above = at(left, top) * (1 - across) + at(left + 1, top) * across
        let below = at(left, top + 1) * (1 - across) + at(left + 1, top + 1) * across
        return above * (1 - down) + below * down
    }

    /// The position of a pixel's centre, from 0 to 1.
    func position(_ x: Int, _ y: Int) -> (x: Double, y: Double) {
        ((Double(x) + 0.5) / Double(size.width), (Double(y) + 0.5) / Double(size.height))
    }

    /// The width divided by the height.
    var aspect: Double { Double(size.width) / Double(size.height) }

    func map(_ change: (Pixel) -> Pixel) -> PixelGrid { PixelGrid(size) { x, y in change(at(x, y)) } }

    /// Applies a function to every pixel and the pixel's position.
    func mapPositions(_ change: (Pixel, Double, Double) -> Pixel) -> PixelGrid {
        PixelGrid(size, every: step) { x, y in
            let (u, v) = position(x, y)
            return change(at(x, y), u, v)
        }
    }

    /// Applies a function to the 3×3 pixels around each pixel, row by row.
    func mapAround(_ change: ([Pixel]) -> Pixel) -> PixelGrid {
        PixelGrid(size, every: step) { x, y in
            var around: [Pixel] = []
            for j in -1...1 {
                for i in -1...1 { around.append(at(x + i, y + j)) }
            }
            return change(around)
        }
    }

    /// Filters along both axes with symmetric kernels, given from their centres on.
    ///
    /// A nil kernel leaves its axis unchanged.
    func weighed(across: [Double]?, down: [Double]?) -> PixelGrid {
        var result = self
        for (kernel, isDown) in [(across, false), (down, true)] {
            guard let kernel else { continue }
            let before = result
            result = PixelGrid(size) { x, y in
                var sum = before.at(x, y) * kernel[0]
                for (away, weight) in kernel.enumerated().dropFirst() {
                    let (i, j) = isDown ? (0, away) : (away, 0)
                    sum += (before.at(x + i, y + j) + before.at(x - i, y - j)) * weight
                }
                return sum
            }
        }
        return result
    }

    /// The picture blurred with a Gaussian, truncated where the Gaussian is below a millionth of its peak.
    func blurred(sigma: Double) -> PixelGrid {
        let bell = Self.bell(sigma: sigma)
        return weighed(across: bell, down: bell)
    }

    static func bell(sigma: Double) -> [Double] {
        let reach = Int(sigma * 5.3) + 1
        let weights = (0...reach).map { Self.exponential(-Double($0 * $0) / (2 * sigma * sigma)) }
        let sum = weights[0] + 2 * weights.dropFirst().reduce(0, +)
        return weights.map { $0 / sum }
    }

    var mean: Pixel { pixels.reduce(Pixel(), +) / Double(pixels.count) }

    /// The picture reduced to `size`: the means of a mesh of rectangles.
    func shrunk(to size: PixelSize) -> PixelGrid {
        let width = Double(self.size.width) / Double(size.width)
        let height = Double(self.size.height) / Double(size.height)
        return PixelGrid(size) { x, y in
            var sum = Pixel()
            for row in 0..<self.size.height {
                let down = min(Double(y + 1) * height, Double(row + 1)) - max(Double(y) * height, Double(row))
                if down <= 0 { continue }
                for column in 0..<self.size.width {
                    let across = min(Double(x + 1) * width, Double(column + 1)) - max(Double(x) * width, Double(column))
                    if across > 0 { sum += at(column, row) * (across * down) }
                }
            }
            return sum / (width * height)
        }
    }

    /// The picture rounded to 8 bits, as pictures are between passes.
    var rounded: PixelGrid {
        map { pixel in
            (pixel.clamped(lowerBound: Pixel(), upperBound: Pixel(1, 1, 1, 1)) * 255).rounded(.toNearestOrEven) / 255
        }
    }
}

extension SIMD4<Double> {
    /// The luma of an RGB pixel, with the weights of BT.709.
    var luma: Double { 0.2126 * x + 0.7152 * y + 0.0722 * z }

    /// Makes a grey pixel with another pixel's alpha.
    init(gray: Double, like other: SIMD4<Double>) { self.init(gray, gray, gray, other.w) }

    /// The pixel after applying a function to each of red, green and blue.
    func mapColor(_ change: (Double) -> Double) -> SIMD4<Double> { SIMD4(change(x), change(y), change(z), w) }
}
