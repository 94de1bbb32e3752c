internal import CV4L2
internal import PipCapture
internal import PipSinks
internal import SystemPackage

/// An open device of v4l2loopback.
struct LoopbackNode {
    let device: V4L2Device
    let identity: VideoIdentity

    /// Opens a node and queries it; fails when it is something else, or may not be opened.
    init?(at path: String, calls: any V4L2Calls) {
        guard let device = try? V4L2Device(at: path, calls: calls), let identity = try? VideoIdentity(device),
            identity.isLoopback
        else { return nil }
        self.device = device
        self.identity = identity
    }

    /// Opens a node to write to it.
    ///
    /// After a program has written by `write` and closed the device last, version 0.12 of the driver announces neither
    /// direction, and refuses formats. A descriptor that has requested `VIDIOC_STREAMON` counts as a writer, even
    /// though the request fails. Closing it restores the direction.
    ///
    /// - Throws: ``SinkError`` when the node cannot be opened, or is something else.
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

    /// The node if it announces a direction.
    ///
    /// Otherwise nil, after closing it as a writer.
    private static func announced(_ path: String, _ calls: any V4L2Calls) throws(SinkError) -> LoopbackNode? {
        let node = try open(path, calls)
        if node.identity.isOutput || node.identity.isCapture { return node }
        var type = V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue
        _ = node.device.perform(.streamOn, &type)
        return nil
    }

    /// The device's number among those of its driver: `platform:v4l2loopback-000`.
    var index: Int? { identity.busInfo.split(separator: "-").last.flatMap { Int($0) } }
}

/// The answer of a node to `VIDIOC_QUERYCAP`.
struct VideoIdentity {
    let driver: String
    let card: String
    let busInfo: String
    /// The announced directions: writable, and readable.
    let isOutput: Bool
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
