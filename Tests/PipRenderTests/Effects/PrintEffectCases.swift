import Foundation
import PipEffects
import PipFrames

/// Effects that draw the picture as dots, tiles and spheres, and their expected results.
enum PrintEffectCases {
    typealias Pixel = PixelGrid.Pixel

    static let all: [EffectCase] = cells + screens + spheres + [noise, tiles]

    static func middle(_ grid: PixelGrid, _ size: Double, _ x: Double, _ y: Double) -> (Double, Double) {
        let (wide, high) = VisualEffectCases.cell(grid, size)
        return ((x / wide).rounded(.down) * wide + wide / 2, (y / high).rounded(.down) * high + high / 2)
    }

    static func shorter(_ grid: PixelGrid) -> Double { Double(min(grid.size.width, grid.size.height)) }

    static let cells = [
        EffectCase(hidden, strays: 0.3) { grid in
            grid.warped { x, y in
                BlurEffectCases.away(grid, x, y) < 0.25 ? middle(grid, 0.06, x, y) : (x, y)
            }
        },
        EffectCase(polar, strays: 1) { grid in
            grid.warped { x, y in
                let radius = (BlurEffectCases.away(grid, x, y) / 0.1).rounded(.down) * 0.1 + 0.05
                let turn = atan2((y - 0.5) * Double(grid.size.height), (x - 0.5) * Double(grid.size.width))
                let step = 25 * Double.pi / 180
                let angle = (turn / step).rounded(.down) * step + step / 2
                return (
                    0.5 + radius * cos(angle) * shorter(grid) / Double(grid.size.width),
                    0.5 + radius * sin(angle) * shorter(grid) / Double(grid.size.height)
                )
            }
        },
        EffectCase(dots, within: 1.5) { grid in
            grid.mapPositions { _, x, y in
                let center = middle(grid, 0.3, x, y)
                let away = VisualEffectCases.distance(grid, x, y, from: center) * shorter(grid)
                let inside = min(max(0.15 * 0.9 * shorter(grid) - away + 0.5, 0), 1)
                return grid.sample(center.0, center.1).mapColor { $0 * inside }
            }
        },
        EffectCase(CGAColors(), strays: 1) { grid in
            let colors = [Pixel(0, 0, 0, 1), Pixel(1, 1, 1, 1), Pixel(1.0 / 3, 1, 1, 1), Pixel(1, 1.0 / 3, 1, 1)]
            return grid.warped { x, y in
                (((x * 320).rounded(.down) + 0.5) / 320, ((y * 200).rounded(.down) + 0.5) / 200)
            }.map { c in
                colors.min { one, other in
                    let (a, b) = ((one - c) * (one - c), (other - c) * (other - c))
                    return a.x + a.y + a.z < b.x + b.y + b.z
                } ?? c
            }
        },
    ]

    static var hidden: PixellatePosition {
        var effect = PixellatePosition()
        effect.size = 0.06
        return effect
    }

    static var polar: PolarPixellate {
        var effect = PolarPixellate()
        (effect.size, effect.angle) = (0.1, 25)
        return effect
    }

    static var dots: PolkaDot {
        var effect = PolkaDot()
        effect.size = 0.3
        return effect
    }

    /// The threshold of luma of a dot screen, whose dots are 0.2 of the shorter side apart.
    static func screen(_ grid: PixelGrid, _ x: Double, _ y: Double, degrees: Double) -> Double {
        let (u, v) = (x * Double(grid.size.width) / shorter(grid), y * Double(grid.size.height) / shorter(grid))
        let angle = degrees * Double.pi / 180
        let along = cos(angle) * u + sin(angle) * v
        let across = cos(angle) * v - sin(angle) * u
        return 0.5 + 0.25 * (cos(2 * Double.pi * along / 0.2) + cos(2 * Double.pi * across / 0.2))
    }

    static let screens = [
        EffectCase(screenEffect) { grid in
            grid.mapPositions { c, x, y in
                let above = c.luma - screen(grid, x, y, degrees: 30)
                return Pixel(gray: min(max(above * 0.2 * shorter(grid) + 0.5, 0), 1), like: c)
            }
        },
        EffectCase(colorScreen) { grid in
            grid.mapPositions { c, x, y in
                func printed(_ value: Double, _ degrees: Double) -> Double {
                    (value - screen(grid, x, y, degrees: degrees)) * 0.2 * shorter(grid) + 0.5
                }
                return Pixel(printed(c.x, 0), printed(c.y, 60), printed(c.z, 30), 1)
            }
        },
    ]

    static var screenEffect: DotScreen {
        var effect = DotScreen()
        (effect.size, effect.angle) = (0.2, 30)
        return effect
    }

    static var colorScreen: ColorHalftone {
        var effect = ColorHalftone()
        (effect.size, effect.angle) = (0.2, 30)
        return effect
    }

