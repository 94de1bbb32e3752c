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
        position = Self.value(of: UInt32(V4L2_CID_CAMERA_ORIENTATION), device).flatMap { value in
            switch value {
            case V4L2_CAMERA_ORIENTATION_FRONT: .front
            case V4L2_CAMERA_ORIENTATION_BACK: .back
            case V4L2_CAMERA_ORIENTATION_EXTERNAL: .external
            default: nil
            }
        }
        rotation = Self.value(of: UInt32(V4L2_CID_CAMERA_SENSOR_ROTATION), device).map { (Int($0) % 360 + 360) % 360 }
    }

    private static func value(of id: UInt32, _ device: V4L2Device) -> Int32? {
        var query = v4l2_query_ext_ctrl()
        query.id = id
        guard device.perform(.queryControl, &query) == nil, query.flags & UInt32(V4L2_CTRL_FLAG_DISABLED) == 0
        else { return nil }
        var argument = v4l2_control(id: id, value: 0)
        return device.perform(.getControl, &argument) == nil ? argument.value : nil
    }
}
