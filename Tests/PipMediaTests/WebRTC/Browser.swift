#if Media
import Foundation
import PipMedia
import PipTestSupport
import Synchronization

/// A value that closures share.
final class Shared<Value: Sendable>: Sendable {
    let value: Mutex<Value>
    init(_ value: Value) { self.value = Mutex(value) }
}

/// Chromium without a window, on a page that plays a picture and tells what it sees.
final class Browser: Sendable {
    /// What a viewer in the page has seen.
    struct Viewer: Codable, Sendable {
        struct Frame: Codable, Sendable {
            /// The number in the pixels; -1 where they hold none.
            let number: Int
            /// When it was on the canvas, in milliseconds since 1970.
            let time: Double
        }

        var frames: [Frame] = []
        /// Key frames that were decoded.
        var keyFrames = 0
        var state = ""
        var error = ""
        /// Packets of sound that have come, and the energy of what was played of them.
        var soundPackets = 0
        var soundEnergy = 0.0
    }

    /// The program; nil when it is not installed.
    static let program: String? = ["chromium", "chromium-browser", "google-chrome"].lazy
        .flatMap { name in ["/usr/bin/\(name)", "/usr/local/bin/\(name)"] }
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    private let folder: TemporaryFolder
    private let process = Process()
    private let server: TestServer
    private let seen: Shared<[String: Viewer]>
    private let commands: Shared<[String]>

    /// - Parameters:
    ///   - endpoint: Answers what goes to `/whep`.
    ///   - viewers: Connections in the page.
    ///   - asksForOffer: Whether the page lets the endpoint make the offers.
    ///   - asksForKeys: Whether frames go through the page's script, which may ask for key frames.
    /// - Throws: The system's error when it cannot be started.
    init(_ endpoint: WHEPEndpoint, viewers: Int = 1, asksForOffer: Bool = false, asksForKeys: Bool = false) throws {
        folder = try TemporaryFolder()
        let seen = Shared<[String: Viewer]>([:])
        let commands = Shared<[String]>([])
        (self.seen, self.commands) = (seen, commands)
        server = try TestServer { request in
            switch request.path {
            case "/":
                return .init(
                    status: 200, headers: ["Content-Type": "text/html"],
                    body: viewerPage(viewers, asksForOffer: asksForOffer, asksForKeys: asksForKeys))
            case "/worker.js":
                return .init(status: 200, headers: ["Content-Type": "text/javascript"], body: viewerWorker)
            case "/report":
                if let report = try? JSONDecoder().decode([String: Viewer].self, from: Data(request.body.utf8)) {
                    seen.value.withLock { all in
                        for (name, viewer) in report {
                            var merged = viewer
                            merged.frames = (all[name]?.frames ?? []) + viewer.frames
                            all[name] = merged
                        }
                    }
                }
                let next = commands.value.withLock { list in
                    defer { list = [] }
                    return list
                }
                return .init(status: 200, headers: [:], body: next.joined(separator: " "))
            default: return await endpoint.respond(to: request)
            }
        }
        guard let program = Self.program else { throw CocoaError(.fileNoSuchFile) }
        process.executableURL = URL(filePath: program)
        process.arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--autoplay-policy=no-user-gesture-required",
            "--no-first-run", "--disable-extensions", "--disable-background-networking", "--disable-component-update",
            "--user-data-dir=\(folder.path("profile"))", "http://127.0.0.1:\(server.port)/",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit { kill() }

    /// What the viewers have seen so far, by their names, which are numbers from 0.
    var viewers: [String: Viewer] { seen.value.withLock { $0 } }

    /// Lets the page do something: `key` asks for a key frame, `leave` ends a viewer by DELETE.
    func order(_ command: String) { commands.value.withLock { $0.append(command) } }

    /// Ends it as a crash would.
    func kill() {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
#endif
