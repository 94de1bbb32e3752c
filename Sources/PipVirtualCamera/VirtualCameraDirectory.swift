package import PipCapture
package import PipSinks

/// Discovers virtual cameras, and resolves their names.
///
/// Use a directory to list the devices that an output can write to. The directory's calls open device nodes for a
/// moment, and may block for some milliseconds.
///
/// Thread: any.
public struct VirtualCameraDirectory: Sendable {
    package let calls: any V4L2Calls

    /// Creates a directory of this machine's virtual cameras.
    public init() { calls = KernelCalls() }

    package init(calls: any V4L2Calls) { self.calls = calls }

    /// Lists the virtual cameras that this process may open, in the order of their nodes' numbers.
    public func devices() -> [VirtualCameraDevice] {
        let numbers = calls.names(in: "/dev").compactMap { name in
            name.hasPrefix("video") ? Int(name.dropFirst(5)) : nil
        }
        return numbers.sorted().compactMap { number in
            LoopbackNode(at: "/dev/video\(number)", calls: calls).map(describe)
        }
    }

    /// True when the driver v4l2loopback is loaded, with or without devices.
    public var isDriverLoaded: Bool { calls.names(in: "/sys/module").contains("v4l2loopback") }

    /// The other programs that have a device open: its writer and its readers.
    ///
    /// Programs that this process may not inspect are left out.
    package func holders(of device: VirtualCameraDevice) -> [NodeHolder] {
        NodeProblems(calls: calls).holders(of: device.path)
    }

    /// Finds the device that `name` refers to.
    ///
    /// - Parameter name: The device's path or label, or any free device.
    /// - Returns: The path of the device's node.
    /// - Throws: ``SinkError`` when no device has the label, or no device is free. A path is not checked.
    package func path(of name: VirtualCameraName) throws(SinkError) -> String {
        switch name {
        case .path(let path):
            let target = calls.target(ofLink: path)
            guard let target else { return path }
            // The target of a link is a name in `/dev`, or an absolute path.
            return target.hasPrefix("/") ? target : "/dev/\(target.split(separator: "/").last ?? "")"
        case .label(let label):
            let devices = devices()
            if let device = devices.first(where: { $0.label == label }) { return device.path }
            throw missing("virtual-camera:\(label)", "no virtual camera has this label", label, devices)
        case .free:
            let devices = devices()
            if let device = devices.first(where: isFree) { return device.path }
            throw missing(
                "virtual-camera",
                devices.isEmpty ? "there is no virtual camera" : "each virtual camera is open in a program",
                "pip-compose",
                devices)
        }
    }

    private func missing(
        _ name: String, _ reason: String, _ label: String, _ devices: [VirtualCameraDevice]
    ) -> SinkError {
        let problems = LoopbackProblems(path: "/dev/video10", calls: calls)
        return SinkError(
            name, "find the device", .cannotCreate, "\(reason); \(problems.remedy(label: label, devices: devices))")
    }

    /// True when the device has no format, or no program that this process may inspect has the device open.
    private func isFree(_ device: VirtualCameraDevice) -> Bool {
        guard device.format != nil else { return true }
        let problems = NodeProblems(calls: calls)
        return problems.holders(of: device.path).isEmpty && problems.descriptors(of: device.path, in: "self") == 0
    }

    private func describe(_ node: LoopbackNode) -> VirtualCameraDevice {
        let name = node.device.path.split(separator: "/").last ?? ""
        let format = calls.text(of: "/sys/class/video4linux/\(name)/format") ?? ""
        let flags = calls.text(of: "/sys/module/v4l2loopback/parameters/exclusive_caps")?.split(separator: ",") ?? []
        let flag = node.index.flatMap { flags.indices.contains($0) ? flags[$0] : nil }
        return VirtualCameraDevice(
            path: node.device.path, label: node.identity.card, hasExclusiveCaps: flag.map { $0 == "Y" || $0 == "1" },
            format: format.isEmpty ? nil : format)
    }
}
