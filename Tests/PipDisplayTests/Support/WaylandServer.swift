import Foundation
import PipFrames
import PipTestSupport

/// A headless Wayland compositor.
final class WaylandServer {
    static let size = PixelSize(320, 240)
    static let name = "wayland-test"
    let folder: String
    let process: ServerProcess

    /// Starts the compositor.
    ///
    /// - Parameter folder: An empty folder for the compositor's socket and screenshots.
    /// - Throws: ``ServerFailure`` when the compositor does not start.
    init(in folder: String) throws {
        self.folder = folder
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
        let configuration = "[shell]\npanel-position=none\nstartup-animation=none\nlocking=false\n"
        try configuration.write(toFile: folder + "/weston.ini", atomically: true, encoding: .utf8)
        process = try ServerProcess(
            [
                "weston", "--backend=headless-backend.so", "--use-pixman", "--socket=\(Self.name)", "--debug",
                "--config=\(folder)/weston.ini", "--width=\(Self.size.width)", "--height=\(Self.size.height)",
                "--idle-time=0",
            ], ["XDG_RUNTIME_DIR": folder]
        ) { $0.contains("weston-desktop-shell") }
    }

    /// A screenshot of the compositor's screen, taken with the compositor's tool.
    func picture() throws -> ShownPicture {
        let environment = ["XDG_RUNTIME_DIR": folder, "WAYLAND_DISPLAY": Self.name]
        try runToEnd(["weston-screenshooter"], environment, in: folder)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".png") }
        guard let path = names.first.map({ "\(folder)/\($0)" }) else {
            throw ServerFailure("there is no PNG in \(folder)")
        }
        let bytes = try runToEnd(["ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
        try FileManager.default.removeItem(atPath: path)
        return ShownPicture(size: Self.size, bytes: [UInt8](bytes))
    }
}
