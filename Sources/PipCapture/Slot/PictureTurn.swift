internal import PipFrames

/// By what a slot's pictures are turned: without a device, a thread or a clock.
struct PictureTurn {
    /// From one look at the accelerometer to the next.
    static let interval = Duration.milliseconds(250)

    private let accelerometer: Accelerometer?
    private let rotation: CameraRotation
    private let device: CameraDevice
    private var held: DeviceOrientation?
    /// The turn; the identity where a sensor is not mounted by quarter turns.
    private(set) var orientation: Orientation
    /// When to look again; nil when nothing that changes is followed.
    private(set) var deadline: Timestamp?

    /// - Parameters:
    ///   - rotation: What the owner asks for.
    ///   - device: The camera.
    ///   - calls: Reads the accelerometer's files.
    init(_ rotation: CameraRotation, of device: CameraDevice, _ calls: any V4L2Calls) {
        self.rotation = rotation
        self.device = device
        accelerometer = rotation == .device ? Accelerometer(calls) : nil
        orientation = .identity
        look(at: calls.now)
    }

    /// Looks how the device is held.
    mutating func look(at now: Timestamp) {
        if let next = accelerometer?.orientation(after: held), next.degrees != nil { held = next }
        orientation = turn ?? .identity
        deadline = accelerometer == nil ? nil : now.advanced(by: Self.interval)
    }

    private var turn: Orientation? { rotation.orientation(mounting: device.rotation, device.position, held: held) }

    /// What cannot be done of it; nil when all can.
    var problem: CaptureError? {
        if rotation == .device, accelerometer == nil {
            return CaptureError(
                .unsupported, device: device.path, operation: "turn its picture as the device is held",
                reason: "the kernel has no accelerometer (/sys/bus/iio/devices)",
                hint: "it is turned as it is mounted; rotate=90 turns it by that")
        }
        guard turn == nil, let rotation = device.rotation else { return nil }
        return CaptureError(
            .unsupported, device: device.path, operation: "turn its picture upright",
            reason:
                "its driver says that it is mounted turned by \(rotation)°, and pictures are turned by quarters only",
            hint: "rotate=0, 90, 180 or 270 says how it is to be turned")
    }
}
