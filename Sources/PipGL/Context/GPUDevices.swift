internal import Glibc

/// Access to GPUs' device files, which tells whether there is a GPU before any OpenGL library is loaded.
package enum GPUDevices {
    /// True when this process may open a render node or NVIDIA's device, or when `PIP_EGL` requests an EGL display.
    package static var areUsable: Bool {
        if Environment.value("PIP_EGL")?.isEmpty == false { return true }
        return areUsable(in: "/dev")
    }

    /// True when this process may open a GPU's device file in a folder that stands for `/dev`.
    static func areUsable(in folder: String) -> Bool {
        let files = RenderNode.all(in: "\(folder)/dri") + ["\(folder)/nvidiactl"]
        return files.contains { unsafe access($0, R_OK | W_OK) == 0 }
    }
}
