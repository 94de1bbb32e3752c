/// A camera for other programs: a device of v4l2loopback, which browsers and video calls list beside real cameras.
///
/// An administrator creates the device; `pip-compose doctor` prints the commands, for now and for every boot. The
/// device shows frames as long as the output runs, whether or not a program reads the device. While cameras are
/// missing, the frames show what the layers' policies choose, such as a slate.
public struct VirtualCamera: Sink {
    public let label: String
    private let name: VirtualCameraName
    private let format: PixelFormat
    private let calls: any V4L2Calls

    /// Chooses a virtual camera by its device node.
    ///
    /// - Parameters:
    ///   - path: The device node, such as `/dev/video10`, or a link to one.
    ///   - format: The pixel format: `i420`, which most programs read, `nv12` or `yuyv`.
    public init(_ path: String, format: PixelFormat = .i420) {
        self.init(.path(path), format: format, calls: KernelCalls())
    }

    /// Chooses a virtual camera by the name under which programs list it.
    ///
    /// - Parameters:
    ///   - label: The driver's `card_label`.
    ///   - format: The pixel format: `i420`, `nv12` or `yuyv`.
    public init(labelled label: String, format: PixelFormat = .i420) {
        self.init(.label(label), format: format, calls: KernelCalls())
    }

    /// Chooses the first virtual camera that has no format yet, or that no program has open.
    ///
    /// - Parameter format: The pixel format: `i420`, `nv12` or `yuyv`.
    public init(format: PixelFormat = .i420) {
        self.init(.free, format: format, calls: KernelCalls())
    }

    init(_ name: VirtualCameraName, format: PixelFormat, calls: any V4L2Calls) {
        self.name = name
        self.format = format
        self.calls = calls
        switch name {
        case .path(let path): label = path
        case .label(let text): label = "virtual-camera:\(text)"
        case .free: label = "virtual-camera"
        }
    }

    public var destination: SinkDestination? { name == .free ? nil : .path(label) }

    public var opening: SinkOpening {
        .writer { () throws(SinkError) in
            try VirtualCameraWriter(label, name, format: format, calls: calls)
        }
    }
}
