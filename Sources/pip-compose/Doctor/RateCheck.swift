import PipCompose
import PipRig

/// Runs each camera that is not in use for three seconds, and compares the measured frame rate with the driver's.
struct RateCheck {
    private static let duration = Duration.seconds(3)
    /// The lowest acceptable ratio of the measured frame rate to the driver's frame rate.
    private static let least = 0.9
    private let directory: CameraDirectory

    init(_ directory: CameraDirectory) { self.directory = directory }

    /// Measures the cameras one after another, except those that another process holds open.
    func run() async -> [Finding] {
        var findings: [Finding] = []
        for camera in directory.cameras() where directory.holders(of: camera).isEmpty {
            findings.append(await run(camera))
        }
        return findings
    }

    private func run(_ camera: CameraDevice) async -> Finding {
        let source = CameraSource(.path(camera.path))
        source --> NullSink()
        var options = SessionOptions()
        options.pressure.policy = .off
        do {
            let session = try await Session(source, options: options, cameras: directory)
            try await session.run(for: Self.duration)
            let statistics = session.statistics
            let measured = statistics.sources[0]
            let offered = ((try? directory.modes(of: camera)) ?? []).filter {
                $0.format.description == measured.format && $0.size == measured.size
            }
            let rates = offered.compactMap { $0.frameRate?.framesPerSecond }
            return Self.finding(
                camera.path, "\(measured.format) \(measured.size)", measured: measured.framesPerSecond,
                promised: rates.min { abs($0 - 30) < abs($1 - 30) })
        } catch {
            return Finding(subject: "rate", severity: .problem, detail: "\(error)")
        }
    }

    /// The finding about a camera's measured rate.
    ///
    /// `promised` is the frame rate that the driver reports; nil if the driver reports no frame rate.
    static func finding(_ path: String, _ mode: String, measured: Double, promised: Double?) -> Finding {
        let told = promised.map { " of \(fixedNumber($0, decimals: 1))" } ?? ""
        let detail = "\(path) delivers \(fixedNumber(measured, decimals: 1))\(told) frames a second in \(mode)"
        guard let promised, measured < least * promised else {
            return Finding(subject: "rate", severity: .ok, detail: detail)
        }
        return Finding(
            subject: "rate", severity: .note, detail: detail,
            remedy: "use more light, a fixed exposure (v4l2-ctl -d \(path) -l), a smaller size, or another USB port")
    }
}
