import PipCompose
import PipRig

/// Checks whether there are virtual cameras, and whether browsers would list them.
struct VirtualCameraCheck {
    private let directory: VirtualCameraDirectory

    init(_ directory: VirtualCameraDirectory) { self.directory = directory }

    var findings: [Finding] {
        let devices = directory.devices()
        guard !devices.isEmpty else { return [none] }
        return devices.map(finding)
    }

    private var none: Finding {
        let label = Self.defaultLabel
        let commands = [VirtualCameraSetup.installation, VirtualCameraSetup.command(label: label)]
        return Finding(
            subject: "virtual cam", severity: .note,
            detail: directory.isDriverLoaded
                ? "v4l2loopback is loaded without a device"
                : "there is no virtual camera; with one, browsers and video calls see the picture as a camera",
            remedy: ((directory.isDriverLoaded ? ["sudo modprobe -r v4l2loopback"] : []) + commands)
                .joined(separator: " && ") + "\n" + Self.lasting(VirtualCameraSetup.lasting(label: label)))
    }

    private static let defaultLabel = "pip-compose"

    private static func lasting(_ commands: [String]) -> String {
        "for every start: \(commands.joined(separator: "; "))"
    }

    private func finding(_ device: VirtualCameraDevice) -> Finding {
        let holders = directory.holders(of: device)
        let names = holders.map(\.description).joined(separator: ", ")
        let users = holders.isEmpty ? "nobody has it open" : "open in \(names)"
        let content = device.format.map { ", shows \($0)" } ?? ""
        let detail = "\(device)\(content), \(users)"
        guard device.hasExclusiveCaps == false else {
            return Finding(subject: "virtual cam", severity: .ok, detail: detail)
        }
        let number = Int(device.path.drop { !$0.isNumber }) ?? 10
        return Finding(
            subject: "virtual cam", severity: .note,
            detail: "\(detail); without exclusive_caps, Chromium and others do not recognize it as a camera",
            remedy: "sudo modprobe -r v4l2loopback && "
                + VirtualCameraSetup.command(number: number, label: device.label) + "\n"
                + Self.lasting(VirtualCameraSetup.lasting(number: number, label: device.label)))
    }
}
