internal import CV4L2
internal import PipCapture
internal import PipFrames
internal import PipSinks
internal import SystemPackage

/// Makes the errors of a virtual camera that cannot be written to, with the shell command that helps, if there is one.
struct LoopbackProblems {
    /// The identifier of the control `keep_format`: at 1, the device keeps its format while no program has it open.
    private static let keepFormat = UInt32(V4L2_CID_USER_BASE) | 0xf000
    private static let operation = "write to it"

    let path: String
    let calls: any V4L2Calls

    /// Checks that the path leads to a device node.
    func checkKind() throws(SinkError) {
        let status: FileStatus
        do throws(Errno) {
            status = try calls.status(of: path)
        } catch {
            guard error == .noSuchFileOrDirectory else { throw failure(call: "stat", error) }
            let devices = VirtualCameraDirectory(calls: calls).devices()
            throw refusal("there is no such device; \(remedy(label: "pip-compose", devices: devices))", error)
        }
        guard status.kind == .characterDevice else {
            throw refusal("it is a \(status.kind.rawValue), not a device node")
        }
    }

    func cannotOpen(_ errno: Errno) -> SinkError {
        let problems = NodeProblems(calls: calls)
        switch errno {
        case .permissionDenied, .notPermitted:
            let hint = problems.permissionHint(for: path).map { " (\($0))" } ?? ""
            return refusal("open: \(errno)\(hint)", errno)
        case .resourceBusy:
            return refusal(
                "it is open as often as its driver allows\(holders(", by ")); end a program that has it open, or allow"
                    + " more: echo 20 | sudo tee /sys/class/video4linux/\(node)/max_openers", errno)
        default: return failure(call: "open", errno)
        }
    }

    /// The error of a node on which `VIDIOC_QUERYCAP` has failed.
    func notVideo(_ errno: Errno) -> SinkError {
        guard errno == .inappropriateIOCTLForDevice || errno == .invalidArgument else {
            return failure(call: "VIDIOC_QUERYCAP", errno)
        }
        return refusal("its driver is not a video driver", errno)
    }

    /// The error of a device that belongs to another driver.
    func notLoopback(_ identity: VideoIdentity) -> SinkError {
        let what = identity.isCapture ? "it is a camera, \(identity.card)" : "its driver is \(identity.driver)"
        let devices = VirtualCameraDirectory(calls: calls).devices()
        // The number of this node is taken.
        let free = (10..<64).first { (try? calls.status(of: "/dev/video\($0)")) == nil }
        return refusal(
            "\(what): only devices of v4l2loopback take frames for other programs;"
                + " \(remedy(label: "pip-compose", devices: devices, number: free))")
    }

    /// The error of a device to which another program, or another output of this program, writes already.
    var busy: SinkError {
        let problems = NodeProblems(calls: calls)
        let others = problems.holders(of: path)
        guard !others.isEmpty else {
            return refusal(
                "another output of this program writes to it, or a program of another user does: end that output or"
                    + " program",
                .resourceBusy)
        }
        // One descriptor of this process belongs to the refused output.
        let isOwn = problems.descriptors(of: path, in: "self") > 1
        let writer = isOwn ? "another output of this program, or another program," : "another program"
        return refusal(
            "\(writer) writes to it; it is open in \(names(others)): end the writer, or if the writer has ended, the"
                + " programs that read from the device",
            .resourceBusy)
    }

    /// The error of a device that has set another format than the requested one.
    func mismatch(asked: FrameLayout, took: FrameLayout?, _ fourCC: FourCC, _ size: PixelSize) -> SinkError {
        let asked = "\(asked.size) \(asked.format.fourCC)"
        let others = holders(" while these programs have it open: ")
        let reason =
            others.isEmpty
            ? keepsFormat
                ? "; it keeps its format until you run: v4l2-ctl -d \(path) -c keep_format=0" : ""
            : "\(others); close these programs"
        let format = took.flatMap { VirtualCameraWriter.formats.contains($0.format) ? $0.format : nil }
        let joint = reason.isEmpty ? "; " : "; or "
        let other = format.map { "\(joint)write in its format: '\(path)?size=\(size)&format=\($0.rawValue)'" } ?? ""
        return refusal("it takes \(size) \(fourCC), not \(asked)\(reason)\(other)", kind: .failed)
    }

    func failure(_ operation: String = Self.operation, call: String, _ errno: Errno) -> SinkError {
        let hint = errno == .operationNotSupportedByDevice ? " (the device was removed)" : ""
        return SinkError(path, operation, .failed, "\(call): \(errno)\(hint)", errno: errno)
    }

    func refusal(
        _ reason: String, _ errno: Errno? = nil, kind: SinkError.Kind = .cannotCreate
    ) -> SinkError {
        SinkError(path, Self.operation, kind, reason, errno: errno)
    }

    /// Advice for the user: the existing virtual cameras, if any, and the command that creates other devices.
    ///
    /// - Parameters:
    ///   - label: The label of the device to create.
    ///   - devices: The existing virtual cameras.
    ///   - number: The number of the device to create; nil for the number of the path.
    /// - Returns: The advice.
    func remedy(label: String, devices: [VirtualCameraDevice], number: Int? = nil) -> String {
        let number = number ?? Int(node.dropFirst("video".count)) ?? 10
        guard devices.isEmpty else {
            let list = devices.map(\.description).joined(separator: ", ")
            return "existing virtual cameras: \(list); to load the driver with other devices, run: "
                + VirtualCameraSetup.reload(number: number, label: label)
        }
        if VirtualCameraDirectory(calls: calls).isDriverLoaded {
            return "v4l2loopback is loaded without a device that this program can open;"
                + " this command creates a virtual camera: "
                + VirtualCameraSetup.reload(number: number, label: label)
        }
        return "this command creates a virtual camera: \(VirtualCameraSetup.command(number: number, label: label))"
            + " (first install the driver: \(VirtualCameraSetup.installation));"
            + " `pip-compose doctor` says how to keep the virtual camera"
    }

    private var node: String { String(path.split(separator: "/").last ?? "") }

    private func holders(_ prefix: String) -> String {
        let others = NodeProblems(calls: calls).holders(of: path)
        return others.isEmpty ? "" : prefix + names(others)
    }

    private func names(_ holders: [NodeHolder]) -> String { holders.map(\.description).joined(separator: ", ") }

    private var keepsFormat: Bool {
        guard let device = try? V4L2Device(at: path, calls: calls) else { return false }
        var control = v4l2_control(id: Self.keepFormat, value: 0)
        return device.perform(.getControl, &control) == nil && control.value == 1
    }
}
