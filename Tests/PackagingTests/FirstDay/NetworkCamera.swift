import Foundation
import PipTestSupport

/// A network camera that shows one colour.
///
/// An RTSP server in a separate program stands for the camera; the end of the program unplugs the camera.
final class NetworkCamera {
    private let colour: String
    private let port: Int
    private let folder: URL
    private var program: BesideTest?

    /// Chooses a free port for the camera, which starts unplugged.
    ///
    /// - Parameters:
    ///   - colour: The name of a pattern of GStreamer's `videotestsrc`, such as `red`.
    ///   - folder: The working directory of the server.
    /// - Throws: The error of finding a port.
    init(seeing colour: String, in folder: URL) throws {
        (self.colour, self.folder) = (colour, folder)
        port = try FreePort.tcp()
    }

    var address: String { "rtsp://127.0.0.1:\(port)/live" }

    func plugIn() throws {
        let picture = "videotestsrc is-live=true pattern=\(colour) ! video/x-raw,width=320,height=180,framerate=15/1"
        let server = Place.sources.appending(path: "Tests/Python/rtsp-server.py").path
        // Only the system's Python can import the system's GStreamer bindings.
        program = try BesideTest(["/usr/bin/python3", server, "\(port)", picture], in: folder)
    }

    func unplug() async {
        await program?.end()
        program = nil
    }
}
