#if Media
import Foundation
import PipMedia
import PipTestSupport
import Synchronization

/// A locked value that closures can share.
final class Shared<Value: Sendable>: Sendable {
    let value: Mutex<Value>
    init(_ value: Value) { self.value = Mutex(value) }
}

/// A headless Chromium with a page that plays a picture and reports the frames that it shows.
final class Browser: Sendable {
    /// The page's report about one viewer.
    struct Viewer: Codable, Sendable {
        struct Frame: Codable, Sendable {
            /// The number that the frame shows; -1 for a frame without a number.
            let number: Int
            /// The time at which the page drew the frame on its canvas, in milliseconds since 1970.
            let time: Double
        }

        /// The times of a viewer's beginning, in milliseconds since 1970; 0 for an event that has not happened yet.
        ///
        /// The first two times stay 0 for a viewer that does not make the offer.
        struct Opening: Codable, Sendable {
            /// The time at which the page sent its offer.
            var offered = 0.0
            /// The time at which the page received the answer.
            var answered = 0.0
            /// The time at which the page was connected.
            var connected = 0.0
            /// The time at which the last packet of the first shown frame was received.
            var received = 0.0
        }

        var frames: [Frame] = []
        var opening = Opening()
        /// The number of key frames that the viewer decoded.
        var keyFrames = 0
        var state = ""
        var error = ""
        /// The number of sound packets received, and the energy of the sound played.
        var soundPackets = 0
        var soundEnergy = 0.0
    }

    /// The path of Chromium; nil if Chromium is not installed.
    static let program: String? = ["chromium", "chromium-browser", "google-chrome"].lazy
        .flatMap { name in ["/usr/bin/\(name)", "/usr/local/bin/\(name)"] }
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    private let folder: TemporaryFolder
    private let process = Process()
    private let server: TestServer
    private let seen: Shared<[String: Viewer]>
    private let commands: Shared<[String]>

    /// Starts a server for the page, and Chromium.
    ///
    /// - Parameters:
    ///   - endpoint: Responds to the requests to `/whep`.
    ///   - viewers: The number of viewers in the page.
    ///   - asksForOffer: True when the endpoint makes the offers; false when the page does.
    ///   - asksForKeys: True to pass frames through the page's script, which can request key frames.
    /// - Throws: The system's error when Chromium or the server cannot be started.
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
            default: return .init(await endpoint.respond(to: .init(request)))
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

    /// The latest reports, keyed by the viewers' names, which are numbers from 0.
    var viewers: [String: Viewer] { seen.value.withLock { $0 } }

    /// Sends the page a command: `key` requests a key frame, `leave` removes the first viewer with DELETE, `next`
    /// removes the last viewer and adds another.
    func order(_ command: String) { commands.value.withLock { $0.append(command) } }

    func kill() {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

extension WHEPEndpoint.Request {
    fileprivate init(_ request: TestServer.Request) {
        self.init(method: request.method, path: request.path, headers: request.headers, body: request.body)
    }
}

extension TestServer.Response {
    fileprivate init(_ response: WHEPEndpoint.Response) {
        self.init(status: response.status, headers: response.headers, body: response.body)
    }
}
#endif
