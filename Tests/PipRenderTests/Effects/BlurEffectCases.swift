import Foundation
import PipEffects
import PipFrames

/// Blurs and effects that use blurs, and their expected results.
enum BlurEffectCases {
    typealias Pixel = PixelGrid.Pixel

    static let all: [EffectCase] =
        directed + selective + painted + morphology + [bokeh, spots, elegance]
        + [LineBlur.Direction.across, .down].map(line)

    static func taps(_ grid: PixelGrid, _ step: @escaping (Double, Double) -> (Double, Double)) -> PixelGrid {
        let weights = [0.18, 0.15, 0.12, 0.09, 0.05]
        return grid.mapPositions { _, x, y in
            let (across, down) = step(x, y)
            return (-4...4).reduce(Pixel()) { sum, i in
                sum + grid.sample(x + Double(i) * across, y + Double(i) * down) * weights[abs(i)]
            }
        }
    }

    static let directed = [
        EffectCase(motion) { grid in
            let angle = 30 * Double.pi / 180
            let (width, height) = (Double(grid.size.width), Double(grid.size.height))
            return taps(grid) { _, _ in (1.3 * cos(angle) / width, 1.3 * sin(angle) / height) }
        },
        EffectCase(zoom) { grid in
            taps(grid) { x, y in (0.03 * (0.4 - x), 0.03 * (0.7 - y)) }
        },
    ]

    static var motion: MotionBlur {
        var effect = MotionBlur()
        (effect.size, effect.angle) = (1.3, 30)
        return effect
    }

    static var zoom: ZoomBlur {
        var effect = ZoomBlur()
        (effect.size, effect.centerX, effect.centerY) = (3, 0.4, 0.7)
        return effect
    }

    static func away(_ grid: PixelGrid, _ x: Double, _ y: Double) -> Double {
        VisualEffectCases.distance(grid, x, y, from: (0.5, 0.5))
    }

    static let selective = [
        EffectCase(SelectiveBlur(), within: 2) { grid in
            ImageEffectCases.combined(grid, grid.blurred(sigma: 5)) { c, blur, x, y in
                c + (blur - c) * ImageEffectCases.smoothstep(0.16, 0.33, away(grid, x, y))
            }
        },
        EffectCase(BlurPosition(), within: 2) { grid in
            ImageEffectCases.combined(grid, grid.blurred(sigma: 4)) { c, blur, x, y in
                blur + (c - blur) * ImageEffectCases.smoothstep(0.297, 0.33, away(grid, x, y))
            }
        },
        EffectCase(glow, within: 2) { grid in
            let bright = grid.map { $0.mapColor { max($0 - 0.6, 0) } }.rounded
            return ImageEffectCases.combined(grid, bright.blurred(sigma: 3)) { c, blur, _, _ in c + blur * 0.8 }
        },
        EffectCase(Diffusion(), within: 2) { grid in
            ImageEffectCases.combined(grid, grid.blurred(sigma: 6)) { c, blur, _, _ in c + (blur - c) * (0.5 * c.luma) }
        },
        EffectCase(frost, within: 2) { grid in
            grid.blurred(sigma: 3).map { c in
                let light = c.luma
                return c.mapColor { light + ($0 - light) * 0.8 + (0.5 - light) * 0.6 }
            }
        },
    ]

    static var glow: Glow {
        var effect = Glow()
        (effect.amount, effect.radius) = (0.8, 3)
        return effect
    }

    static var frost: FrostedGlass {
        var effect = FrostedGlass()
        effect.radius = 3
        return effect
    }

    static let painted = [
        EffectCase(SurfaceBlur()) { grid in
            PixelGrid(grid.size) { x, y in
                let own = grid.at(x, y)
                var sum = Pixel()
                var total = Pixel()
                for j in -4...4 {
                    for i in -4...4 {
                        let other = grid.at(x + i, y + j)
                        for part in 0..<4 {
                            let weight = max(1 - abs(other[part] - own[part]) / 0.25, 0)
                            sum[part] += weight * other[part]
                            total[part] += weight
                        }
                    }
                }
                return sum / total
            }
        },
        // Rounding decides between two squares of equal variance, so some pixels may differ.
        EffectCase(Kuwahara(), strays: 1) { grid in
            PixelGrid(grid.size) { x, y in
                let squares = [(-3, -3), (0, -3), (-3, 0), (0, 0)].map { (left, top) in
                    (0..<16).map { grid.at(x + left + $0 % 4, y + top + $0 / 4) }
                }
                let described = squares.map { square in
                    let mean = square.reduce(Pixel(), +) / 16
                    let spread = square.reduce(Pixel()) { $0 + ($1 - mean) * ($1 - mean) }
                    return (mean, spread.x + spread.y + spread.z)
                }
                return described.min { $0.1 < $1.1 }?.0 ?? Pixel()
            }
        },
    ]

