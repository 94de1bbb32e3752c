internal import Glibc

/// The orientation of a device with built-in cameras, seen by its user.
public enum DeviceOrientation: String, Sendable, Hashable, CaseIterable {
    /// The orientation that the device is designed for.
    case portrait
    case portraitUpsideDown = "portrait-upside-down"
    /// The top of the device points left.
    case landscapeLeft = "landscape-left"
    /// The top of the device points right.
    case landscapeRight = "landscape-right"
    /// The device lies flat, with its screen up.
    case faceUp = "face-up"
    /// The device lies flat, with its screen down.
    case faceDown = "face-down"

    /// The clockwise turn from portrait, in degrees; nil for a device that lies flat.
    public var degrees: Int? {
        switch self {
        case .portrait: 0
        case .landscapeRight: 90
        case .portraitUpsideDown: 180
        case .landscapeLeft: 270
        case .faceUp, .faceDown: nil
        }
    }

    /// Determines the orientation from an accelerometer nearly at rest; returns nil when it measures no gravity.
    ///
    /// The axes are those of iio-sensor-proxy, after the mount matrix: x points to the right of the screen, y to its
    /// top, and z out of the screen. The reading of the axis that points up is negative.
    ///
    /// - Parameters:
    ///   - x: The acceleration along x. Units: any, the same for all axes.
    ///   - y: The acceleration along y.
    ///   - z: The acceleration along z.
    ///   - last: The previous orientation, which holds until the device has turned by 60°.
    init?(x: Double, y: Double, z: Double, after last: DeviceOrientation? = nil) {
        let length = (x * x + y * y + z * z).squareRoot()
        guard length > 0, length.isFinite else { return nil }
        // Within 25° of flat, the direction of the device's top is undefined.
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
