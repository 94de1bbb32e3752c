import Foundation
import PipEffects
import PipFrames

/// Effects that draw or find points, lines and cells, and their expected results.
enum MarkEffectCases {
    typealias Pixel = PixelGrid.Pixel

    static let all: [EffectCase] = marks + cells + points

    /// A colour composited over a pixel of an opaque picture.
    static func over(_ pixel: Pixel, _ color: Color, _ share: Double) -> Pixel {
        let ink = share * color.alpha
        return Pixel(color.red, color.green, color.blue, 1) * ink + pixel * (1 - ink)
    }

    static func clamped(_ value: Double) -> Double { min(max(value, 0), 1) }

    static let places = [ControlPoint(0.3, 0.4), ControlPoint(0.9, 0.1), ControlPoint(0.55, 0.8)]

    static let marks = [
        EffectCase(Crosshairs(places, size: 5, width: 1.5, color: Color(red: 1, green: 0.5, blue: 0, alpha: 0.8))) {
            grid in
            grid.mapPositions { pixel, x, y in
                var ink = 0.0
                for place in places {
                    let across = abs(x - Double(place.x)) * Double(grid.size.width)
                    let down = abs(y - Double(place.y)) * Double(grid.size.height)
                    ink = max(ink, clamped(1.25 - across) * clamped(5.5 - down))
                    ink = max(ink, clamped(1.25 - down) * clamped(5.5 - across))
                }
                return over(pixel, Color(red: 1, green: 0.5, blue: 0, alpha: 0.8), ink)
            }
        },
        EffectCase(Lines(places + [ControlPoint(0.1, 0.9)], width: 3)) { lines($0, isEndless: false) },
        EffectCase(Lines(places + [ControlPoint(0.1, 0.9)], width: 3, isEndless: true)) {
            lines($0, isEndless: true)
        },
        EffectCase(Circle(radius: 0.4, x: 0.4, y: 0.6, width: 2, color: .red)) { grid in
            grid.mapPositions { pixel, x, y in
                let out = circleDistance(grid, x - 0.4, y - 0.6, radius: 0.4)
                return over(pixel, .red, clamped(0.5 - out) * clamped(0.5 + out + 2))
            }
        },
        EffectCase(spot) { grid in
            grid.mapPositions { pixel, x, y in
                let disc = clamped(0.5 - circleDistance(grid, x - 0.5, y - 0.5, radius: 0.25))
                return over(over(pixel, .black, 1 - disc), .white, disc)
            }
        },
    ]

    /// A white disc on black, which serves as a mask.
    static var spot: Circle {
        var circle = Circle(radius: 0.25)
        circle.around = .black
        return circle
    }

    /// The signed distance from a circle's edge in pixels; positive outside.
    static func circleDistance(_ grid: PixelGrid, _ x: Double, _ y: Double, radius: Double) -> Double {
        let shorter = Double(min(grid.size.width, grid.size.height))
        return hypot(x * Double(grid.size.width), y * Double(grid.size.height)) - radius * shorter
    }

    static func lines(_ grid: PixelGrid, isEndless: Bool) -> PixelGrid {
        let ends = (places + [ControlPoint(0.1, 0.9)]).map {
            (x: Double($0.x) * Double(grid.size.width), y: Double($0.y) * Double(grid.size.height))
        }
        return grid.mapPositions { pixel, x, y in
            let (x, y) = (x * Double(grid.size.width), y * Double(grid.size.height))
            var ink = 0.0
            for index in [0, 2] {
                let (from, to) = (ends[index], ends[index + 1])
                let (across, down) = (to.x - from.x, to.y - from.y)
                var share = ((x - from.x) * across + (y - from.y) * down) / (across * across + down * down)
                if !isEndless { share = clamped(share) }
                ink = max(ink, clamped(2 - hypot(x - from.x - share * across, y - from.y - share * down)))
            }
            return over(pixel, .green, ink)
        }
    }

    // Rounding may choose either of two points at equal distances, so some pixels may differ.
    static let cells = [
        EffectCase(Voronoi(size: 0.2), strays: 1) { voronoi($0, size: 0.2, irregularity: 1, seed: 1) },
        EffectCase(Voronoi(size: 0.07, irregularity: 0.4, seed: 77), strays: 1) {
            voronoi($0, size: 0.07, irregularity: 0.4, seed: 77)
        },
        EffectCase(Voronoi(places: places), strays: 1) { grid in
            grid.mapPositions { _, x, y in
                let nearest = nearestPlace(grid, x, y)
                return grid.sample(nearest.x, nearest.y)
            }
        },
        EffectCase(Voronoi(places: places, show: .position), strays: 1) { grid in
            grid.mapPositions { _, x, y in Pixel(nearestPlace(grid, x, y).x, nearestPlace(grid, x, y).y, 0, 1) }
        },
    ]

