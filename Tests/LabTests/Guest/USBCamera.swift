import Foundation
import PipCompose

/// A USB camera made of software, for the kernel's own driver.
final class USBCamera: Sendable {
    /// Its device node.
    let path: String
    private let process: Process
    private let commands: FileHandle

    /// Plugs a camera in that sends the JPEG pictures of a file.
    init(serial: String, pictures: String) throws {
        process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["usb-camera", "--serial", serial, "--mjpeg", pictures]
        process.standardInput = input
        process.standardOutput = output
        commands = input.fileHandleForWriting
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        path = line.trimmingCharacters(in: .whitespacesAndNewlines)
        guard path.hasPrefix("/dev/video") else {
            throw ProgramFailure(command: "usb-camera", said: "no device node, but: \(line)")
        }
    }

    /// Makes it misbehave: see `Tests/Lab/guest/usb-camera`.
    func tell(_ command: String) throws { try commands.write(contentsOf: Data("\(command)\n".utf8)) }

    func unplug() {
        process.terminate()
        process.waitUntilExit()
    }

    /// Plugs cameras in, does something, and pulls them out.
    static func withCameras<R>(_ pictures: [String], _ body: ([USBCamera]) async throws -> R) async throws -> R {
        try await withModule("vhci-hcd") {
            try await withModule("uvcvideo") {
                var cameras: [USBCamera] = []
                defer { for camera in cameras { camera.unplug() } }
                for (index, file) in pictures.enumerated() {
                    cameras.append(try USBCamera(serial: "LAB\(index)", pictures: file))
                }
                return try await body(cameras)
            }
        }
    }

    func source(_ size: PixelSize = .hd720) -> CameraSource {
        CameraSource(.path(path), wish: CameraWish(size: size, frameRate: FrameRate(30), format: FourCC("MJPG")))
    }
}
