import Foundation
import PipTestSupport
import Testing

@Suite("Windows of the command", .timeLimit(.minutes(5)))
struct DisplayRunTests {
    private let folder: TemporaryFolder
    private static let frameBytes = 64 * 32 * 3 / 2

    init() throws { folder = try TemporaryFolder() }

    private func run(
        _ server: XServer, _ outputs: [String],
        meanwhile: @escaping @Sendable (RunningCommand) async throws -> Void
    ) async throws -> CommandProcess {
        try await CommandProcess(
            ["--main", "pattern:bars?size=64x32"] + outputs.flatMap { ["--output", $0] }, in: folder.url,
            environment: ["DISPLAY": server.display, "WAYLAND_DISPLAY": ""], meanwhile: meanwhile)
    }

    @Test("a window that is closed ends a run that has no other output, with 0")
    func closed() async throws {
        let server = try XServer()
        let run = try await run(server, ["window:Bars"]) { _ in
            try await waitUntil { (try? server.ask("print(w.get_full_text_property(39))")) == "Bars" }
            try server.closeWindow()
        }
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("window:Bars: its window was closed"))
    }

    @Test("an X server that is killed costs the window alone: the file goes on, and ends whole")
    func killed() async throws {
        let server = try XServer()
        let run = try await run(server, ["window:", "out.i420"]) { process in
            try await waitUntil { (try? server.ask("print(w.get_full_text_property(39))")) == "pip-compose" }
            server.process.end()
            try await waitUntil { process.errors.contains("is gone") }
            let size = folder.size("out.i420")
            try await waitUntil { folder.size("out.i420") > size + 10 * Self.frameBytes }
            process.send(SIGINT)
        }
        #expect(run.errors.contains("the X server at \(server.display) is gone"))
        #expect(run.errors.contains("the output tries again once a second"))
        #expect(run.status == 0, "\(run.errors)")
        #expect(folder.size("out.i420") % Self.frameBytes == 0)
    }

    @Test("without a display it does not begin, and says what to do")
    func missing() async throws {
        let environment = ["DISPLAY": "", "WAYLAND_DISPLAY": ""]
        let run = try await CommandProcess(
            ["--main", "pattern:bars", "--output", "window:"], in: folder.url, environment: environment)
        #expect(run.status == 73)
        #expect(
            run.errors.contains(
                "window:pip-compose: cannot show the picture: neither WAYLAND_DISPLAY nor DISPLAY is set"))
        let screen = try await CommandProcess(
            ["--main", "pattern:bars", "--output", "kms:/nowhere/card7"], in: folder.url)
        #expect(screen.status == 73)
        #expect(screen.errors.contains("kms:/nowhere/card7: cannot show the picture: /nowhere/card7: there is no such"))
    }
}
