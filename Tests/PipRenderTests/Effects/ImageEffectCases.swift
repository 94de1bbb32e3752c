import Foundation
import PipEffects
import PipFrames

/// Effects that blur, convolve, mix or transform pictures, and their expected results.
enum ImageEffectCases {
    typealias Pixel = PixelGrid.Pixel

    static let all: [EffectCase] = blurs + kernels + mixes + [bilateral, skin] + transforms

    /// The kernel of a box blur: whole pixels within the radius, and a fraction of the next ones.
    static func box(_ radius: Double) -> [Double] {
        let parts = (0...Int(radius) + 1).map { $0 == 0 ? 1 : min(max(radius - Double($0 - 1), 0), 1) }
        let sum = parts[0] + 2 * parts.dropFirst().reduce(0, +)
        return parts.map { $0 / sum }
    }

    static let blurs = [0.5, 2, 5.25].map { radius in
        EffectCase(BoxBlur(radius: Float(radius)), within: 1.5) { $0.weighed(across: box(radius), down: box(radius)) }
    }

    static func convolved(_ weights: [Double]) -> @Sendable (PixelGrid) -> PixelGrid {
        { grid in
            grid.mapAround { around in
                let sum = zip(around, weights).reduce(Pixel()) { $0 + $1.0 * $1.1 }
                return Pixel(sum.x, sum.y, sum.z, around[4].w)
            }
        }
    }

    static let kernels = [
        EffectCase(Sharpen(0.7), convolved([0, -0.7, 0, -0.7, 3.8, -0.7, 0, -0.7, 0])),
        EffectCase(Sharpen(-0.1), convolved([0, 0.1, 0, 0.1, 0.6, 0.1, 0, 0.1, 0])),
        EffectCase(
            Convolution([0.1, 0, -0.3, 0.5, 0.2, 0, 0, 0.25, 0.25]),
            convolved([0.1, 0, -0.3, 0.5, 0.2, 0, 0, 0.25, 0.25])),
        EffectCase(Emboss(intensity: 1.5), convolved([-3, -1.5, 0, -1.5, 1, 1.5, 0, 1.5, 3])),
    ]

    static let mixes = [
        EffectCase(UnsharpMask(amount: 2, radius: 1.5), within: 4) { grid in
            combined(grid, grid.blurred(sigma: 1.5)) { c, blur, _, _ in c + (c - blur) * 2 }
        },
        EffectCase(TiltShift(radius: 3, top: 0.3, bottom: 0.55, falloff: 0.2), within: 2) { grid in
            combined(grid, grid.blurred(sigma: 3)) { c, blur, _, y in
                let sharp = smoothstep(0.1, 0.3, y) * (1 - smoothstep(0.55, 0.75, y))
                return blur + (c - blur) * sharp
            }
        },
    ]

    static func smoothstep(_ low: Double, _ high: Double, _ x: Double) -> Double {
        let t = min(max((x - low) / (high - low), 0), 1)
        return t * t * (3 - 2 * t)
    }

    /// Mixes two pictures pixel by pixel, and keeps the first picture's alpha.
    static func combined(
        _ first: PixelGrid, _ second: PixelGrid, _ mix: (Pixel, Pixel, Double, Double) -> Pixel
    ) -> PixelGrid {
        PixelGrid(first.size) { x, y in
            let (u, v) = first.position(x, y)
            let mixed = mix(first.at(x, y), second.at(x, y), u, v)
            return Pixel(mixed.x, mixed.y, mixed.z, first.at(x, y).w)
        }
    }

