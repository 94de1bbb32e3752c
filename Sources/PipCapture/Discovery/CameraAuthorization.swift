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
    /// - Throws: ``CaptureError`` when there is no such node outside of a sandbox, or its driver does not answer.
    public init(of path: String, in directory: CameraDirectory = CameraDirectory()) throws(CaptureError) {
        do throws(CaptureError) {
            _ = try V4L2Device(path: path, calls: directory.calls)
            self = .authorized
        } catch {
            let sandbox = Sandbox(directory.calls)
            switch (error.errno, sandbox) {
            case (.resourceBusy, _): self = .authorized
            case (.noSuchFileOrDirectory, let sandbox?), (.permissionDenied, let sandbox?),
                (.notPermitted, let sandbox?):
                self = .restricted(
                    hint: "\(sandbox.kind) keeps devices away from here: take the camera by the desktop's portal, as "
                        + "camera:portal")
            case (.permissionDenied, nil): self = .denied(hint: error.hint ?? "only root may use the node")
            case (.notPermitted, nil):
                self = .restricted(
                    hint: "the device is kept away from here: docker run --device \(path) …, or "
                        + "DeviceAllow=\(path) of the service")
            default: throw error
            }
        }
    }
}
