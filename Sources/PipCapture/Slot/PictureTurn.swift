internal import PipFrames

/// The rotation of a slot's pictures, which may follow the orientation of the device.
struct PictureTurn {
    /// The interval of the accelerometer's readings.
    static let interval = Duration.milliseconds(250)

    private let accelerometer: Accelerometer?
    private let rotation: CameraRotation
    private let device: CameraDevice
    private var held: DeviceOrientation?
    /// The present rotation; the identity for a sensor that is not mounted in quarter turns, unless the requested
    /// rotation is fixed.
    private(set) var orientation: Orientation
    /// The time of the next reading; nil when the rotation does not depend on an accelerometer.
    private(set) var deadline: Timestamp?

    /// - Parameters:
    ///   - rotation: The requested rotation.
    ///   - device: The camera.
    ///   - calls: The access to the accelerometer's files.
    init(_ rotation: CameraRotation, of device: CameraDevice, _ calls: any V4L2Calls) {
        self.rotation = rotation
        self.device = device
        accelerometer = rotation == .device ? Accelerometer(calls) : nil
        orientation = .identity
        look(at: calls.now)
    }

    /// Reads the device's orientation, and updates the rotation.
    mutating func look(at now: Timestamp) {
        if let next = accelerometer?.orientation(after: held), next.degrees != nil { held = next }
        orientation = turn ?? .identity
        deadline = accelerometer == nil ? nil : now.advanced(by: Self.interval)
    }

    private var turn: Orientation? { rotation.orientation(mounting: device.rotation, device.position, held: held) }

    /// The reason why the requested rotation is impossible; nil when it is possible.
    var problem: CaptureError? {
        if rotation == .device, accelerometer == nil {
            return CaptureError(
                .unsupported, device: device.path, operation: "rotate its pictures with the device",
                reason: "the kernel has no accelerometer (/sys/bus/iio/devices)",
                hint: "the pictures are rotated for the sensor's mounting; rotate=90 sets a fixed rotation")
        }
        guard turn == nil, let rotation = device.rotation else { return nil }
        return CaptureError(
            .unsupported, device: device.path, operation: "turn its pictures upright",
            reason:
                "its driver reports a mounting at \(rotation)°, but pictures can only be rotated by multiples of 90°",
            hint: "set the rotation: rotate=0, 90, 180 or 270")
    }
}