    static func sphere(_ grid: PixelGrid, isUpright: Bool) -> PixelGrid {
        grid.mapPositions { _, x, y in
            let u = (x - 0.5) * Double(grid.size.width) / shorter(grid) / 0.4
            let v = (y - 0.5) * Double(grid.size.height) / shorter(grid) / 0.4
            let depth = max(1 - u * u - v * v, 0).squareRoot() + 1e-4
            let length = (u * u + v * v + depth * depth).squareRoot()
            let normal = (u / length, v / length, depth / length)
            // The refraction follows Snell's law, with the ray from the eye along (0, 0, -1).
            let k = 1 - 0.71 * 0.71 * (1 - normal.2 * normal.2)
            let factor = -(0.71 * -normal.2 + k.squareRoot())
            let ray = (factor * normal.0, factor * normal.1)
            let way = isUpright ? -2.0 : 1
            let color = grid.sample(0.5 + way * ray.0 / 2, 0.5 + way * ray.1 / 2)
            let inside = min(max((1 - hypot(u, v)) * 0.4 * shorter(grid) + 0.5, 0), 1)
            let facing = max(0, (-0.5 * normal.0 + 0.5 * normal.1 + normal.2) / 1.5.squareRoot())
            let light = isUpright ? 2.5 * (1 - pow(normal.2, 0.25)) + 0.8 * pow(facing, 15) : 0
            return color.mapColor { ($0 + light) * inside }.opaque
        }
    }

    static let spheres = [
        EffectCase(SphereRefraction(), within: 1.5) { sphere($0, isUpright: false) },
        EffectCase(GlassSphere(), within: 1.5) { sphere($0, isUpright: true) },
    ]

    static let tiles = EffectCase(Mosaic(size: 0.3, tiles: .dots), within: 1.5) { grid in
        grid.mapPositions { _, x, y in
            let center = middle(grid, 0.3, x, y)
            let color = grid.sample(center.0, center.1)
            // The disc has one of sixteen radii in a tile of 16×16 texels, and is interpolated.
            let radius = (min((color.luma * 16).rounded(.down), 15) / 15 / Double.pi).squareRoot() * 16
            func point(_ column: Int, _ row: Int) -> Double {
                let away = hypot(Double(min(column, 15)) - 7.5, Double(min(row, 15)) - 7.5)
                return (min(max(radius - away + 0.5, 0), 1) * 255).rounded() / 255
            }
            let (wide, high) = VisualEffectCases.cell(grid, 0.3)
            func place(_ away: Double) -> Double { min(max((away + 0.5) * 16 - 0.5, 0), 15) }
            let (u, v) = (place((x - center.0) / wide), place((y - center.1) / high))
            let (column, row) = (Int(u), Int(v))
            let (s, t) = (u - Double(column), v - Double(row))
            let above = point(column, row) * (1 - s) + point(column + 1, row) * s
            let below = point(column, row + 1) * (1 - s) + point(column + 1, row + 1) * s
            return color.mapColor { $0 * (above * (1 - t) + below * t) }
        }
    }

    static let noise = EffectCase(PerlinNoise(), within: 1.5) { grid in
        func permuted(_ x: Int) -> Int { ((x * 34 + 1) * x) % 289 }
        func corner(_ column: Int, _ row: Int, _ x: Double, _ y: Double) -> Double {
            let hash = Double(permuted(permuted(column % 289) + row % 289)) / 41
            let along = 2 * (hash - hash.rounded(.down)) - 1
            let gradient = (along - (along + 0.5).rounded(.down), abs(along) - 0.5)
            // The scale is the Taylor polynomial of the inverse square root around 0.7.
            let square = gradient.0 * gradient.0 + gradient.1 * gradient.1
            let scale = 1 / 0.7.squareRoot() - (square - 0.7) / (2 * 0.7 * 0.7.squareRoot())
            return (gradient.0 * x + gradient.1 * y) * scale
        }
        func fade(_ t: Double) -> Double { 6 * pow(t, 5) - 15 * pow(t, 4) + 10 * pow(t, 3) }
        return grid.mapPositions { _, x, y in
            let u = x * Double(grid.size.width) / shorter(grid) * 8
            let v = y * Double(grid.size.height) / shorter(grid) * 8
            let (column, row) = (Int(u), Int(v))
            let (s, t) = (u - Double(column), v - Double(row))
            let above = corner(column, row, s, t) * (1 - fade(s)) + corner(column + 1, row, s - 1, t) * fade(s)
            let below =
                corner(column, row + 1, s, t - 1) * (1 - fade(s))
                + corner(column + 1, row + 1, s - 1, t - 1) * fade(s)
            let noise = 0.5 + 1.15 * (above * (1 - fade(t)) + below * fade(t))
            return Pixel(noise, noise, noise, 1)
        }
    }
}
