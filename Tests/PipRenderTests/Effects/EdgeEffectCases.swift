import Foundation
import PipEffects
import PipFrames

/// Effects that find edges and texture or make black and white, and their expected results.
enum EdgeEffectCases {
    typealias Pixel = PixelGrid.Pixel

    static let all: [EffectCase] = edges + textures + thresholds + Corners.Measure.allCases.map(corners)

    static func slope(_ around: [Pixel], _ weight: Double) -> (x: Double, y: Double) {
        let y = around.map(\.luma)
        return (
            y[2] + weight * y[5] + y[8] - y[0] - weight * y[3] - y[6],
            y[6] + weight * y[7] + y[8] - y[0] - weight * y[1] - y[2]
        )
    }

    static func directions(_ around: [Pixel]) -> Pixel {
        let (x, y) = slope(around, 2)
        let size = hypot(x, y)
        func step(_ part: Double) -> Double {
            // A direction within 67.5° of the axis counts as along the axis.
            size > 0 && abs(part) / size >= cos(67.5 * Double.pi / 180) ? (part > 0 ? 1 : 0) : 0.5
        }
        return Pixel(size, step(x), step(y), 1)
    }

    static let edges = [
        EffectCase(strengthened) { grid in
            grid.mapAround { Pixel(gray: 0.7 * hypot(slope($0, 1).x, slope($0, 1).y), like: $0[4]) }
        },
        EffectCase(ThresholdEdge(), strays: 0.3) { grid in
            grid.mapAround { Pixel(gray: hypot(slope($0, 2).x, slope($0, 2).y) >= 0.25 ? 1 : 0, like: $0[4]) }
        },
        EffectCase(DirectionalSobel(), strays: 3) { $0.mapAround(directions) },
        EffectCase(Laplacian()) { grid in
            grid.mapAround { around in
                let corners = around[0] + around[2] + around[6] + around[8]
                let sides = around[1] + around[3] + around[5] + around[7]
                return (corners * 0.5 + sides - around[4] * 6).mapColor { $0 + 0.5 }.opaque
            }
        },
        // Rounding decides ties and thresholds in three passes, so some pixels may differ.
        EffectCase(sharpCanny(0.2, 0.6), strays: 3) { canny($0, 0.2, 0.6) },
        // The thresholds exceed 1, because gradients do.
        EffectCase(sharpCanny(1, 2.5), strays: 3) { canny($0, 1, 2.5) },
    ]

    static var strengthened: Prewitt {
        var effect = Prewitt()
        effect.strength = 0.7
        return effect
    }

    static func sharpCanny(_ lower: Float, _ upper: Float) -> Canny {
        var effect = Canny()
        (effect.radius, effect.lower, effect.upper) = (0, lower, upper)
        return effect
    }

    static func canny(_ grid: PixelGrid, _ lower: Double, _ upper: Double) -> PixelGrid {
        let thin = grid.mapAround(directions).mapAround { around in
            let ahead = (around[4].y * 2 - 1).rounded() + 3 * (around[4].z * 2 - 1).rounded()
            let beside = max(around[4 + Int(ahead)].x, around[4 - Int(ahead)].x)
            let share = ImageEffectCases.smoothstep(lower, upper, around[4].x)
            return Pixel(gray: around[4].x >= beside ? share : 0, like: around[4])
        }.rounded
        return thin.mapAround { around in
            let sum = around.reduce(0) { $0 + $1.x }
            return Pixel(gray: sum >= 1.5 && around[4].x >= 0.01 ? 1 : 0, like: around[4])
        }
    }

    static func pattern(_ around: [Double]) -> Double {
        var sum = 0.0
        for (bit, index) in [2, 1, 0, 3, 6, 7, 8, 5].enumerated() where around[index] >= around[4] {
            sum += pow(2, Double(bit)) / 255
        }
        return sum
    }

    static let textures = [
        EffectCase(LocalBinaryPattern(), strays: 2) { grid in
            grid.mapAround { Pixel(gray: pattern($0.map(\.luma)), like: $0[4]) }
        },
        EffectCase(coloredPattern) { grid in
            grid.mapAround { around in
                Pixel(pattern(around.map(\.x)), pattern(around.map(\.y)), pattern(around.map(\.z)), 1)
            }
        },
        EffectCase(Median()) { grid in
            grid.mapAround { around in
                func middle(_ part: Int) -> Double { around.map { $0[part] }.sorted()[4] }
                return Pixel(middle(0), middle(1), middle(2), 1)
            }
        },
        EffectCase(detail, within: 6) { grid in
            let mean = grid.weighed(across: ImageEffectCases.box(4), down: ImageEffectCases.box(4)).rounded
            return ImageEffectCases.combined(grid, mean) { c, m, _, _ in
                let away = (c - m) * 2
                return away * away
            }
        },
    ]

    static var detail: BoxHighPass {
        var effect = BoxHighPass()
        effect.delta = 2
        return effect
    }

    static var coloredPattern: LocalBinaryPattern {
        var effect = LocalBinaryPattern()
        effect.isColored = true
        return effect
    }

    static func corners(_ measure: Corners.Measure) -> EffectCase {
        var effect = Corners()
        (effect.measure, effect.radius, effect.sensitivity, effect.threshold) = (measure, 1, 3, 0.3)
        effect.mark = 0
        // Rounding decides ties and thresholds, so some pixels may differ.
        return EffectCase(effect, strays: 2) { grid in
            let products = grid.mapAround { around in
                let (x, y) = slope(around, 1)
                return Pixel(x * x / 4, y * y / 4, 0.5 + x * y / 8, 1)
            }.blurred(sigma: 1)
            let rated = products.map { c in
                let (across, down, both) = (c.x, c.y, 2 * c.z - 1)
                // The two values are the eigenvalues of the matrix of gradient products.
                let root = ((across - down) * (across - down) / 4 + both * both).squareRoot()
                let (large, small) = ((across + down) / 2 + root, (across + down) / 2 - root)
                let trace = large + small
                let value: Double =
                    switch measure {
                    case .harris: max(large * small - 0.04 * trace * trace, 0).squareRoot()
                    case .noble: trace > 0 ? 2 * large * small / trace : 0
                    case .shiTomasi: small
                    }
                return Pixel(gray: min(value * 3, 1), like: c)
            }
            return rated.mapAround { around in
                let values = around.map(\.x)
                let isLargest =
                    values[..<4].allSatisfy { values[4] >= $0 } && values[5...].allSatisfy { values[4] > $0 }
                return Pixel(gray: isLargest && values[4] >= 0.3 ? 1 : 0, like: around[4])
            }
        }
    }

    static let thresholds = [
        EffectCase(AdaptiveThreshold(), strays: 1) { grid in
            ImageEffectCases.combined(
                grid, grid.weighed(across: ImageEffectCases.box(4), down: ImageEffectCases.box(4))
            ) { c, m, _, _ in Pixel(gray: c.luma - m.luma + 0.05 >= 0 ? 1 : 0, like: c) }
        },
        EffectCase(AverageLuminanceThreshold(), strays: 0.3) { grid in
            // The margin makes a single pixel, which equals its own mean, count as bright.
            let mean = grid.mean.luma - 1e-6
            return grid.map { Pixel(gray: $0.luma >= mean ? 1 : 0, like: $0) }
        },
        EffectCase(AverageColor()) { grid in grid.map { _ in grid.mean } },
    ]
}

extension SIMD4<Double> {
    var opaque: SIMD4<Double> { SIMD4(x, y, z, 1) }
}
