import PipCompose

/// Checks whether cameras that share a USB bus exceed its bandwidth together.
struct BusCheck {
    private let directory: CameraDirectory

    init(_ directory: CameraDirectory) { self.directory = directory }

    /// One finding for each shared bus, with the estimated load if a session with default settings ran all cameras.
    var findings: [Finding] {
        directory.sharedBuses().map { load, cameras in
            let names = cameras.map { "\($0.device.card) (\($0.device.path)) as \($0.mode)" }
            let detail = "\(names.joined(separator: " and ")) share \(load)"
            guard load.cost > 1 else { return Finding(subject: "USB", severity: .ok, detail: detail) }
            return Finding(
                subject: "USB", severity: .note, detail: "\(detail); the cameras offer no smaller modes",
                remedy: "use a port of another controller (see lsusb -t), or run one of the cameras at a time")
        }
    }
}
