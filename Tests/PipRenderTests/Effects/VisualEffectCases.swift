import Foundation
import PipEffects
import PipFrames

/// Effects that change a picture's look or shape, and their expected results.
enum VisualEffectCases {
    typealias Pixel = PixelGrid.Pixel

    static let all: [EffectCase] = drawings + warps + prints

    static func gradient(_ around: [Pixel]) -> Double {
        let y = around.map(\.luma)
        let across = y[2] + 2 * y[5] + y[8] - y[0] - 2 * y[3] - y[6]
        let down = y[6] + 2 * y[7] + y[8] - y[0] - 2 * y[1] - y[2]
        return hypot(across, down)
    }

    static func toon(_ grid: PixelGrid, _ threshold: Double, _ levels: Double) -> PixelGrid {
        grid.mapAround { around in
            let ink: Double = gradient(around) < threshold ? 1 : 0
            return around[4].mapColor { ($0 * levels + 0.5).rounded(.down) / levels * ink }
        }
    }

    static let drawings = [
        EffectCase(Sketch(strength: 0.6)) { grid in
            grid.mapAround { Pixel(gray: 1 - 0.6 * gradient($0), like: $0[4]) }
        },
        EffectCase(ThresholdSketch(threshold: 0.3), strays: 0.3) { grid in
            grid.mapAround { Pixel(gray: gradient($0) < 0.3 ? 1 : 0, like: $0[4]) }
        },
        EffectCase(Toon(threshold: 0.5, levels: 7), strays: 0.3) { toon($0, 0.5, 7) },
        // Values near a threshold or a half level may be rounded to either side, so some pixels may differ.
        EffectCase(SmoothToon(threshold: 0.4, levels: 5, radius: 1), strays: 3) {
            toon($0.blurred(sigma: 1).rounded, 0.4, 5)
        },
    ]

    /// The distance from a point, as a share of the shorter side.
    static func distance(_ grid: PixelGrid, _ x: Double, _ y: Double, from center: (x: Double, y: Double)) -> Double {
        let shorter = Double(min(grid.size.width, grid.size.height))
        return hypot((x - center.x) * Double(grid.size.width), (y - center.y) * Double(grid.size.height)) / shorter
    }

    static func moved(
        _ grid: PixelGrid, center: (x: Double, y: Double) = (0.5, 0.5), _ factor: (Double) -> Double
    ) -> PixelGrid {
        grid.warped { x, y in
            let factor = factor(distance(grid, x, y, from: center))
            return (center.x + (x - center.x) * factor, center.y + (y - center.y) * factor)
        }
    }

    static var bulge: Bulge {
        var effect = Bulge(scale: -0.6, radius: 0.4)
        (effect.centerX, effect.centerY) = (0.3, 0.6)
        return effect
    }

    static let warps = [
        EffectCase(Pixellate(size: 0.17)) { grid in
            let (wide, high) = cell(grid, 0.17)
            return grid.warped {
                (($0 / wide).rounded(.down) * wide + wide / 2, ($1 / high).rounded(.down) * high + high / 2)
            }
        },
        EffectCase(Swirl(angle: 200, radius: 0.45)) { grid in
            grid.warped { x, y in
                let d = distance(grid, x, y, from: (0.5, 0.5))
                let turn = d < 0.45 ? 200 * Double.pi / 180 * pow((0.45 - d) / 0.45, 2) : 0
                let (u, v) = ((x - 0.5) * grid.aspect, y - 0.5)
                return (0.5 + (cos(turn) * u - sin(turn) * v) / grid.aspect, 0.5 + sin(turn) * u + cos(turn) * v)
            }
        },
        EffectCase(bulge) { grid in
            moved(grid, center: (0.3, 0.6)) { d in d < 0.4 ? pow(1 + 0.6 * (0.4 - d) / 0.4, 2) : 1 }
        },
        EffectCase(Pinch(scale: 0.8, radius: 0.6)) { grid in
            moved(grid) { d in d < 0.6 ? 1 + 0.8 * (0.6 - d) / 0.6 : 1 }
        },
        EffectCase(Stretch()) { grid in
            func stretched(_ p: Double) -> Double {
                let n = 2 * p - 1
                return 0.5 + 0.5 * n * (0.5 + 0.5 * ImageEffectCases.smoothstep(0.25, 0.5, abs(n)))
            }
            return grid.warped { (stretched($0), stretched($1)) }
        },
    ]

    /// The width and height of a square cell in positions from 0 to 1, from its share of the shorter side.
    static func cell(_ grid: PixelGrid, _ size: Double) -> (Double, Double) {
        let shorter = Double(min(grid.size.width, grid.size.height))
        return (size * shorter / Double(grid.size.width), size * shorter / Double(grid.size.height))
    }

    static let prints = [
        EffectCase(Halftone(size: 0.3), within: 1.5) { grid in
            let (wide, high) = cell(grid, 0.3)
            let shorter = Double(min(grid.size.width, grid.size.height))
            return grid.mapPositions { c, x, y in
                let middle = ((x / wide).rounded(.down) * wide + wide / 2, (y / high).rounded(.down) * high + high / 2)
                let radius = (1 - grid.sample(middle.0, middle.1).luma) * 0.15 * shorter
                let away = distance(grid, x, y, from: middle) * shorter
                return Pixel(gray: 1 - min(max(radius - away + 0.5, 0), 1), like: c)
            }
        },
        EffectCase(Crosshatch(), within: 1.5, strays: 0.3) { grid in
            let shorter = Double(min(grid.size.width, grid.size.height))
            func ink(_ along: Double) -> Double {
                let rest = along - (along / 0.03).rounded() * 0.03
                return min(max((0.0015 - abs(rest)) * shorter / 2.squareRoot() + 0.5, 0), 1)
            }
            return grid.mapPositions { c, x, y in
                let (u, v) = (x * Double(grid.size.width) / shorter, y * Double(grid.size.height) / shorter)
                let lines = [(1.0, u + v), (0.75, u - v), (0.5, u + v - 0.015), (0.3, u - v - 0.015)]
                let most = lines.filter { c.luma < $0.0 }.map { ink($0.1) }.max() ?? 0
                return Pixel(gray: 1 - most, like: c)
            }
        },
    ]
}
