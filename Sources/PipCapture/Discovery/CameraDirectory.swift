public import PipFrames
internal import SystemPackage

/// Discovers the machine's cameras, and queries their modes, controls and roles.
///
/// Use a directory to list cameras before a session opens them. The directory's calls open device nodes for a moment,
/// and may block for some milliseconds.
///
/// Thread: any.
public struct CameraDirectory: Sendable {
    package let calls: any V4L2Calls
    /// Makes decoders for cameras that send compressed video, such as H.264.
    ///
    /// If nil, such formats cannot be used.
    package var videoDecoding: (any VideoDecoding)?
    /// The cameras that slots of this directory use or wait for.
    let claims = CameraClaims()

    /// Creates a directory of this machine's cameras.
    public init() { calls = KernelCalls() }

    package init(calls: any V4L2Calls) { self.calls = calls }

    /// The roles that users have assigned to cameras.
    public var roles: CameraRoles { .current(calls) }

    /// All usable cameras, in the order of their nodes' numbers.
    public func cameras() -> [CameraDevice] {
        var cameras: [CameraDevice] = []
        let roles = roles
        for path in nodePaths() {
            if let camera = try? inspect(path, roles) { cameras.append(camera) }
        }
        DeviceNames.nameStably(&cameras)
        return cameras
    }

    /// The errors of nodes that may be cameras but could not be queried.
    public func unusableNodes() -> [CaptureError] {
        var errors: [CaptureError] = []
        for path in nodePaths() {
            do {
                _ = try inspect(path)
            } catch {
                if error.kind != .notACamera { errors.append(error) }
            }
        }
        return errors
    }

    /// Reports every camera that is plugged in or out from now on, even cameras that other programs use.
    ///
    /// A new thread watches devices until the stream is released. A camera counts as connected once its node can be
    /// opened, which may be later than its appearance.
    ///
    /// - Returns: The changes in order. The stream buffers 256 changes; beyond that, it drops the oldest change. The
    ///   stream ends at once if this process has no free file descriptor for the watch.
    public func changes() -> AsyncStream<CameraChange> {
        AsyncStream(bufferingPolicy: .bufferingNewest(256)) { continuation in
            guard let watch = CameraWatch(self, continuation) else { return continuation.finish() }
            continuation.onTermination = { _ in watch.stop() }
            watch.start()
        }
    }

    /// Enumerates a camera's modes.
    ///
    /// - Parameters:
    ///   - device: The camera, which the call opens for a moment.
    ///   - size: A size to try in addition to the common sizes, if the camera accepts a range of sizes.
    /// - Returns: All modes, in the driver's order of formats. A range of sizes or rates contributes common values.
    /// - Throws: ``CaptureError`` when the camera cannot be opened, or its node is not a camera.
    public func modes(of device: CameraDevice, near size: PixelSize? = nil) throws(CaptureError) -> [CameraMode] {
        let node = try V4L2Device(path: device.path, calls: calls)
        let identity = try NodeIdentity(node)
        return ModeEnumeration(device: node, bufferType: identity.bufferType).modes(
            near: CameraWish(size: size))
    }

    /// The controls of a camera with their present values.
    public func controls(of device: CameraDevice) throws(CaptureError) -> [CameraControl] {
        ControlAccess(device: try V4L2Device(path: device.path, calls: calls)).controls()
    }

    /// The zoom range of a camera's own lens and sensor.
    public func zoom(of device: CameraDevice) throws(CaptureError) -> CameraZoom {
        let node = try V4L2Device(path: device.path, calls: calls)
        return ControlAccess(device: node).zoom(try NodeIdentity(node).bufferType)
    }

    /// Queries one node for its camera.
    ///
    /// - Parameters:
    ///   - path: The node.
    ///   - roles: The users' roles; nil reads them from their files.
    /// - Returns: The camera.
    /// - Throws: ``CaptureError`` when the node is missing, cannot be opened, or is not a camera.
    func inspect(_ path: String, _ roles: CameraRoles? = nil) throws(CaptureError) -> CameraDevice {
        let status: FileStatus
        do {
            status = try calls.status(of: path)
        } catch {
            throw CaptureError(device: path, operation: "find the camera", call: "stat", errno: error)
        }
        guard status.kind == .characterDevice else {
            throw CaptureError(
                .notACamera, device: path, operation: "use it as a camera",
                reason: "it is a \(status.kind.rawValue), not a device node")
        }
        let device = try V4L2Device(path: path, calls: calls)
        return CameraDevice(
            path: path, identity: try NodeIdentity(device), origin: NodeOrigin(path, calls),
            mounting: CameraMounting(device), roles: roles ?? self.roles)
    }

    /// The paths `/dev/videoN`, sorted by number.
    private func nodePaths() -> [String] {
        calls.names(in: "/dev")
            .compactMap { name in name.hasPrefix("video") ? Int(name.dropFirst(5)) : nil }
            .sorted()
            .map { "/dev/video\($0)" }
    }
}
