import Foundation
import PipFrames
import PipSinks
import PipTestSupport
import Testing

@testable import PipDisplay

@Suite("Windows on X")
struct XWindowTests {
    private let quarters = QuarterPicture.colours

    @Test("a window has the picture's size, shows each of its pixels, and has its title")
    func pixels() throws {
        let server = try XServer()
        let show = try Show(on: server, PixelSize(101, 67), title: "Zwei Kameras ✓")
        #expect(show.show(QuarterPicture.frame(PixelSize(101, 67))))
        let picture = try server.picture()
        for y in 0..<XServer.size.height {
            for x in 0..<XServer.size.width {
                let quarter = (y * 2 / 67) * 2 + x * 2 / 101
                let expected = x < 101 && y < 67 ? quarters[quarter] : 0
                guard picture[x, y] == expected else {
                    Issue.record("\(x), \(y): \(picture[x, y])")
                    return
                }
            }
        }
        let name = try server.ask("print(w.get_full_text_property(d.get_atom('_NET_WM_NAME')))")
        #expect(name == "Zwei Kameras ✓")
        #expect(try server.ask("print(w.get_wm_class()[1])") == "pip-compose")
    }

    @Test("in full screen, the picture keeps its aspect ratio, with black around it")
    func fullscreen() throws {
        let server = try XServer()
        let show = try Show(on: server, PixelSize(64, 36), isFullscreen: true)
        #expect(show.show(QuarterPicture.frame(PixelSize(64, 36))))
        let picture = try server.picture()
        #expect(picture.quarters(in: PixelRect(x: 0, y: 30, width: 320, height: 180)) == quarters)
        for row in [0, 29, 210, 239] { #expect(picture[160, row] == 0, "\(row)") }
        #expect(picture[160 - 20, 30] == quarters[0] && picture[160 + 20, 209] == quarters[3])
        let states = try server.ask(
            "print([d.get_atom_name(a) for a in w.get_full_property(d.get_atom('_NET_WM_STATE'), 4).value])")
        #expect(states == "['_NET_WM_STATE_FULLSCREEN']")
    }

    @Test(
        "a rotation turns the picture clockwise",
        arguments: [(90, [2, 0, 3, 1]), (180, [3, 2, 1, 0]), (270, [1, 3, 0, 2])])
    func turned(_ degrees: Int, _ order: [Int]) throws {
        let server = try XServer()
        let turns = try #require(Orientation(degrees: degrees))
        let show = try Show(on: server, PixelSize(64, 32), turns: turns)
        #expect(show.show(QuarterPicture.frame(PixelSize(64, 32))))
        let size = turns.size(of: PixelSize(64, 32))
        let picture = try server.picture()
        #expect(picture.quarters(in: size.bounds) == order.map { quarters[$0] })
        #expect(picture[size.width, 0] == 0 && picture[0, size.height] == 0)
    }

    @Test("a window that its user enlarges rescales the picture without another frame")
    func resized() throws {
        let server = try XServer()
        let show = try Show(on: server, PixelSize(40, 40))
        #expect(show.show(QuarterPicture.frame(PixelSize(40, 40))))
        let written = show.runner.statistics.written
        try server.ask("w.configure(width=200, height=100)")
        #expect(try shows(server) { $0.quarters(in: PixelRect(x: 50, y: 0, width: 100, height: 100)) == quarters })
        #expect(show.runner.statistics.written == written)
    }

    /// Takes screenshots until a condition holds; returns false after 50 screenshots.
    ///
    /// A window that repaints by itself reports no event.
    private func shows(_ server: XServer, _ condition: (ShownPicture) -> Bool) throws -> Bool {
        for _ in 0..<50 where condition(try server.picture()) { return true }
        return false
    }

    @Test("a window that its user closes ends the output with an error message", arguments: [false, true])
    func closed(_ isDestroyed: Bool) throws {
        let server = try XServer()
        let show = try Show(on: server, PixelSize(64, 48))
        #expect(show.show(QuarterPicture.frame(PixelSize(64, 48))))
        if isDestroyed { try server.ask("w.destroy()") } else { try server.closeWindow() }
        #expect(show.wait { $0.error != nil })
        #expect(show.error?.endsByReader == true)
        #expect(show.error?.description == "window:test: cannot show the picture: its window was closed")
        #expect(show.runner.submit(QuarterPicture.frame(PixelSize(64, 48)), until: show.limit))
        #expect(show.runner.statistics.drops[.disabled] == 1)
    }

    @Test("row 74: a killed server is reported once, and the picture returns with the server")
    func killed() async throws {
        var server = try XServer()
        let display = server.display
        let show = try Show(on: server, PixelSize(64, 48))
        #expect(show.show(QuarterPicture.frame(PixelSize(64, 48))))
        server.process.end()
        #expect(show.wait { !$0.warnings.isEmpty })
        #expect(show.runner.statistics.error != nil)
        server = try XServer(display)
        #expect(show.wait { $0.warnings.count == 2 })
        #expect(show.show(QuarterPicture.frame(PixelSize(64, 48))))
        #expect(try server.picture()[10, 10] == quarters[0])
        #expect(show.warnings[0].hasPrefix("the X server at \(display) is gone"))
        #expect(show.warnings[0].hasSuffix("; the output tries again once a second"))
        #expect(show.warnings[1] == "the picture is shown again")
        #expect(show.runner.statistics.error == nil && show.error == nil)
        #expect(await show.runner.finish(by: show.limit))
    }

    @Test("a server that hangs costs frames, which are counted, but does not block")
    func stopped() async throws {
        let server = try XServer()
        let show = try Show(on: server, PixelSize(64, 48))
        #expect(show.show(QuarterPicture.frame(PixelSize(64, 48))))
        server.process.send(SIGSTOP)
        defer { server.process.send(SIGCONT) }
        let before = show.runner.statistics
        for _ in 0..<50 { #expect(show.runner.submit(QuarterPicture.frame(PixelSize(64, 48)), until: .zero)) }
        // The server has one frame that it has not acknowledged, and one frame waits.
        #expect(show.runner.wait(until: show.limit) { $0.drops.total + $0.written >= before.written + 49 })
        #expect(show.runner.statistics.written <= before.written + 1)
        #expect(await show.runner.finish(by: show.limit))
    }

    @Test("without a server, with a wrong name or without its key, the error says what to do")
    func refusals() throws {
        func reason(_ display: String?, _ environment: [String: String] = [:]) -> String {
            let opening = WindowOpening(title: "test", isFullscreen: false, display: display) { environment[$0] }
            do {
                _ = try opening.open(PixelSize(64, 48))
                return ""
            } catch { return error.reason }
        }
        #expect(reason(":4711") == "no X server answers at :4711: connect: No such file or directory")
        #expect(reason(nil).hasPrefix("neither WAYLAND_DISPLAY nor DISPLAY is set"))
        #expect(reason(nil, ["DISPLAY": ":4711"]).contains("no X server answers at :4711"))
        #expect(reason("", ["DISPLAY": ":4711"]).contains("no X server answers at :4711"))
        #expect(reason(":0.0.0") == ":0.0.0 is not an X display; X displays are named like :0 or host:0")
        let folder = try TemporaryFolder()
        let authority = folder.path("key")
        try folder.write(Self.authority("0123456789abcdef"), to: "key")
        let server = try XServer(authority: authority)
        #expect(reason(server.display).contains("refuses the connection: Authorization required"))
        #expect(reason(server.display, ["XAUTHORITY": authority]) == "")
    }

    /// The contents of an authority file with one key for every display.
    private static func authority(_ key: String) -> [UInt8] {
        var bytes: [UInt8] = [0xff, 0xff]
        for field in ["", "", "MIT-MAGIC-COOKIE-1", key] { bytes += [0, UInt8(field.utf8.count)] + Array(field.utf8) }
        return bytes
    }
}
