import PipCompose

/// Whether there are cameras, and whether they may be used.
struct CameraCheck {
    private let directory: CameraDirectory

    init(_ directory: CameraDirectory) { self.directory = directory }

    var findings: [Finding] {
        let cameras = directory.cameras()
        var findings = cameras.map { Finding(subject: "camera", severity: .ok, detail: $0.description) }
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

    private static func permission(_ path: String) -> String {
        "sudo usermod -aG \(fileGroup(of: path) ?? "video") $USER, then log in again"
    }
}
