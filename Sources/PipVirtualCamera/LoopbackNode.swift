internal import CV4L2
internal import PipCapture
internal import PipSinks
internal import SystemPackage

/// An open device of v4l2loopback.
struct LoopbackNode {
    let device: V4L2Device
    let identity: VideoIdentity

    /// Opens and queries a node; returns nil when either fails, or the node belongs to another driver.
    init?(at path: String, calls: any V4L2Calls) {
        guard let device = try? V4L2Device(at: path, calls: calls), let identity = try? VideoIdentity(device),
            identity.isLoopback
        else { return nil }
        self.device = device
        self.identity = identity
    }

    /// Opens a node for writing frames.
    ///
    /// Version 0.12 of the driver may announce neither capture nor output, and then refuses formats. This happens after
    /// a program has used `write` and was the last to close the device. A descriptor that has requested
    /// `VIDIOC_STREAMON` counts as a writer, even though the request fails. Closing such a descriptor restores the
    /// announcement.
    ///
    /// - Throws: ``SinkError`` when the node cannot be opened, or belongs to another driver.
    init(writing path: String, calls: any V4L2Calls) throws(SinkError) {
        if let node = try Self.announced(path, calls) { self = node } else { self = try Self.open(path, calls) }
    }

    private init(device: V4L2Device, identity: VideoIdentity) {
        self.device = device
        self.identity = identity
    }

    private static func open(_ path: String, _ calls: any V4L2Calls) throws(SinkError) -> LoopbackNode {
        let problems = LoopbackProblems(path: path, calls: calls)
        try problems.checkKind()
        let device: V4L2Device
        do throws(Errno) {
            device = try V4L2Device(at: path, calls: calls)
        } catch {
            throw problems.cannotOpen(error)
        }
        let identity: VideoIdentity
        do throws(Errno) {
            identity = try VideoIdentity(device)
        } catch {
            throw problems.notVideo(error)
        }
        guard identity.isLoopback else { throw problems.notLoopback(identity) }
        return LoopbackNode(device: device, identity: identity)
    }

    /// Opens the node, if the device announces capture or output.
    ///
    /// Otherwise the function closes the node as a writer, which restores the announcement, and returns nil.
    private static func announced(_ path: String, _ calls: any V4L2Calls) throws(SinkError) -> LoopbackNode? {
        let node = try open(path, calls)
        if node.identity.isOutput || node.identity.isCapture { return node }
        var type = V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue
        _ = node.device.perform(.streamOn, &type)
        return nil
    }

    /// The device's index among the devices of its driver, from `bus_info`: 0 for `platform:v4l2loopback-000`.
    ///
    /// Nil when `bus_info` does not end with a number.
    var index: Int? { identity.busInfo.split(separator: "-").last.flatMap { Int($0) } }
}

/// A node's answer to `VIDIOC_QUERYCAP`.
struct VideoIdentity {
    let driver: String
    let card: String
    let busInfo: String
    /// True when the device announces that frames can be written to it.
    let isOutput: Bool
    /// True when the device announces that frames can be read from it.
    let isCapture: Bool

    init(_ device: V4L2Device) throws(Errno) {
        var capability = v4l2_capability()
        if let errno = device.perform(.queryCapabilities, &capability) { throw errno }
        let hasNodeCapabilities = capability.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
        let flags = hasNodeCapabilities ? capability.device_caps : capability.capabilities
        isOutput = flags & UInt32(V4L2_CAP_VIDEO_OUTPUT) != 0
        isCapture = flags & UInt32(V4L2_CAP_VIDEO_CAPTURE) != 0
        driver = text(of: capability.driver)
        card = text(of: capability.card)
        busInfo = text(of: capability.bus_info)
    }

    var isLoopback: Bool { driver == NodeIdentity.loopbackDriver }
}
