internal import CGL
internal import Glibc
internal import PipFrames
internal import SystemPackage

/// An open render node of a GPU, with a GBM device on it.
///
/// Closes the GBM device and the render node on release.
@safe final class RenderNode {
    /// The device file, such as `/dev/dri/renderD128`.
    let path: String
    /// The GBM device, which is EGL's native display.
    let device: OpaquePointer
    private let descriptor: FileDescriptor

    /// Opens the render node at `path`, and makes a GBM device on it.
    ///
    /// - Throws: ``GLError`` with the path and the reason, such as "Permission denied", or with the missing library.
    init(path: String) throws(GLError) {
        try SystemLibrary.gbm.load()
        self.path = path
        do {
            descriptor = try FileDescriptor.open(FilePath(path), .readWrite, options: .closeOnExec)
        } catch {
            throw GLError("open the render node", subject: path, call: "open", reason: .text("\(error)"))
        }
        guard let device = unsafe gbm_create_device(descriptor.rawValue) else {
            let error = Errno(rawValue: Glibc.errno)
            try? descriptor.close()
            throw GLError("make a GBM device", subject: path, call: "gbm_create_device", reason: .text("\(error)"))
        }
        unsafe self.device = device
    }

    deinit {
        unsafe gbm_device_destroy(device)
        try? descriptor.close()
    }

    /// The paths of the render nodes in a folder, in alphabetical order.
    static func all(in folder: String) -> [String] {
        Folder.entries(of: folder).filter { $0.hasPrefix("renderD") }.sorted().map { "\(folder)/\($0)" }
    }
}