    static func extreme(_ grid: PixelGrid, _ reach: Int, isLargest: Bool) -> PixelGrid {
        PixelGrid(grid.size) { x, y in
            var most = grid.at(x, y)
            for j in -reach...reach {
                for i in -reach...reach {
                    let other = grid.at(x + i, y + j)
                    most = isLargest ? pointwiseMax(most, other) : pointwiseMin(most, other)
                }
            }
            return most
        }
    }

    static let morphology = [
        EffectCase(Dilation(radius: 2)) { extreme($0, 2, isLargest: true) },
        EffectCase(Erosion(radius: 3)) { extreme($0, 3, isLargest: false) },
        EffectCase(Opening(radius: 1)) { extreme(extreme($0, 1, isLargest: false), 1, isLargest: true) },
        EffectCase(Closing(radius: 2)) { extreme(extreme($0, 2, isLargest: true), 2, isLargest: false) },
    ]

    static func line(_ direction: LineBlur.Direction) -> EffectCase {
        var effect = LineBlur()
        effect.direction = direction
        let bell = PixelGrid.bell(sigma: 4)
        return EffectCase(effect, within: 2) { grid in
            grid.weighed(across: direction == .across ? bell : nil, down: direction == .down ? bell : nil)
        }
    }

    static let spots = EffectCase(HighPassSkinSmoothing(), within: 4) { grid in
        func hardLight(_ below: Double, _ above: Double) -> Double {
            above < 0.5 ? 2 * below * above : 1 - 2 * (1 - below) * (1 - above)
        }
        func overlaid(_ c: Pixel) -> Double { hardLight(c.z / 2, c.y / 2) }
        let blur = grid.map { Pixel(gray: overlaid($0), like: $0) }.rounded.blurred(sigma: 8)
        return ImageEffectCases.combined(grid, blur) { c, blur, _, _ in
            let mask = (0..<3).reduce(overlaid(c) - blur.x + 0.5) { value, _ in hardLight(value, value) }
            let share = 0.65 * (1 - min(max(mask * 255 / 164, 0), 1))
            // The curve is the parabola through (0, 0), (120, 146) and (255, 255).
            let bend = (146.0 / 255 - 120.0 / 255) / (120.0 / 255 * 135 / 255)
            return c.mapColor { $0 + share * bend * $0 * (1 - $0) }
        }
    }

    static let elegance = EffectCase(SoftElegance(), within: 2) { grid in
        let warm = grid.map { c in
            Pixel(
                0.96 * c.x + 0.07 * c.y + 0.02 * c.z, 0.05 * c.x + 0.93 * c.y + 0.02 * c.z,
                0.06 * c.x + 0.12 * c.y + 0.76 * c.z, 1)
        }.rounded
        return ImageEffectCases.combined(warm, warm.blurred(sigma: 10)) { c, blur, _, _ in
            let soft = c + (blur - c) * 0.14
            return Pixel(0.92 * soft.x + 0.055, 0.91 * soft.y + 0.05, 0.88 * soft.z + 0.06, 1)
        }
    }

    static var bokehEffect: HexagonalBokeh {
        var effect = HexagonalBokeh()
        (effect.radius, effect.brightness, effect.angle) = (3, 0.8, 10)
        return effect
    }

    static let bokeh = EffectCase(bokehEffect) { grid in
        // One point lies in the middle, and 6, 12, 18 and 24 points lie evenly along the sides of four hexagons.
        var points: [(Double, Double)] = [(0, 0)]
        for ring in 1...4 {
            let corners = (0...6).map { corner in
                let angle = (10 + 60 * Double(corner)) * Double.pi / 180
                return (cos(angle) * 0.75 * Double(ring), sin(angle) * 0.75 * Double(ring))
            }
            for side in 0..<6 {
                for step in 0..<ring {
                    let part = Double(step) / Double(ring)
                    points.append(
                        (
                            corners[side].0 * (1 - part) + corners[side + 1].0 * part,
                            corners[side].1 * (1 - part) + corners[side + 1].1 * part
                        ))
                }
            }
        }
        return grid.mapPositions { _, x, y in
            var sum = Pixel()
            var total = 0.0
            for (across, down) in points {
                let c = grid.sample(x + across / Double(grid.size.width), y + down / Double(grid.size.height))
                let weight = 1 + 8 * pow(c.luma, 4)
                sum += c * weight
                total += weight
            }
            return sum / total
        }
    }
}
