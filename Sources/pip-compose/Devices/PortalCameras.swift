import PipCompose

#if Media
import PipMedia
#endif

/// The desktop's camera portal, which gives sandboxed programs a camera.
struct PortalCameras {
    /// The sandbox in which this process runs; nil outside a sandbox.
    let sandbox: Sandbox?
    /// True if a portal was looked for and found.
    let isOffered: Bool

    /// Looks for a sandbox; outside a sandbox, looks for a portal if `isWanted`.
    ///
    /// - Parameters:
    ///   - directory: The directory of cameras, through whose system calls the sandbox's files are read.
    ///   - isWanted: True to look for a portal on the session bus, because no camera was found.
    init(_ directory: CameraDirectory, isWanted: Bool) {
        sandbox = Sandbox(directory.calls)
        #if Media
        isOffered = isWanted && sandbox == nil && PortalCameraSource.isOffered
        #else
        isOffered = false
        #endif
    }

    init(sandbox: Sandbox?, isOffered: Bool) { (self.sandbox, self.isOffered) = (sandbox, isOffered) }

    /// A sentence of advice for the user; nil if the portal would not help.
    var note: String? {
        if let sandbox {
            return "\(sandbox.kind) keeps devices away from here; camera:portal asks the desktop for a camera"
        }
        return isOffered ? "this desktop has a camera portal; camera:portal asks it for a camera" : nil
    }
}
