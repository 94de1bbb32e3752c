import PipCompose

/// A simulated USB camera, which the kernel's own UVC driver drives.
final class USBCamera: Sendable {
    /// The camera's device node.
    let path: String
    private let program: Background

    /// Plugs in a camera that sends the JPEG pictures of a file again and again.
    ///
    /// - Parameters:
    ///   - serial: The serial number of the camera.
    ///   - pictures: The path of the file with JPEG pictures.
    ///   - settled: The values on which the automatic controls have settled: the exposure in units of 0.1 ms, and the
    ///     white balance in kelvins.
    ///   - options: Further features, which `Tests/Lab/guest/usb-camera` describes.
    /// - Throws: ``ProgramFailure`` if the camera cannot be plugged in.
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

    /// Sends a command to the simulation; `Tests/Lab/guest/usb-camera` describes the commands.
    func tell(_ command: String) throws { try program.write("\(command)\n") }

    func unplug() { program.stop() }

    /// Plugs in a camera for each file of pictures, runs a function, and unplugs the cameras.
    ///
    /// `driver` are parameters of the kernel module uvcvideo, and `options` are further features of each camera.
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
