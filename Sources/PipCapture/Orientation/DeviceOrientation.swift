internal import Glibc

/// How a device is held that cameras are built into, seen by its user.
public enum DeviceOrientation: String, Sendable, Hashable, CaseIterable {
    /// As its maker means it to be held.
    case portrait
    case portraitUpsideDown = "portrait-upside-down"
    /// With its top to the left.
    case landscapeLeft = "landscape-left"
    /// With its top to the right.
    case landscapeRight = "landscape-right"
    /// Lying on its back.
    case faceUp = "face-up"
    /// Lying on its face.
    case faceDown = "face-down"

    /// The clockwise turn from portrait; nil for one that lies.
    public var degrees: Int? {
        switch self {
        case .portrait: 0
        case .landscapeRight: 90
        case .portraitUpsideDown: 180
        case .landscapeLeft: 270
        case .faceUp, .faceDown: nil
        }
    }

    /// How a device is held by what its accelerometer says at rest, or nearly so; nil without any gravity.
    ///
    /// The axes are those of the sensor's mount matrix, as the desktop's sensor service reads them: x to the right of
    /// the screen, y to its top, z out of it, and gravity negative on the axis that points up.
    ///
    /// - Parameters:
    ///   - x: In any unit.
    ///   - y: In the same unit.
    ///   - z: In the same unit.
    ///   - last: How it was held before, which it is until it is turned by 60°.
    init?(x: Double, y: Double, z: Double, after last: DeviceOrientation? = nil) {
        let length = (x * x + y * y + z * z).squareRoot()
        guard length > 0, length.isFinite else { return nil }
        // Within 25° of flat, nobody can say where its top is.
        guard abs(z) / length < 0.906 else {
            self = z < 0 ? .faceUp : .faceDown
            return
        }
        let angle = atan2(x, -y) * 180 / .pi
        func distance(_ orientation: DeviceOrientation) -> Double {
            guard let degrees = orientation.degrees else { return .infinity }
            let difference = abs(angle - Double(degrees)).truncatingRemainder(dividingBy: 360)
            return min(difference, 360 - difference)
        }
        if let last, distance(last) < 60 {
            self = last
            return
        }
        self = Self.allCases.min { distance($0) < distance($1) } ?? .portrait
    }
}
