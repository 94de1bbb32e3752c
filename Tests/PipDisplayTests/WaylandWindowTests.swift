import Foundation
import PipFrames
import PipTestSupport
import Testing

@testable import PipDisplay

@Suite("Windows on Wayland")
struct WaylandWindowTests {
    private let folder: TemporaryFolder
    private let quarters = QuarterPicture.colours

    init() throws { folder = try TemporaryFolder() }

    @Test("in full screen, the picture keeps its aspect ratio, with black around it")
    func fullscreen() throws {
        let server = try WaylandServer(in: folder.url.path)
        let show = try Show(on: server, PixelSize(64, 36), isFullscreen: true)
        #expect(show.show(QuarterPicture.frame(PixelSize(64, 36)), times: 5))
        let picture = try server.picture()
        #expect(picture.quarters(in: PixelRect(x: 0, y: 30, width: 320, height: 180)) == quarters)
        for row in [0, 29, 210, 239] { #expect(picture[160, row] == 0, "\(row)") }
    }

    @Test("a window in full screen has the screen's size, so that nothing is scaled twice")
    func size() throws {
        let server = try WaylandServer(in: folder.url.path)
        let folder = server.folder
        let opening = WindowOpening(title: "test", isFullscreen: true, display: nil) {
            $0 == "XDG_RUNTIME_DIR" ? folder : nil
        }
        let window = try WaylandWindow(opening, on: WaylandServer.name, PixelSize(64, 36))
        let wake = DisplayWake()
        while !window.isReady {
            wake.wait(for: window.descriptor, isWriting: window.hasOutput, milliseconds: 20_000)
            try window.work()
        }
        #expect(window.size == WaylandServer.size)
    }

    @Test("a window has the picture's size, and shows each of its pixels")
    func window() throws {
        let server = try WaylandServer(in: folder.url.path)
        let show = try Show(on: server, PixelSize(100, 60), turns: Orientation(quarterTurns: 1))
        #expect(show.show(QuarterPicture.frame(PixelSize(100, 60)), times: 5))
        let picture = try server.picture()
        var counts: [Int: Int] = [:]
        for y in 0..<picture.size.height { for x in 0..<picture.size.width { counts[picture[x, y], default: 0] += 1 } }
        #expect(quarters.map { counts[$0] } == [1500, 1500, 1500, 1500])
    }

    @Test("row 74: a killed compositor is reported once, and the picture returns with the compositor")
    func killed() async throws {
        var server = try WaylandServer(in: folder.url.path)
        let show = try Show(on: server, PixelSize(64, 48), isFullscreen: true)
        #expect(show.show(QuarterPicture.frame(PixelSize(64, 48))))
        server.process.end()
        #expect(show.wait { !$0.warnings.isEmpty })
        #expect(show.warnings[0].hasPrefix("the Wayland compositor at \(WaylandServer.name) is gone"))
        server = try WaylandServer(in: folder.url.path)
        #expect(show.wait { $0.warnings.count == 2 })
        #expect(show.show(QuarterPicture.frame(PixelSize(64, 48)), times: 5))
        #expect(try server.picture()[10, 10] == quarters[0])
        #expect(await show.runner.finish(by: show.limit))
    }

    @Test(
        "a compositor that closes the connection is told apart from one that does not answer",
        arguments: [("c.close()", "is gone: the connection "), ("time.sleep(60)", "does not answer")])
    func noAnswer(_ manner: String, _ reason: String) throws {
        let path = folder.path("socket")
        let program =
            "import socket, sys, time; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(); "
            + "print('ready', flush=True); c, _ = s.accept(); \(manner)"
        let server = try ServerProcess(["python3", "-c", program, path]) { $0 == "ready" }
        let opening = WindowOpening(title: "test", isFullscreen: false, display: nil) { _ in nil }
        let error = #expect(throws: DisplayError.self) {
            _ = try WaylandWindow(opening, on: path, PixelSize(64, 48))
        }
        #expect(error?.reason.hasPrefix("the Wayland compositor at \(path) \(reason)") == true)
        server.end()
    }

    @Test("without a compositor, or without its folder, the error says what to do")
    func refusals() {
        func reason(_ environment: [String: String]) -> String {
            let opening = WindowOpening(title: "test", isFullscreen: false, display: "wayland-7") { environment[$0] }
            do {
                _ = try opening.open(PixelSize(64, 48))
                return ""
            } catch { return error.reason }
        }
        #expect(reason([:]).hasPrefix("XDG_RUNTIME_DIR, the folder of the Wayland socket wayland-7, is not set"))
        #expect(
            reason(["XDG_RUNTIME_DIR": "/nowhere"])
                == "no Wayland compositor answers at /nowhere/wayland-7: connect: No such file or directory")
    }
}
