import PipCompose
import PipRig

/// Checks that there are cameras, that this user may open them, and that no other process holds them open.
struct CameraCheck {
    /// The names of `V4L2_CID_EXPOSURE_AUTO_PRIORITY`, which lets auto-exposure lower the frame rate.
    private static let lightControls: Set = ["exposure_dynamic_framerate", "exposure_auto_priority"]
    private let directory: CameraDirectory
    private let asksPortal: Bool

    /// Creates the check.
    ///
    /// - Parameters:
    ///   - directory: The directory in which cameras are found.
    ///   - asksPortal: True to look for a portal on the session bus when nothing else was found.
    init(_ directory: CameraDirectory, asksPortal: Bool = false) {
        (self.directory, self.asksPortal) = (directory, asksPortal)
    }

    var findings: [Finding] {
        var findings = directory.cameras().flatMap { self.findings($0) }
        for error in directory.unusableNodes() {
            findings.append(
                Finding(
                    subject: "camera", severity: .problem, detail: error.description,
                    remedy: error.kind == .notPermitted ? Self.permission(error.device) : nil))
        }
        findings += MediaPipeline.all(beside: directory).compactMap(Self.finding)
        findings += Self.mistakes(directory.roles)
        let portal = PortalCameras(directory, isWanted: asksPortal && findings.isEmpty)
        if findings.isEmpty {
            findings.append(
                Finding(
                    subject: "camera", severity: .note,
                    detail: "none found: there is no usable /dev/video*; test patterns still work",
                    remedy: "plug a camera in (ls /dev/video*), or in a container: docker run --device /dev/video0 …"))
        }
        if directory.cameras().isEmpty, let note = portal.note {
            findings.append(
                Finding(
                    subject: "camera", severity: .note, detail: note, remedy: "pip-compose --main camera:portal …"))
        }
        return findings
    }

    /// The advice to use libcamera for a sensor with raw nodes; nil for any other pipeline.
    static func finding(_ pipeline: MediaPipeline) -> Finding? {
        guard pipeline.needsProcessing else { return nil }
        let parts = pipeline.sensors + pipeline.lenses + pipeline.flashes
        return Finding(
            subject: "sensor", severity: .note,
            detail:
                "\(pipeline.path) (\(pipeline.driver)) makes pictures of \(parts.joined(separator: ", ")): its nodes have"
                + " raw pixels unless libcamera sets it up, so that pictures are dark or green when read as they are",
            remedy: "use the sensor as camera:libcamera:first, after: apt-get install \(SensorCameras.package)")
    }

    /// One problem for each invalid line in the files of camera roles.
    static func mistakes(_ roles: CameraRoles) -> [Finding] {
        roles.mistakes.map { line in
            Finding(
                subject: "camera", severity: .problem,
                detail:
                    "\(CameraRoles.machinePath) or \(CameraRoles.userPath ?? "the user's file"): \(line): this line"
                    + " must have a role and a camera's name",
                remedy: "pip-compose devices --set front=camera:1")
        }
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
        if controls.contains(where: { $0.name == "privacy" && $0.value == 1 }) {
            findings.append(
                Finding(
                    subject: "camera", severity: .problem,
                    detail: "\(camera.description) is covered: its pictures are black",
                    remedy: "open the shutter over the lens, or press the camera's privacy key"))
        }
        if let control = controls.first(where: { Self.lightControls.contains($0.name) && $0.value == 1 }) {
            findings.append(
                Finding(
                    subject: "light", severity: .ok,
                    detail: "\(camera.path) may halve its rate in the dark (\(control.name) is on); compose switches"
                        + " the control off, unless '\(camera.path)?control.\(control.name)=1' asks for it"))
        }
        return findings
    }

    private static func permission(_ path: String) -> String {
        "sudo usermod -aG \(fileGroup(of: path) ?? "video") $USER, then log in again"
    }
}
