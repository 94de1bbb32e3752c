public import PipFrames

/// The rotation of a camera's pictures before any other processing.
public enum CameraRotation: Hashable, Sendable {
    /// The rotation that corrects the mounting that the driver reports; no rotation when the driver reports none.
    case mounting
    /// A fixed rotation, whatever the driver reports.
    case fixed(Orientation)
    /// The rotation that keeps pictures upright as the device turns.
    ///
    /// The rotation follows from the device's accelerometer and the sensor's mounting.
    case device

    /// Computes the rotation of a camera's pictures.
    ///
    /// When the device turns clockwise, the back camera's picture turns counterclockwise, and the front camera's turns
    /// clockwise.
    ///
    /// - Parameters:
    ///   - rotation: The driver's rotation. Units: degrees counterclockwise. Nil counts as 0.
    ///   - position: The camera's mounting position; nil counts as ``CameraPosition/back``.
    ///   - held: The device's orientation; nil when unknown.
    /// - Returns: The rotation; nil when the sensor is not mounted in quarter turns, unless the rotation is fixed.
    func orientation(
        mounting rotation: Int?, _ position: CameraPosition?, held: DeviceOrientation?
    ) -> Orientation? {
        if case .fixed(let orientation) = self { return orientation }
        guard let mounted = Orientation(degrees: -(rotation ?? 0)) else { return nil }
        guard self == .device, let turn = held?.degrees.map({ Orientation(quarterTurns: $0 / 90) }) else {
            return mounted
        }
        return mounted.then(position == .front ? turn.inverse : turn)
    }
}

extension CameraRotation: CustomStringConvertible {
    /// The rotation's text, which ``init(_:)`` parses.
    public var description: String {
        switch self {
        case .mounting: "mounting"
        case .fixed(let turn): "\(turn.isMirrored ? "mirrored-" : "")\(turn.degrees)"
        case .device: "device"
        }
    }

    /// Parses `mounting`, `device`, degrees clockwise (`0`, `90`, `180`, `270`), or `mirrored-90` to mirror first;
    /// returns nil for other texts.
    public init?(_ text: String) {
        guard let rotation = Self.allCases.first(where: { $0.description == text }) else { return nil }
        self = rotation
    }
}

extension CameraRotation: CaseIterable {
    public static var allCases: [CameraRotation] { [.mounting, .device] + Orientation.allCases.map { .fixed($0) } }
}
