internal import Glibc

/// The device files of GPUs, which tell a GPU from a software renderer before a library is loaded.
package enum GPUDevices {
    /// True when this process may use a render node or NVIDIA's own device, and where `PIP_EGL` asks for a way to
    /// OpenGL ES.
    package static var areUsable: Bool {
        if Environment.value("PIP_EGL")?.isEmpty == false { return true }
        return areUsable(in: "/dev")
    }

    /// True when this process may use a GPU's device in a folder that stands for `/dev`.
    static func areUsable(in folder: String) -> Bool {
        let files = RenderNode.all(in: "\(folder)/dri") + ["\(folder)/nvidiactl"]
        return files.contains { unsafe access($0, R_OK | W_OK) == 0 }
    }
}
