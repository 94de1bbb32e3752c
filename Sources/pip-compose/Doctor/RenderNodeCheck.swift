import FoundationEssentials
import Glibc
import PipCompose
import PipRig

/// Checks that the GPU's render nodes, or NVIDIA's control device, exist and may be opened.
struct RenderNodeCheck {
    private let folder: String

    /// Creates the check.
    ///
    /// - Parameter folder: The folder that stands for `/dev`.
    init(folder: String = "/dev") { self.folder = folder }

    var findings: [Finding] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/dri")) ?? []
        let nodes = names.filter { $0.hasPrefix("renderD") }.sorted().map { "\(folder)/dri/\($0)" }
        // NVIDIA's driver also draws without a render node, as in containers and data centres.
        let nvidia = "\(folder)/nvidiactl"
        if nodes.isEmpty, FileManager.default.fileExists(atPath: nvidia) { return [Self.finding(nvidia)] }
        guard !nodes.isEmpty else {
            return [
                Finding(
                    subject: "GPU", severity: .note, detail: "no device file \(folder)/dri/renderD*, so the CPU draws",
                    remedy: "load the GPU's driver, or in a container: docker run --device /dev/dri …")
            ]
        }
        return nodes.map { Self.finding($0) }
    }

    private static func finding(_ node: String) -> Finding {
        if unsafe access(node, R_OK | W_OK) == 0 {
            return Finding(subject: "GPU", severity: .ok, detail: "\(node) may be used")
        }
        let reason = systemMessage(errno)
        let group = fileGroup(of: node) ?? "render"
        return Finding(
            subject: "GPU", severity: .problem,
            detail: "\(node): cannot open the GPU: \(reason); the file belongs to the group \(group)",
            remedy: "sudo usermod -aG \(group) $USER, then log in again")
    }
}

/// The name of the group that owns a file; nil for a file that cannot be queried.
func fileGroup(of path: String) -> String? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.groupOwnerAccountName] as? String
}
