internal import SystemPackage

/// The permission of this process to use a camera.
///
/// Use the authorization to explain why a camera cannot be opened. The device node's group and mode grant access,
/// unless a container or sandbox denies it. The kernel never asks the user, so there is no undetermined state.
public enum CameraAuthorization: Sendable, Hashable {
    /// The device node can be opened, though another program may hold the camera's frames.
    case authorized
    /// Only root, or a group that this user is not in, may open the node.
    ///
    /// The hint names the remedy, or says that only root may use the node.
    case denied(hint: String)
    /// A container or sandbox hides the device from every user.
    ///
    /// The hint names the remedy.
    case restricted(hint: String)
}

extension CameraAuthorization {
    /// Opens the camera's node for a moment to determine the permission.
    ///
    /// - Parameters:
    ///   - path: The device node, such as `/dev/video0`.
    ///   - directory: The directory through which the node is opened.
    /// - Throws: ``CaptureError`` when the node is missing outside of a sandbox, or cannot be opened for a reason other
    ///   than permissions and use by another program.
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
                    hint: "\(sandbox.kind) keeps devices away from this program: use the desktop's portal, with "
                        + "the source camera:portal")
            case (.permissionDenied, nil): self = .denied(hint: error.hint ?? "only root may use the node")
            case (.notPermitted, nil):
                self = .restricted(
                    hint: "a container hides the device from this program: use docker run --device \(path) …, or in "
                        + "a service's unit: DeviceAllow=\(path)")
            default: throw error
            }
        }
    }
}