    static let bilateral = EffectCase(Bilateral(spacing: 2, distance: 3), within: 2) { grid in
        let weights = [0.18, 0.15, 0.12, 0.09, 0.05]
        func pass(_ grid: PixelGrid, _ step: (Int, Int)) -> PixelGrid {
            PixelGrid(grid.size) { x, y in
                let own = grid.at(x, y)
                var sum = Pixel()
                var total = 0.0
                for i in -4...4 {
                    let other = grid.at(x + i * step.0, y + i * step.1)
                    let away = other - own
                    let distance = (away.x * away.x + away.y * away.y + away.z * away.z).squareRoot()
                    let weight = weights[abs(i)] * (1 - min(3 * distance, 1))
                    sum += other * weight
                    total += weight
                }
                return sum / total
            }
        }
        return pass(pass(grid, (2, 0)).rounded, (0, 2))
    }

    static let skin = EffectCase(SkinSmoothing(0.8, sharpen: 0.25, radius: 3), within: 3) { grid in
        let mean = grid.weighed(across: box(3), down: box(3)).rounded
        let detail = combined(grid, mean) { c, mean, _, _ in
            let away = (c - mean) * 7.07
            return (away * away).clamped(lowerBound: Pixel(), upperBound: Pixel(1, 1, 1, 1))
        }.weighed(across: box(3), down: box(3))
        let smooth = PixelGrid(grid.size) { x, y in
            let (c, m, v) = (grid.at(x, y), mean.at(x, y), detail.at(x, y))
            let skin = min(max((min(c.x, m.x - 0.1) - 0.2) * 4, 0), 1)
            let variance = (v.x + v.y + v.z) / 3
            let share = min(max((1 - variance / (variance + 0.1)) * skin * 0.8, 0), 1)
            return c + (m - c) * share
        }.rounded
        return combined(smooth, smooth.weighed(across: [0.5, 0.25], down: [0.5, 0.25])) { c, soft, _, _ in
            c + (c - soft) * 0.5
        }
    }

    static let transforms: [EffectCase] = [
        EffectCase(Transform(angle: 30, scale: 0.7, x: 0.1, y: -0.05), within: 1.5, strays: 1) { grid in
            grid.mapTo { x, y in
                // The inverse undoes the shift, the rotation and the scale, in picture heights from the middle.
                let (u, v) = ((x - 0.5 - 0.1) * grid.aspect, y - 0.5 + 0.05)
                let angle = 30 * Double.pi / 180
                return (
                    0.5 + (cos(angle) * u + sin(angle) * v) / 0.7 / grid.aspect,
                    0.5 + (-sin(angle) * u + cos(angle) * v) / 0.7
                )
            }
        },
        EffectCase(tilted, within: 1.5, strays: 1) { grid in
            grid.mapTo { x, y in
                // The ray from the eye, two picture heights away, meets the plane that is tilted by 40°: y' = v cos, z'
                // = -v sin.
                let angle = 40 * Double.pi / 180
                let (across, down) = ((x - 0.5) * grid.aspect, y - 0.5)
                let v = 2 * down / (2 * cos(angle) + down * sin(angle))
                let depth = 2 - v * sin(angle)
                return (0.5 + across * depth / 2 / grid.aspect, 0.5 + v)
            }
        },
    ]

    static var tilted: Transform {
        var effect = Transform(scale: 1)
        effect.tiltX = 40
        return effect
    }
}

extension PixelGrid {
    /// A picture whose pixels come from other positions, with black outside of the picture and edges one pixel wide.
    func mapTo(_ place: (Double, Double) -> (Double, Double)) -> PixelGrid {
        mapPositions { _, x, y in
            let (u, v) = place(x, y)
            let inside =
                min(max((0.5 - abs(u - 0.5)) * Double(size.width) + 0.5, 0), 1)
                * min(max((0.5 - abs(v - 0.5)) * Double(size.height) + 0.5, 0), 1)
            let color = sample(u, v)
            return Pixel(color.x * inside, color.y * inside, color.z * inside, color.w)
        }
    }

    /// A picture whose pixels come from other positions.
    func warped(_ place: (Double, Double) -> (Double, Double)) -> PixelGrid {
        mapPositions { _, x, y in
            let (u, v) = place(x, y)
            return sample(u, v)
        }
    }
}
