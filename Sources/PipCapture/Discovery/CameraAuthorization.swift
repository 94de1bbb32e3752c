internal import SystemPackage

/// Whether this process may use a camera.
///
/// Linux asks nobody: there is no state before an answer. What denies access is the node's group and mode, or what the
/// process runs in.
public enum CameraAuthorization: Sendable, Hashable {
    /// Its node can be opened, though another program may have its frames.
    case authorized
    /// The node belongs to a group that this user is not in, or to root alone; with what helps.
    case denied(hint: String)
    /// A container or a sandbox keeps the device away, whoever asks; with what helps.
    case restricted(hint: String)
}

extension CameraAuthorization {
    /// Finds out whether this process may use a camera, by opening its node for a moment.
    ///
    /// - Parameters:
    ///   - path: The device node, as in `/dev/video0`.
    ///   - directory: Where cameras are found.
    /// - Throws: ``CaptureError`` when there is no such node, or its driver does not answer.
    public init(of path: String, in directory: CameraDirectory = CameraDirectory()) throws(CaptureError) {
        do throws(CaptureError) {
            _ = try V4L2Device(path: path, calls: directory.calls)
            self = .authorized
        } catch {
            switch error.errno {
            case .resourceBusy: self = .authorized
            case .permissionDenied: self = .denied(hint: error.hint ?? "only root may use the node")
            case .notPermitted:
                self = .restricted(
                    hint: "the device is kept away from here: docker run --device \(path) …, or "
                        + "DeviceAllow=\(path) of the service")
            default: throw error
            }
        }
    }
}
