internal import CV4L2

/// Where a camera is built in, seen from the user of the device.
public enum CameraPosition: String, Sendable, Hashable, CaseIterable {
    /// It looks at the user.
    case front
    /// It looks where the user looks.
    case back
    /// It is not fixed to the device.
    case external
}

/// How a camera is built in, as its driver has it from the device tree or ACPI.
///
/// Source: Linux userspace API, "Camera Control Reference". Drivers of webcams say nothing of it.
struct CameraMounting: Equatable {
    /// Nil where the driver does not say.
    var position: CameraPosition?
    /// Degrees, counterclockwise, by which the picture has to be turned to stand upright; nil where the driver does not
    /// say.
    var rotation: Int?

    /// Asks a device, by what it has only.
    init(_ device: V4L2Device) {
        let access = ControlAccess(device: device)
        switch access.control(UInt32(V4L2_CID_CAMERA_ORIENTATION))?.value {
        case Int(V4L2_CAMERA_ORIENTATION_FRONT): position = .front
        case Int(V4L2_CAMERA_ORIENTATION_BACK): position = .back
        case Int(V4L2_CAMERA_ORIENTATION_EXTERNAL): position = .external
        default: break
        }
        rotation = access.control(UInt32(V4L2_CID_CAMERA_SENSOR_ROTATION))?.value.map { ($0 % 360 + 360) % 360 }
    }
}
