internal import SystemPackage

/// Diagnoses a device node that cannot be used.
package struct NodeProblems {
    let calls: any V4L2Calls

    package init(calls: any V4L2Calls) { self.calls = calls }

    /// The error for a failed `open`, with advice where the cause is known.
    func error(opening path: String, errno: Errno) -> CaptureError {
        let hint: String? =
            switch errno {
            case .permissionDenied, .notPermitted: permissionHint(for: path)
            case .resourceBusy: holderHint(for: path, ownDescriptors: 0)
            default: nil
            }
        return CaptureError(device: path, operation: "open the camera", call: "open", errno: errno, hint: hint)
    }

    /// Advice for a node that this process may not open: the command that adds the user to the node's group, or the
    /// remark that only root may use the node.
    ///
    /// Nil when the node's permissions cannot be read.
    package func permissionHint(for path: String) -> String? {
        guard let status = try? calls.status(of: path) else { return nil }
        let group = groupName(status.groupID)
        guard status.groupID != 0, status.mode & 0o060 == 0o060 else {
            return "only root may use the node: its group is \(group) and its mode \(String(status.mode, radix: 8))"
        }
        return "the node belongs to the group \(group): run `sudo usermod -aG \(group) $USER` and log in again"
    }

    private func groupName(_ id: UInt32) -> String {
        for line in (calls.text(of: "/etc/group") ?? "").split(separator: "\n") {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            if fields.count >= 3, UInt32(fields[2]) == id { return String(fields[0]) }
        }
        return String(id)
    }

    /// The other programs that have a node open; programs that this process may not inspect are left out.
    package func holders(of path: String) -> [NodeHolder] {
        let own = calls.target(ofLink: "/proc/self")
        return calls.names(in: "/proc").compactMap(Int.init).sorted().compactMap { process in
            guard String(process) != own, descriptors(of: path, in: "\(process)") > 0 else { return nil }
            return NodeHolder(name: calls.text(of: "/proc/\(process)/comm") ?? "?", process: process)
        }
    }

    /// A hint that names the holders of a node, or says that the node's driver has hung.
    ///
    /// - Parameters:
    ///   - path: The node.
    ///   - ownDescriptors: The number of the node's descriptors that this process uses. Further descriptors were
    ///     abandoned when the driver hung.
    /// - Returns: The hint; nil when no other program is known to have the node open, and no descriptor was abandoned.
    func holderHint(for path: String, ownDescriptors: Int) -> String? {
        let holders = holders(of: path)
        if !holders.isEmpty { return "in use by \(holders.map(\.description).joined(separator: ", "))" }
        guard descriptors(of: path, in: "self") > ownDescriptors else { return nil }
        return "the camera's driver hung and still holds the device: unplug the camera and plug it in again"
    }

    /// The number of descriptors of the node at `path` that a process has open.
    ///
    /// Pass a process identifier, or `self` for this process.
    package func descriptors(of path: String, in process: String) -> Int {
        let folder = "/proc/\(process)/fd"
        return calls.names(in: folder).count { calls.target(ofLink: "\(folder)/\($0)") == path }
    }
}
