import PipCompose

#if Media
import PipMedia
#endif

/// The way to cameras by a desktop's portal, for programs that see no device.
struct PortalCameras {
    /// The sandbox that we run in; nil outside of one.
    let sandbox: Sandbox?
    /// True where a portal runs.
    let isOffered: Bool

    /// Looks for a sandbox, and where it is of use for a portal.
    ///
    /// - Parameters:
    ///   - directory: Reads the files that tell of a sandbox.
    ///   - isWanted: Whether a portal is of use, since there is no other camera.
    init(_ directory: CameraDirectory, isWanted: Bool) {
        sandbox = Sandbox(directory.calls)
        #if Media
        isOffered = isWanted && sandbox == nil && PortalCameraSource.isOffered
        #else
        isOffered = false
        #endif
    }

    init(sandbox: Sandbox?, isOffered: Bool) { (self.sandbox, self.isOffered) = (sandbox, isOffered) }

    /// What a user is to know of it, as a sentence; nil where it is of no use.
    var note: String? {
        if let sandbox {
            return "\(sandbox.kind) keeps devices away from here; camera:portal asks the desktop for a camera"
        }
        return isOffered ? "this desktop has a camera portal; camera:portal asks it for a camera" : nil
    }
}
