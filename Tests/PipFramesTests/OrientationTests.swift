import PipFrames
import Testing

@Suite("An orientation")
struct OrientationTests {
    /// A 2×2 integer matrix, row by row, for coordinates relative to the picture's centre with y pointing down.
    struct Matrix: Equatable {
        var a: Int, b: Int, c: Int, d: Int
        static func * (left: Matrix, right: Matrix) -> Matrix {
            Matrix(
                a: left.a * right.a + left.b * right.c, b: left.a * right.b + left.b * right.d,
                c: left.c * right.a + left.d * right.c, d: left.c * right.b + left.d * right.d)
        }
    }

    /// The matrix that maps the stored to the shown picture.
    ///
    /// Mirrors left and right first, and then rotates clockwise by quarter turns, so that right becomes down.
    static func matrix(_ orientation: Orientation) -> Matrix {
        var result = orientation.isMirrored ? Matrix(a: -1, b: 0, c: 0, d: 1) : Matrix(a: 1, b: 0, c: 0, d: 1)
        for _ in 0..<orientation.quarterTurns { result = Matrix(a: 0, b: -1, c: 1, d: 0) * result }
        return result
    }

    @Test("there are eight orientations, all different")
    func eight() {
        var seen: [Matrix] = []
        for orientation in Orientation.allCases {
            let matrix = Self.matrix(orientation)
            #expect(!seen.contains(matrix))
            seen.append(matrix)
        }
        #expect(seen.count == 8)
    }

    @Test(
        "two orientations in sequence are the product of their matrices",
        arguments: Orientation.allCases, Orientation.allCases)
    func composition(first: Orientation, second: Orientation) {
        #expect(Self.matrix(first.then(second)) == Self.matrix(second) * Self.matrix(first))
    }

    @Test("an orientation and its inverse leave nothing changed", arguments: Orientation.allCases)
    func inverse(orientation: Orientation) {
        #expect(orientation.then(orientation.inverse) == .identity)
        #expect(orientation.inverse.then(orientation) == .identity)
    }

    @Test("a shown point maps to a stored point by the inverse matrix", arguments: Orientation.allCases)
    func storedPoint(orientation: Orientation) {
        let matrix = Self.matrix(orientation.inverse)
        for (x, y) in [(0.0, 0.0), (1, 0), (0, 1), (0.25, 0.125), (0.5, 0.5)] {
            let stored = orientation.storedPoint(x: x, y: y)
            #expect(abs(stored.x - (0.5 + Double(matrix.a) * (x - 0.5) + Double(matrix.b) * (y - 0.5))) < 1e-12)
            #expect(abs(stored.y - (0.5 + Double(matrix.c) * (x - 0.5) + Double(matrix.d) * (y - 0.5))) < 1e-12)
            let back = orientation.inverse.storedPoint(x: stored.x, y: stored.y)
            #expect(abs(back.x - x) < 1e-12 && abs(back.y - y) < 1e-12)
        }
    }

    @Test("quarter turns exchange width and height", arguments: Orientation.allCases)
    func sizes(orientation: Orientation) {
        let size = orientation.size(of: PixelSize(3, 2))
        #expect(size == (orientation.quarterTurns % 2 == 1 ? PixelSize(2, 3) : PixelSize(3, 2)))
    }

    @Test("an orientation is made from any multiple of 90 degrees, and from nothing else")
    func degrees() {
        #expect(Orientation(degrees: 270) == Orientation(quarterTurns: 3))
        #expect(Orientation(degrees: -90) == Orientation(quarterTurns: 3))
        #expect(Orientation(degrees: 720) == .identity)
        #expect(Orientation(degrees: 45) == nil)
        #expect(Orientation.flipped == Orientation.mirrored.then(Orientation(quarterTurns: 2)))
    }
}