    static func nearestPlace(_ grid: PixelGrid, _ x: Double, _ y: Double) -> (x: Double, y: Double) {
        let all = places.map { (x: Double($0.x), y: Double($0.y)) }
        return all.min { one, other in
            func away(_ place: (x: Double, y: Double)) -> Double {
                hypot((x - place.x) * Double(grid.size.width), (y - place.y) * Double(grid.size.height))
            }
            return away(one) < away(other)
        } ?? (0, 0)
    }

    /// Two random numbers from 0 to 1, by the hash pcg2d of Jarzynski and Olano (2020).
    static func chance(_ column: Int, _ row: Int, seed: Int) -> (x: Double, y: Double) {
        var x = UInt32(truncatingIfNeeded: column + 32768 + seed * 7919) &* 1_664_525 &+ 1_013_904_223
        var y = UInt32(truncatingIfNeeded: row + 32768 + seed * 7919) &* 1_664_525 &+ 1_013_904_223
        for _ in 0..<2 {
            x = x &+ y &* 1_664_525
            y = y &+ x &* 1_664_525
            x ^= x >> 16
            y ^= y >> 16
        }
        return (Double(x >> 8) / 16_777_216, Double(y >> 8) / 16_777_216)
    }

    static func voronoi(_ grid: PixelGrid, size: Double, irregularity: Double, seed: Int) -> PixelGrid {
        let shorter = Double(min(grid.size.width, grid.size.height))
        let (across, down) = (Double(grid.size.width) / shorter / size, Double(grid.size.height) / shorter / size)
        return grid.mapPositions { _, x, y in
            let (x, y) = (x * across, y * down)
            var best = (x: 0.0, y: 0.0, away: Double.infinity)
            // The nearest point lies within four rows and four columns of the position's cell.
            for row in Int(y.rounded(.down)) - 4...Int(y.rounded(.down)) + 4 {
                for column in Int(x.rounded(.down)) - 4...Int(x.rounded(.down)) + 4 {
                    let chance = chance(column, row, seed: seed)
                    let point = (
                        Double(column) + 0.5 + (chance.x - 0.5) * irregularity,
                        Double(row) + 0.5 + (chance.y - 0.5) * irregularity
                    )
                    let away = hypot(x - point.0, y - point.1)
                    if away < best.away { best = (point.0, point.1, away) }
                }
            }
            return grid.sample(clamped(best.x / across), clamped(best.y / down))
        }
    }

    static let ring = [(3, 1), (1, 3), (-1, 3), (-3, 1), (-3, -1), (-1, -3), (1, -3), (3, -1)]

    static let points = [
        EffectCase(XYDerivative(0.4)) { grid in
            grid.mapAround { around in
                let (x, y) = EdgeEffectCases.slope(around, 1)
                return Pixel(x * x * 0.16, y * y * 0.16, 0.5 + 0.08 * x * y, 1)
            }
        },
        // Rounding may decide between equal pixels, so some pixels may differ.
        EffectCase(NonMaximumSuppression(threshold: 0.4), strays: 1) { grid in
            grid.mapAround { around in
                let y = around.map(\.luma)
                let stays = y[..<4].allSatisfy { y[4] >= $0 } && y[5...].allSatisfy { y[4] > $0 } && y[4] >= 0.4
                return stays ? around[4] : Pixel(gray: 0, like: around[4])
            }
        },
        EffectCase(ColorFAST()) { grid in
            PixelGrid(grid.size) { x, y in
                let mean = ring.reduce(Pixel()) { $0 + grid.at(x + $1.0, y + $1.1) } / 8
                return (mean - grid.at(x, y)).mapColor { ($0 + 1) / 2 }.opaque
            }
        },
        // The result is an angle, which is inexact for small differences and wraps from 1 to 0.
        EffectCase(ColorFAST(radius: 0, show: .direction), within: 2, strays: 4) { grid in
            PixelGrid(grid.size) { x, y in
                let change = ring.reduce(Pixel()) { $0 + grid.at(x + $1.0, y + $1.1) } / 8 - grid.at(x, y)
                var lean = (x: 0.0, y: 0.0)
                for (i, j) in ring {
                    let point = grid.at(x + i, y + j)
                    for part in 0..<3 {
                        lean.x += abs(change[part]) * point[part] * Double(i)
                        lean.y += abs(change[part]) * point[part] * Double(j)
                    }
                }
                if abs(lean.y) < 1e-4 { lean.y = 0 }
                let angle = hypot(lean.x, lean.y) > 1e-5 ? atan2(lean.y, lean.x) : 0
                return Pixel(gray: angle / (2 * Double.pi) + 0.5, like: grid.at(x, y))
            }
        },
        EffectCase(ColorFAST(radius: 3), within: 2) { grid in
            let mean = grid.weighed(across: ImageEffectCases.box(3), down: ImageEffectCases.box(3)).rounded
            return PixelGrid(grid.size) { x, y in
                let around = ring.reduce(Pixel()) { $0 + mean.at(x + $1.0, y + $1.1) } / 8
                return (around - mean.at(x, y)).mapColor { ($0 + 1) / 2 }.opaque
            }
        },
    ]
}
