internal import CV4L2

/// The position of a camera on its device, such as a laptop or a tablet.
public enum CameraPosition: String, Sendable, Hashable, CaseIterable {
    /// The camera faces the user.
    case front
    /// The camera faces away from the user.
    case back
    /// The camera is not fixed to the device.
    case external
}

/// A camera's mounting, which its driver reads from the device tree or ACPI.
///
/// Most drivers of webcams report no mounting.
///
/// Source: Linux userspace API, "Camera Control Reference".
struct CameraMounting: Equatable {
    /// The mounting position; nil when the driver reports none.
    var position: CameraPosition?
    /// The rotation that turns pictures upright.
    ///
    /// Units: degrees counterclockwise. Nil when the driver reports no rotation.
    var rotation: Int?

    /// Reads the mounting from a device's controls.
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
