import PipCompose

/// Whether there are cameras, whether they may be used, and whether they are free.
struct CameraCheck {
    /// Controls by which a camera may lower its rate to see more.
    private static let lightControls: Set = ["exposure_dynamic_framerate", "exposure_auto_priority"]
    private let directory: CameraDirectory

    init(_ directory: CameraDirectory) { self.directory = directory }

    var findings: [Finding] {
        var findings = directory.cameras().flatMap { self.findings($0) }
        for error in directory.unusableNodes() {
            findings.append(
                Finding(
                    subject: "camera", severity: .problem, detail: error.description,
                    remedy: error.kind == .notPermitted ? Self.permission(error.device) : nil))
        }
        if findings.isEmpty {
            findings.append(
                Finding(
                    subject: "camera", severity: .note,
                    detail: "none found: there is no usable /dev/video*; test patterns still work",
                    remedy: "plug one in (ls -l /dev/video*), or in a container: docker run --device /dev/video0 …"))
        }
        return findings
    }

    private func findings(_ camera: CameraDevice) -> [Finding] {
        var findings: [Finding] = []
        let holders = directory.holders(of: camera)
        if holders.isEmpty {
            findings.append(Finding(subject: "camera", severity: .ok, detail: camera.description))
        } else {
            findings.append(
                Finding(
                    subject: "camera", severity: .problem,
                    detail:
                        "\(camera.description) is open in \(holders.map(\.description).joined(separator: ", ")): only"
                        + " one program at a time can have its frames",
                    remedy: "end that program: kill \(holders.map { String($0.process) }.joined(separator: " "))"))
        }
        let controls = (try? directory.controls(of: camera)) ?? []
        if let control = controls.first(where: { Self.lightControls.contains($0.name) && $0.value == 1 }) {
            findings.append(
                Finding(
                    subject: "light", severity: .note,
                    detail: "\(camera.path) lowers its rate where it is dark, to 15 or fewer frames a second"
                        + " (\(control.name) is on)",
                    remedy: "more light, or for a steady rate: --main '\(camera.path)?control.\(control.name)=0'"))
        }
        return findings
    }

    private static func permission(_ path: String) -> String {
        "sudo usermod -aG \(fileGroup(of: path) ?? "video") $USER, then log in again"
    }
}
