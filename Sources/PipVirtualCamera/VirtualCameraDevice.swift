/// A device of v4l2loopback: one program writes frames to it, others see a camera.
public struct VirtualCameraDevice: Hashable, Sendable, CustomStringConvertible {
    /// The device node, such as `/dev/video10`.
    public let path: String
    /// The name under which programs list it: the module's `card_label`.
    public let label: String
    /// True when it is a camera only while somebody writes to it, as browsers want it; nil when that is unknown.
    public let hasExclusiveCaps: Bool?
    /// What was written to it last, as long as a program has it open: `YU12:1280x720@30`; nil when there is nothing.
    public let format: String?

    public var description: String { "\(path) (\"\(label)\")" }
}

/// A user's reference to a virtual camera.
package enum VirtualCameraName: Hashable, Sendable {
    /// A device node, or a link to one.
    case path(String)
    /// The name that its readers see.
    case label(String)
    /// The first one that nobody writes to.
    case free
}
