internal import PipFrames

/// A tone curve for each of red, green and blue, such as a gamma curve.
///
/// An effect can return a curve if each component depends only on itself. Curves with equal labels must be equal.
public struct Curve: Sendable, Hashable {
    /// A function from 0…1 to any number.
    public typealias Function = @Sendable (Double) -> Double

    /// The identity of the curve, with its parameters, such as `gamma 2.2`.
    public let label: String
    /// One function for all components, or three for red, green and blue.
    private let functions: [Function]
    /// True to draw the curve from a table, even where a polynomial is exact enough.
    package var isExact = false

    /// Creates the same curve for red, green and blue.
    ///
    /// - Parameters:
    ///   - label: The identity of the curve, with its parameters: curves with equal labels must be equal.
    ///   - function: The curve, which is called only with values of 0…1.
    public init(label: String, _ function: @escaping Function) {
        self.label = label
        functions = [function]
    }

    /// Creates a curve for each component.
    public init(label: String, red: @escaping Function, green: @escaping Function, blue: @escaping Function) {
        self.label = label
        functions = [red, green, blue]
    }

    /// The number of functions: 1 for all components together, or 3.
    package var columnCount: Int { functions.count }

    /// Evaluates the curve of red (column 0), green (1) or blue (2) at a value, which is clamped to 0…1.
    public func callAsFunction(_ value: Double, column: Int = 0) -> Double {
        functions[min(column, functions.count - 1)](min(max(value, 0), 1))
    }

    /// The composition of two curves: this one first, then `next`.
    public func then(_ next: Curve) -> Curve {
        let label = "\(label), \(next.label)"
        let first = self
        func composed(_ column: Int) -> Function { { next(first($0, column: column), column: column) } }
        var curve =
            columnCount == 1 && next.columnCount == 1
            ? Curve(label: label, composed(0))
            : Curve(label: label, red: composed(0), green: composed(1), blue: composed(2))
        curve.isExact = isExact || next.isExact
        return curve
    }

    /// Compares labels and ``isExact``.
    public static func == (left: Curve, right: Curve) -> Bool {
        left.label == right.label && left.isExact == right.isExact
    }

    /// Hashes the label.
    public func hash(into hasher: inout Hasher) { hasher.combine(label) }
}

extension Curve {
    private static let entryCount = 1024

    /// The curve as a table over the square root of its argument, so that entries are denser near black.
    ///
    /// Each column of the curve has a row of texels. Each texel holds a value and the difference to the next value.
    package var table: ConstantTexture {
        let size = PixelSize(Self.entryCount, columnCount)
        return ConstantTexture(label: "curve \(label)", size: size, format: .rg32f) { [self] in
            var table: [Float] = []
            for column in 0..<columnCount {
                let values = (0..<Self.entryCount).map { index in
                    let root = Double(index) / Double(Self.entryCount - 1)
                    return self(root * root, column: column)
                }
                for (index, value) in values.enumerated() {
                    table.append(Float(value))
                    table.append(index + 1 < values.count ? Float(values[index + 1] - value) : 0)
                }
            }
            return table
        }
    }
}
