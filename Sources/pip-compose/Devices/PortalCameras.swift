import PipCompose

#if Media
import PipMedia
#endif

/// The camera portal of a desktop, for programs without access to devices.
struct PortalCameras {
    /// The sandbox of this process; nil outside a sandbox.
    let sandbox: Sandbox?
    /// True when a portal runs.
    let isOffered: Bool

    /// Looks for a sandbox, and if necessary for a portal.
    ///
    /// - Parameters:
    ///   - directory: The directory of cameras, whose system calls read the files of the sandbox.
    ///   - isWanted: True to look for a portal, because there is no other camera.
    init(_ directory: CameraDirectory, isWanted: Bool) {
        sandbox = Sandbox(directory.calls)
        #if Media
        isOffered = isWanted && sandbox == nil && PortalCameraSource.isOffered
        #else
        isOffered = false
        #endif
    }

    init(sandbox: Sandbox?, isOffered: Bool) { (self.sandbox, self.isOffered) = (sandbox, isOffered) }

    /// Advice for the user, as a sentence; nil when the portal is of no use.
    var note: String? {
        if let sandbox {
            return "\(sandbox.kind) keeps devices away from here; camera:portal asks the desktop for a camera"
        }
        return isOffered ? "this desktop has a camera portal; camera:portal asks it for a camera" : nil
    }
}
