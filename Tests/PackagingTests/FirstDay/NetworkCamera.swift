import Foundation
import PipTestSupport

/// A camera of the network that sees one colour: a program of its own, which is killed to unplug it.
final class NetworkCamera {
    private let colour: String
    private let port: Int
    private let folder: URL
    private var program: BesideTest?

    /// - Parameters:
    ///   - colour: As a pattern of GStreamer's `videotestsrc` is named.
    ///   - folder: Where its program runs.
    /// - Throws: What goes wrong with its port.
    init(seeing colour: String, in folder: URL) throws {
        (self.colour, self.folder) = (colour, folder)
        port = try FreePort.tcp()
    }

    var address: String { "rtsp://127.0.0.1:\(port)/live" }

    func plugIn() throws {
        let picture = "videotestsrc is-live=true pattern=\(colour) ! video/x-raw,width=320,height=180,framerate=15/1"
        let server = Place.sources.appending(path: "Tests/Python/rtsp-server.py").path
        // The system's Python has the system's GStreamer.
        program = try BesideTest(["/usr/bin/python3", server, "\(port)", picture], in: folder)
    }

    func unplug() async {
        await program?.end()
        program = nil
    }
}
