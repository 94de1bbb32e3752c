/// A turn by a multiple of 90° with or without mirroring: one of the eight symmetries of a rectangle (the group D4).
///
/// To show a picture upright, mirror it left to right first, then turn it clockwise.
public struct Orientation: Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// Clockwise quarter turns, 0…3, after mirroring.
    public let quarterTurns: Int
    /// True when left and right are exchanged, before turning.
    public let isMirrored: Bool

    /// An orientation that mirrors first, then turns.
    ///
    /// - Parameters:
    ///   - quarterTurns: Clockwise quarter turns; any number, taken modulo 4.
    ///   - mirrored: True to exchange left and right before the turn.
    public init(quarterTurns: Int = 0, mirrored: Bool = false) {
        self.quarterTurns = ((quarterTurns % 4) + 4) % 4
        isMirrored = mirrored
    }

    /// A clockwise turn by degrees; nil unless they are a multiple of 90.
    public init?(degrees: Int) {
        guard degrees % 90 == 0 else { return nil }
        self.init(quarterTurns: degrees / 90)
    }

    /// The identity: neither turned nor mirrored.
    public static let identity = Orientation()
    /// The mirror image: left and right exchanged.
    public static let mirrored = Orientation(mirrored: true)
    /// The picture upside down, mirrored: top and bottom exchanged.
    public static let flipped = Orientation(quarterTurns: 2, mirrored: true)

    public static let allCases: [Orientation] = (0..<8).map { Orientation(quarterTurns: $0, mirrored: $0 >= 4) }

    /// The clockwise turn in degrees: 0, 90, 180 or 270.
    public var degrees: Int { quarterTurns * 90 }

    /// True for a turn by 90° or 270°, which exchanges width and height.
    public var swapsAxes: Bool { quarterTurns % 2 == 1 }

    /// The composition of two orientations: this one first, then `next`.
    public func then(_ next: Orientation) -> Orientation {
        // A mirror after a turn is the opposite turn after a mirror.
        next.isMirrored
            ? Orientation(quarterTurns: next.quarterTurns - quarterTurns, mirrored: !isMirrored)
            : Orientation(quarterTurns: next.quarterTurns + quarterTurns, mirrored: isMirrored)
    }

    /// The orientation that undoes this one.
    public var inverse: Orientation {
        isMirrored ? self : Orientation(quarterTurns: -quarterTurns)
    }

    /// The size of a picture of `size` after this orientation is applied.
    public func size(of size: PixelSize) -> PixelSize { swapsAxes ? size.transposed : size }

    /// Maps a point of the shown picture to the stored one; both 0…1, origin top left, y down.
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
