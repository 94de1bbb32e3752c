import PipCompose

/// A USB camera made of software, for the kernel's own driver.
final class USBCamera: Sendable {
    /// The camera's device node.
    let path: String
    private let program: Background

    /// Plugs a camera in that sends the JPEG pictures of a file.
    ///
    /// - Parameters:
    ///   - serial: The camera's serial number.
    ///   - pictures: The file of JPEG pictures.
    ///   - settled: The exposure in tenths of a millisecond, and the white balance in kelvins, that the automatics have
    ///     found.
    ///   - options: Additional features: see `Tests/Lab/guest/usb-camera`.
    /// - Throws: ``ProgramFailure`` when the camera cannot be plugged in.
    init(
        serial: String, pictures: String, settled: (exposure: Int, kelvins: Int) = (250, 4600), options: [String] = []
    ) throws {
        program = try Background(
            [
                "usb-camera", "--serial", serial, "--mjpeg", pictures, "--settled",
                "\(settled.exposure),\(settled.kelvins)",
            ] + options)
        let said = program.read()
        path = String(said.prefix { !$0.isNewline })
        if !path.hasPrefix("/dev/video") {
            program.stop()
            throw ProgramFailure(command: "usb-camera", said: "no device node, but: \(said)")
        }
    }

    /// Makes the camera misbehave: see `Tests/Lab/guest/usb-camera`.
    func tell(_ command: String) throws { try program.write("\(command)\n") }

    func unplug() { program.stop() }

    /// Plugs cameras in, runs a function, and unplugs them.
    ///
    /// The parameter `driver` holds parameters of the kernel's driver, and `options` additional features of each
    /// camera.
    static func withCameras<R>(
        _ pictures: [String], settled: [(exposure: Int, kelvins: Int)] = [], driver: [String] = [],
        options: [String] = [],
        _ body: ([USBCamera]) async throws -> R
    ) async throws -> R {
        try await withModule("vhci-hcd") {
            try await withModule("uvcvideo", driver) {
                var cameras: [USBCamera] = []
                defer { for camera in cameras { camera.unplug() } }
                for (index, file) in pictures.enumerated() {
                    cameras.append(
                        try USBCamera(
                            serial: "LAB\(index)", pictures: file,
                            settled: settled.indices.contains(index) ? settled[index] : (250, 4600), options: options))
                }
                return try await body(cameras)
            }
        }
    }

    func source(_ size: PixelSize = .hd720) -> CameraSource {
        CameraSource(.path(path), wish: CameraWish(size: size, frameRate: FrameRate(30), format: FourCC("MJPG")))
    }
}
