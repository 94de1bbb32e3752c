public import PipFrames

/// By what a camera's picture is turned before anything else is done with it.
public enum CameraRotation: Hashable, Sendable {
    /// As its driver says that its sensor is mounted; not at all where it does not say.
    case mounting
    /// By this, whatever the driver says.
    case fixed(Orientation)
    /// Upright however the device is held: by the mounting, and by the device's accelerometer.
    case device

    /// The turn of a camera's pictures.
    ///
    /// A device that is turned clockwise turns what its back camera sees the other way; its front camera sees it in
    /// a mirror.
    ///
    /// - Parameters:
    ///   - rotation: Degrees, counterclockwise, as the driver says them.
    ///   - position: Where the camera is built in.
    ///   - held: How the device is held; nil where that is not known.
    /// - Returns: Nil when the sensor is not mounted by quarter turns.
    func orientation(
        mounting rotation: Int?, _ position: CameraPosition?, held: DeviceOrientation?
    ) -> Orientation? {
        if case .fixed(let orientation) = self { return orientation }
        // The driver's are counterclockwise.
        guard let mounted = Orientation(degrees: -(rotation ?? 0)) else { return nil }
        guard self == .device, let turn = held?.degrees.map({ Orientation(quarterTurns: $0 / 90) }) else {
            return mounted
        }
        return mounted.then(position == .front ? turn.inverse : turn)
    }
}

extension CameraRotation: CustomStringConvertible {
    /// As ``init(_:)`` reads it.
    public var description: String {
        switch self {
        case .mounting: "mounting"
        case .fixed(let turn): "\(turn.isMirrored ? "mirrored-" : "")\(turn.degrees)"
        case .device: "device"
        }
    }

    /// By its name, or degrees clockwise: `mounting`, `device`, `0`, `90`, `180`, `270`, and `mirrored-90` for one that
    /// is mirrored first; nil for anything else.
    public init?(_ text: String) {
        guard let rotation = Self.allCases.first(where: { $0.description == text }) else { return nil }
        self = rotation
    }
}

extension CameraRotation: CaseIterable {
    public static var allCases: [CameraRotation] { [.mounting, .device] + Orientation.allCases.map { .fixed($0) } }
}
