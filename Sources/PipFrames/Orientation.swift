/// A rotation by a multiple of 90°, with or without mirroring: one of the eight symmetries of a rectangle (the group
/// D4).
///
/// To show a picture upright, first mirror it left to right, then rotate it clockwise.
public struct Orientation: Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// The number of clockwise quarter turns after mirroring, 0…3.
    public let quarterTurns: Int
    /// True when left and right are exchanged, before the rotation.
    public let isMirrored: Bool

    /// Creates an orientation that mirrors first, then rotates.
    ///
    /// - Parameters:
    ///   - quarterTurns: The number of clockwise quarter turns, taken modulo 4.
    ///   - mirrored: True to exchange left and right before the rotation.
    public init(quarterTurns: Int = 0, mirrored: Bool = false) {
        self.quarterTurns = ((quarterTurns % 4) + 4) % 4
        isMirrored = mirrored
    }

    /// Creates a clockwise rotation by degrees; nil unless `degrees` is a multiple of 90.
    public init?(degrees: Int) {
        guard degrees % 90 == 0 else { return nil }
        self.init(quarterTurns: degrees / 90)
    }

    /// The identity: no rotation, no mirroring.
    public static let identity = Orientation()
    /// Mirroring that exchanges left and right.
    public static let mirrored = Orientation(mirrored: true)
    /// Mirroring that exchanges top and bottom.
    public static let flipped = Orientation(quarterTurns: 2, mirrored: true)

    public static let allCases: [Orientation] = (0..<8).map { Orientation(quarterTurns: $0, mirrored: $0 >= 4) }

    /// The clockwise rotation in degrees: 0, 90, 180 or 270.
    public var degrees: Int { quarterTurns * 90 }

    /// True for a rotation by 90° or 270°, which exchanges width and height.
    public var swapsAxes: Bool { quarterTurns % 2 == 1 }

    /// The composition of two orientations: this one first, then `next`.
    public func then(_ next: Orientation) -> Orientation {
        // A mirror followed by a rotation equals the opposite rotation followed by the mirror.
        next.isMirrored
            ? Orientation(quarterTurns: next.quarterTurns - quarterTurns, mirrored: !isMirrored)
            : Orientation(quarterTurns: next.quarterTurns + quarterTurns, mirrored: isMirrored)
    }

    /// The orientation that reverses this one.
    public var inverse: Orientation {
        isMirrored ? self : Orientation(quarterTurns: -quarterTurns)
    }

    /// The size of a picture of `size` after the rotation.
    public func size(of size: PixelSize) -> PixelSize { swapsAxes ? size.transposed : size }

    /// Maps a point of the upright picture to the stored picture; coordinates are 0…1 from the top left, y down.
    package func storedPoint(x: Double, y: Double) -> (x: Double, y: Double) {
        let turned: (x: Double, y: Double) =
            switch quarterTurns {
            case 1: (y, 1 - x)
            case 2: (1 - x, 1 - y)
            case 3: (1 - y, x)
            default: (x, y)
            }
        return isMirrored ? (1 - turned.x, turned.y) : turned
    }

    public var description: String { isMirrored ? "mirrored, \(degrees)°" : "\(degrees)°" }
}
