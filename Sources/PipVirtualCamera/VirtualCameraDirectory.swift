package import PipCapture
package import PipSinks

/// Finds virtual cameras.
///
/// Thread-safe. Calls open device nodes for a moment and may block for some milliseconds.
public struct VirtualCameraDirectory: Sendable {
    package let calls: any V4L2Calls

    /// The virtual cameras of this machine.
    public init() { calls = KernelCalls() }

    package init(calls: any V4L2Calls) { self.calls = calls }

    /// All virtual cameras, in the order of their nodes' numbers.
    public func devices() -> [VirtualCameraDevice] {
        let numbers = calls.names(in: "/dev").compactMap { name in
            name.hasPrefix("video") ? Int(name.dropFirst(5)) : nil
        }
        return numbers.sorted().compactMap { number in
            LoopbackNode(at: "/dev/video\(number)", calls: calls).map(describe)
        }
    }

    /// True when the driver is loaded, with devices or without.
    public var isDriverLoaded: Bool { calls.names(in: "/sys/module").contains("v4l2loopback") }

    /// The other programs that have it open, as far as we may see: who writes to it, and who reads it.
    package func holders(of device: VirtualCameraDevice) -> [NodeHolder] {
        NodeProblems(calls: calls).holders(of: device.path)
    }

    /// The device that a user means.
    ///
    /// - Parameter name: Its path, its label, or any that is free.
    /// - Returns: The path of its node.
    /// - Throws: ``SinkError`` when there is none.
    package func path(of name: VirtualCameraName) throws(SinkError) -> String {
        switch name {
        case .path(let path):
            let target = calls.target(ofLink: path)
            guard let target else { return path }
            // Links in /dev lead to neighbours, or by a whole path.
            return target.hasPrefix("/") ? target : "/dev/\(target.split(separator: "/").last ?? "")"
        case .label(let label):
            let devices = devices()
            if let device = devices.first(where: { $0.label == label }) { return device.path }
            throw missing("virtual-camera:\(label)", "no virtual camera has this label", label, devices)
        case .free:
            let devices = devices()
            if let device = devices.first(where: isFree) { return device.path }
            throw missing(
                "virtual-camera:", devices.isEmpty ? "there is none" : "each one is open in a program", "pip-compose",
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

    /// True when it has no writer for certain: it has no format, or nobody has it open.
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
