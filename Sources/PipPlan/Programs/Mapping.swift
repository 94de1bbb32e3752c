internal import PipFrames

/// An affine map of the plane: (x, y) goes to (a·x + b·y + c, d·x + e·y + f).
package struct Mapping: Sendable, Hashable {
    package var a = 1.0, b = 0.0, c = 0.0
    package var d = 0.0, e = 1.0, f = 0.0

    package static let identity = Mapping()

    package static func scale(_ x: Double, _ y: Double) -> Mapping { Mapping(a: x, e: y) }

    package static func translation(_ x: Double, _ y: Double) -> Mapping { Mapping(c: x, f: y) }

    /// Creates the map from a point of the upright picture to the point of the stored picture.
    ///
    /// Points are shares of the pictures' widths and heights.
    init(_ orientation: Orientation) {
        let origin = orientation.storedPoint(x: 0, y: 0)
        let right = orientation.storedPoint(x: 1, y: 0)
        let below = orientation.storedPoint(x: 0, y: 1)
        self.init(
            a: right.x - origin.x, b: below.x - origin.x, c: origin.x, d: right.y - origin.y, e: below.y - origin.y,
            f: origin.y)
    }

    package init(a: Double = 1, b: Double = 0, c: Double = 0, d: Double = 0, e: Double = 1, f: Double = 0) {
        (self.a, self.b, self.c, self.d, self.e, self.f) = (a, b, c, d, e, f)
    }

    /// Composes maps: this map is applied first, then `next`.
    package func then(_ next: Mapping) -> Mapping {
        Mapping(
            a: next.a * a + next.b * d, b: next.a * b + next.b * e, c: next.a * c + next.b * f + next.c,
            d: next.d * a + next.e * d, e: next.d * b + next.e * e, f: next.d * c + next.e * f + next.f)
    }

    /// The inverse map; nil for a map to a line or a point.
    var inverse: Mapping? {
        let determinant = a * e - b * d
        guard determinant != 0, determinant.isFinite else { return nil }
        let (ia, ib, id, ie) = (e / determinant, -b / determinant, -d / determinant, a / determinant)
        return Mapping(a: ia, b: ib, c: -(ia * c + ib * f), d: id, e: ie, f: -(id * c + ie * f))
    }

    package func applied(x: Double, y: Double) -> (x: Double, y: Double) { (a * x + b * y + c, d * x + e * y + f) }

    /// The width and height of the bounding box to which a unit square is mapped.
    package var extent: (x: Double, y: Double) { (abs(a) + abs(b), abs(d) + abs(e)) }

    /// True when the map only translates, and scales by positive factors.
    package var keepsAxes: Bool { b == 0 && d == 0 && a > 0 && e > 0 }

    /// The map as GLSL's `mat3`, in column-major order.
    var matrix3: [Float] { [Float(a), Float(d), 0, Float(b), Float(e), 0, Float(c), Float(f), 1] }
}

/// A rectangle of a picture, in shares of the picture's size, 0…1.
struct UnitRect: Hashable {
    var x = 0.0, y = 0.0, width = 1.0, height = 1.0

    /// The bounding box of the mapped rectangle; a map from upright to stored points gives the stored part.
    func mapped(by mapping: Mapping) -> UnitRect {
        let one = mapping.applied(x: x, y: y)
        let other = mapping.applied(x: x + width, y: y + height)
        return UnitRect(
            x: min(one.x, other.x), y: min(one.y, other.y), width: abs(other.x - one.x), height: abs(other.y - one.y))
    }

    /// The map from pixels of a picture that shows only this part to positions in the whole picture.
    ///
    /// `size` is the size of that picture. Positions are shares of the whole picture's width and height.
    func fromPixels(of size: PixelSize) -> Mapping {
        Mapping.scale(width / Double(size.width), height / Double(size.height)).then(.translation(x, y))
    }

    /// The map from positions in the whole picture to pixels of a picture that shows only this part.
    ///
    /// `size` is the size of the picture that shows the part.
    func toPixels(of size: PixelSize) -> Mapping {
        Mapping.translation(-x, -y).then(.scale(Double(size.width) / width, Double(size.height) / height))
    }
}
