import Foundation
import PipEffects
import PipFrames
import PipTestSupport

/// An effect of a random chain, and its expected result in `Double`, from the effect's formula.
struct RandomLink {
    typealias Pixel = PixelGrid.Pixel

    let effect: any Effect
    let reference: (PixelGrid, Surroundings) -> PixelGrid

    /// The properties of the picture that an effect depends on.
    struct Surroundings {
        /// The luma weights of red, green and blue.
        var weights: SIMD4<Double>
        /// The number of drawn pixels per pixel of the picture, along a side.
        var scale: Double
    }

    /// The kinds of effects in chains.
    ///
    /// Parameters differ from graph to graph, but programs do not.
    enum Kind: CaseIterable {
        case brightness, contrast, saturation, grayscale, invert, gamma, vignette, vibrance, mirror
        case gaussian, box, sobel, sharpen

        /// True for effects with steep slopes, of which a chain has at most one.
        var isSteep: Bool { self == .sobel || self == .sharpen }
    }

    init(_ effect: any Effect, _ reference: @escaping (PixelGrid, Surroundings) -> PixelGrid) {
        self.effect = effect
        self.reference = reference
    }

    /// Makes an effect of a kind, with random parameters.
    init(_ kind: Kind, _ dice: inout Dice) {
        func number(_ range: ClosedRange<Float>) -> Float { .random(in: range, using: &dice) }
        switch kind {
        case .brightness, .contrast, .saturation, .grayscale, .invert, .gamma, .vignette, .vibrance:
            self = .ofPixels(kind, number)
        case .mirror:
            self.init(Mirror()) { grid, _ in
                PixelGrid(grid.size) { x, y in grid.at(grid.size.width - 1 - x, y) }
            }
        case .gaussian:
            let radius = number(0.6...2.5)
            self.init(GaussianBlur(radius: radius)) { grid, surroundings in
                grid.filtered(PixelGrid.bell(sigma: Double(radius) * surroundings.scale))
            }
        case .box:
            let radius = number(1...3)
            self.init(BoxBlur(radius: radius)) { grid, surroundings in
                let reach = Double(radius) * surroundings.scale
                let weights = Array(repeating: 1, count: Int(reach) + 1) + [reach - reach.rounded(.down)]
                let sum = 2 * weights.reduce(0, +) - 1
                return grid.filtered(weights.map { $0 / sum })
            }
        case .sobel:
            let strength = number(0.2...0.4)
            self.init(Sobel(strength: strength)) { grid, surroundings in
                grid.rounded.mapAround { around in
                    let y = around.map { ($0 * surroundings.weights).sum() }
                    let across = (y[2] + 2 * y[5] + y[8]) - (y[0] + 2 * y[3] + y[6])
                    let down = (y[6] + 2 * y[7] + y[8]) - (y[0] + 2 * y[1] + y[2])
                    return Pixel(gray: Double(strength) * hypot(across, down), like: around[4])
                }
            }
        case .sharpen: self = .sharpen(Double(number(0.05...0.15)))
        }
    }

    private static func sharpen(_ amount: Double) -> RandomLink {
        RandomLink(Sharpen(Float(amount))) { grid, _ in
            grid.rounded.mapAround { around in
                let sides = around[1] + around[3] + around[5] + around[7]
                let sum = around[4] * (1 + 4 * amount) - sides * amount
                return Pixel(sum.x, sum.y, sum.z, around[4].w)
            }
        }
    }

    /// An effect that computes each pixel from that pixel alone, with random parameters.
    private static func ofPixels(_ kind: Kind, _ number: (ClosedRange<Float>) -> Float) -> RandomLink {
        switch kind {
        case .brightness:
            let amount = number(-0.08...0.08)
            return RandomLink(Brightness(amount)) { grid, _ in grid.map { $0.mapColor { $0 + Double(amount) } } }
        case .contrast:
            let factor = number(0.7...1.25)
            return RandomLink(Contrast(factor)) { grid, _ in
                grid.map { $0.mapColor { ($0 - 0.5) * Double(factor) + 0.5 } }
            }
        case .saturation: return saturation(number(0.3...1.4)) { Saturation($0) }
        case .grayscale: return saturation(0) { _ in Grayscale() }
        case .invert: return RandomLink(Invert()) { grid, _ in grid.map { $0.mapColor { 1 - $0 } } }
        case .gamma:
            let exponent = number(0.7...1.5)
            return RandomLink(Gamma(exponent)) { grid, _ in
                grid.map { $0.mapColor { pow(min(max($0, 0), 1), Double(exponent)) } }
            }
        case .vignette:
            let strength = number(0.1...0.9)
            return RandomLink(Vignette(strength: strength)) { grid, _ in
                grid.mapPositions { color, x, y in
                    let away = smoothstep(Double(Float(0.3)), 0.75, hypot(x - 0.5, y - 0.5))
                    return color.mapColor { $0 * (1 - Double(strength) * away) }
                }
            }
        default:
            let amount = number(-0.8...0.8)
            return RandomLink(Vibrance(amount)) { grid, _ in
                grid.map { color in
                    let most = max(color.x, color.y, color.z)
                    let share = (most - (color.x + color.y + color.z) / 3) * -3 * Double(amount)
                    return color.mapColor { mix($0, most, share) }
                }
            }
        }
    }

    private static func saturation(_ factor: Float, _ effect: (Float) -> any Effect) -> RandomLink {
        RandomLink(effect(factor)) { grid, surroundings in
            grid.map { color in
                let luma = (color * surroundings.weights).sum()
                return color.mapColor { luma + ($0 - luma) * Double(factor) }
            }
        }
    }
}

extension PixelGrid {
    /// The picture filtered horizontally, then vertically.
    ///
    /// The input of each pass is rounded to eight bits.
    fileprivate func filtered(_ kernel: [Double]) -> PixelGrid {
        rounded.weighed(across: kernel, down: nil).rounded.weighed(across: nil, down: kernel)
    }

    func oriented(_ orientation: Orientation) -> PixelGrid {
        let size = orientation.size(of: size)
        return PixelGrid(size) { x, y in
            let place = orientation.storedPoint(
                x: (Double(x) + 0.5) / Double(size.width), y: (Double(y) + 0.5) / Double(size.height))
            return at(Int(place.x * Double(self.size.width)), Int(place.y * Double(self.size.height)))
        }
    }
}
