/// A device of v4l2loopback, to which one program writes frames, and which other programs see as a camera.
public struct VirtualCameraDevice: Hashable, Sendable, CustomStringConvertible {
    /// The device node, such as `/dev/video10`.
    public let path: String
    /// The name in other programs' lists of cameras, from the module's parameter `card_label`.
    public let label: String
    /// True when the device appears as a camera only while a program writes to it, which some browsers require.
    ///
    /// Nil when the module's parameter `exclusive_caps` cannot be read, or has no value for the device.
    public let hasExclusiveCaps: Bool?
    /// The format that was set last: `YU12:1280x720@30`; nil while the device has none, for example before a
    /// program writes to it.
    public let format: String?

    public var description: String { "\(path) (\"\(label)\")" }
}

/// A user's reference to a virtual camera.
package enum VirtualCameraName: Hashable, Sendable {
    /// A device node, or a link to one.
    case path(String)
    /// The label that readers see.
    case label(String)
    /// The first device that has no format, or that no program has open.
    ///
    /// A program that this process may not inspect counts as not having the device open.
    case free
}
