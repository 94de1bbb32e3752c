import Foundation
import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPlan
import PipTestSupport
import Testing

@Suite("Effects with tables and points", .serialized)
struct TableTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func worst(
        _ effect: any Effect, _ source: TestSource, fuses: Bool = true, _ reference: ([Double]) -> [Double]
    ) async throws -> (steps: Double, place: String) {
        let drawn = try await rendered(
            AnyProducer(node: source.node).applying(effect), [source], to: .rgba, fuses: fuses,
            on: try await SharedContext.get())
        let picture = ReferencePicture(source.frame)
        let worst = difference(drawn) { x, y in reference((0..<3).map { picture.rgba($0, x, y) / 255 }) }
        return (worst.steps, worst.place)
    }

    /// A natural spline by its definition, with the coefficients of its cubic pieces from a full system of equations.
    private static func spline(_ points: [(Double, Double)]) -> (Double) -> Double {
        let count = points.count
        // The second derivatives are zero at the ends, and the slopes of adjacent pieces are equal at each inner point.
        var rows = (0..<count).map { _ in [Double](repeating: 0, count: count + 1) }
        rows[0][0] = 1
        rows[count - 1][count - 1] = 1
        for i in 1..<max(count - 1, 1) {
            let (before, after) = (points[i].0 - points[i - 1].0, points[i + 1].0 - points[i].0)
            rows[i][i - 1] = before / 6
            rows[i][i] = (before + after) / 3
            rows[i][i + 1] = after / 6
            rows[i][count] = (points[i + 1].1 - points[i].1) / after - (points[i].1 - points[i - 1].1) / before
        }
        for pivot in 0..<count {
            let best = (pivot..<count).max { abs(rows[$0][pivot]) < abs(rows[$1][pivot]) } ?? pivot
            rows.swapAt(pivot, best)
            for row in 0..<count where row != pivot {
                let factor = rows[row][pivot] / rows[pivot][pivot]
                for column in pivot...count { rows[row][column] -= factor * rows[pivot][column] }
            }
        }
        let bends = (0..<count).map { rows[$0][count] / rows[$0][$0] }
        return { value in
            let place = min(max(value, points[0].0), points[count - 1].0)
            let i = (1..<count).first { points[$0].0 >= place } ?? count - 1
            let width = points[i].0 - points[i - 1].0
            let (left, right) = (points[i].0 - place, place - points[i - 1].0)
            let cubic = (bends[i - 1] * pow(left, 3) + bends[i] * pow(right, 3)) / (6 * width)
            let line =
                (points[i - 1].1 / width - bends[i - 1] * width / 6) * left
                + (points[i].1 / width - bends[i] * width / 6) * right
            return min(max(cubic + line, 0), 1)
        }
    }

    @Test("a tone curve is a natural spline through its points", arguments: [true, false])
    func toneCurve(fuses: Bool) async throws {
        let all = [(0.0, 0.0), (0.25, 0.15), (0.6, 0.75), (1, 0.9)]
        let red = [(0.1, 0.2), (0.8, 0.7)]
        var effect = ToneCurve(all.map { ControlPoint(Float($0.0), Float($0.1)) })
        effect.red = red.map { ControlPoint(Float($0.0), Float($0.1)) }
        let (forAll, forRed) = (Self.spline(all), Self.spline(red))
        let source = TestSource(colorChart(PixelSize(37, 23)))
        let worst = try await worst(effect, source, fuses: fuses) { c in
            [forAll(forRed(c[0])), forAll(c[1]), forAll(c[2])]
        }
        #expect(worst.steps <= 1, "\(worst.place)")
    }

    @Test("linear curves and missing tables cost nothing")
    func identities() {
        let context = EffectContext(matrix: .bt709, scale: 1, size: .hd720)
        #expect(ToneCurve.neutral?.operation(in: context) == EffectOperation.none)
        #expect(ToneCurve([ControlPoint(0, 0), ControlPoint(1, 1)]).operation(in: context) == .none)
        #expect(Cube().operation(in: context) == .none)
    }

    /// Writes a .cube file with random colours and a domain other than 0…1.
    private func writeCube(edge: Int, seed: Int) throws -> (path: String, values: [[Double]]) {
        var dice = Dice(seed)
        var lines = ["DOMAIN_MIN -0.25 0 0.125", "DOMAIN_MAX 1 0.75 1.5", "LUT_3D_SIZE \(edge)"]
        var values: [[Double]] = []
        for _ in 0..<edge * edge * edge {
            let color = (0..<3).map { _ in (Double.random(in: 0...1, using: &dice) * 1000).rounded() / 1000 }
            values.append(color)
            lines.append(color.map { "\($0)" }.joined(separator: " "))
        }
        let path = folder.path("\(edge).cube")
        try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        return (path, values)
    }

    /// The weighted mean of the eight table entries around a colour.
    private static func interpolated(
        _ color: [Double], edge: Int, _ values: [[Double]], _ weights: ([Double]) -> [Double]
    ) -> [Double] {
        let low: [Double] = [-0.25, 0, 0.125]
        let high: [Double] = [1, 0.75, 1.5]
        let place = (0..<3).map { (part: Int) -> Double in
            let share = (color[part] - low[part]) / (high[part] - low[part])
            return min(max(share, 0), 1) * Double(edge - 1)
        }
        let first = place.map { min(Int($0), edge - 2) }
        let weights = weights(zip(place, first).map { $0 - Double($1) })
        var sum = [0.0, 0, 0]
        for corner in 0..<8 {
            let at = (0..<3).map { (axis: Int) -> Int in first[axis] + (corner >> axis & 1) }
            let value = values[(at[2] * edge + at[1]) * edge + at[0]]
            for part in 0..<3 { sum[part] += weights[corner] * value[part] }
        }
        return sum
    }

    @Test("a cube is interpolated between its entries", arguments: [2, 5, 17], Cube.Interpolation.allCases)
    func cube(edge: Int, interpolation: Cube.Interpolation) async throws {
        let (path, values) = try writeCube(edge: edge, seed: edge)
        var effect = try Cube(path: path, intensity: 0.75)
        effect.interpolation = interpolation
        let source = TestSource(colorChart(PixelSize(37, 23)))
        let worst = try await worst(effect, source) { c in
            let looked = Self.interpolated(c, edge: edge, values) { part in
                if interpolation == .trilinear {
                    return (0..<8).map { (corner: Int) -> Double in
                        let shares = (0..<3).map { (axis: Int) -> Double in
                            corner >> axis & 1 == 1 ? part[axis] : 1 - part[axis]
                        }
                        return shares[0] * shares[1] * shares[2]
                    }
                }
                // Tetrahedral interpolation follows the edges of the cell, the axis of the largest fraction first.
                let order = [0, 1, 2].sorted { part[$0] > part[$1] }
                var weights = [Double](repeating: 0, count: 8)
                weights[0] = 1 - part[order[0]]
                weights[1 << order[0]] = part[order[0]] - part[order[1]]
                weights[7 - 1 << order[2]] = part[order[1]] - part[order[2]]
                weights[7] = part[order[2]]
                return weights
            }
            return (0..<3).map { mix(c[$0], looked[$0], 0.75) }
        }
        #expect(worst.steps <= 1, "\(worst.place)")
    }

    @Test("curves of a .cube file are linear between their entries")
    func curves() async throws {
        let path = folder.path("curves.cube")
        try "LUT_1D_SIZE 3\n0 1 0.2\n0.75 0.5 0.4\n1 0 1".write(toFile: path, atomically: true, encoding: .utf8)
        let source = TestSource(colorChart(PixelSize(37, 23)))
        let columns = [[0, 0.75, 1], [1, 0.5, 0], [0.2, 0.4, 1]]
        let worst = try await worst(try Cube(path: path), source) { c in
            (0..<3).map { (part: Int) -> Double in
                let place = c[part] * 2
                let index = min(Int(place), 1)
                return mix(columns[part][index], columns[part][index + 1], place - Double(index))
            }
        }
        #expect(worst.steps <= 1, "\(worst.place)")
    }

    /// An effect with a lookup table in a picture.
    private struct Tiles: Effect {
        static let name = "tiles"
        static let summary = "exchanges colours by a table"
        static let parameters: [EffectParameter<Tiles>] = []
        var cube: ColorCube?

        func operation(in context: EffectContext) -> EffectOperation { cube?.trilinear(intensity: 0.5) ?? .none }
    }

    @Test("a table in a picture is interpolated, with blue from tile to tile")
    func tiles() async throws {
        let frame = makeFrame(.rgba, ColorCube.pictureSize, colorimetry: .srgb) { _, column, row in
            let (r, g, b) = (column / 4 % 64, row % 64, row / 64 * 8 + column / 256)
            return [UInt8(255 - b * 4), UInt8(r * 4), UInt8((g * 3 + r) % 256), 255][column % 4]
        }
        let source = TestSource(colorChart(PixelSize(37, 23)))
        let effect = Tiles(cube: ColorCube(tiles: frame, path: "look.png", checksum: "0"))
        let worst = try await worst(effect, source) { c in
            // The entries are linear functions of the colour, and so are the values between them.
            let at = c.map { $0 * 63 }
            let looked = [255 - at[2] * 4, at[0] * 4, at[1] * 3 + at[0]].map { $0 / 255 }
            return (0..<3).map { mix(c[$0], looked[$0], 0.5) }
        }
        #expect(worst.steps <= 1, "\(worst.place)")
    }
}
