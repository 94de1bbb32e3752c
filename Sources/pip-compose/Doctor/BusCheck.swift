import PipCompose

/// Cameras that share a USB controller: together they may want more than its bus carries.
struct BusCheck {
    /// What a USB 2 bus reserves for cameras at most: four fifths of 480 megabits a second.
    private static let usableMegabytes = 48
    private let directory: CameraDirectory

    init(_ directory: CameraDirectory) { self.directory = directory }

    var findings: [Finding] {
        let cameras = directory.cameras().filter { (directory.usbSpeed(of: $0) ?? 480) <= 480 }
        let controllers = Dictionary(grouping: cameras) { Self.controller(of: $0.busInfo) }
        return controllers.sorted { ($0.key ?? "") < ($1.key ?? "") }.compactMap { controller, cameras in
            guard let controller, cameras.count > 1 else { return nil }
            return finding(controller, cameras)
        }
    }

    private func finding(_ controller: String, _ cameras: [CameraDevice]) -> Finding {
        let names = cameras.map { "\($0.card) (\($0.path))" }.joined(separator: " and ")
        let raw = cameras.filter { camera in
            let modes = (try? directory.modes(of: camera)) ?? []
            return !modes.contains { $0.format == FourCC("MJPG") || $0.format == FourCC("JPEG") }
        }
        let shared = "\(names) share the USB controller \(controller), whose bus carries \(Self.usableMegabytes) MB/s"
        guard raw.isEmpty else {
            let sizes = "uncompressed video of 640x480 at 30 takes 18 MB/s, of 1280x720 at 30 it takes 55"
            return Finding(
                subject: "USB", severity: .note, detail: "\(shared); \(sizes)",
                remedy: "use a port of another controller (lsusb -t shows them), or ask for less: ?size=640x480&fps=15")
        }
        return Finding(
            subject: "USB", severity: .ok,
            detail: "\(shared): both fit in MJPG; where starting says “No space left on device”, ask for ?format=mjpeg")
    }

    /// The controller in a bus path such as `usb-0000:00:14.0-2.1`; nil for what is no USB camera.
    static func controller(of busInfo: String) -> String? {
        guard busInfo.hasPrefix("usb-"), let end = busInfo.lastIndex(of: "-") else { return nil }
        let name = busInfo[..<end].dropFirst("usb-".count)
        return name.isEmpty ? nil : String(name)
    }
}
