import Foundation
import PipCompose
import PipControl
import PipPanelSupport
import PipRig
import PipTestSupport
import Synchronization

/// A composition that runs with its panel during a test.
struct RunningPanel: Sendable {
    let live: LiveRig
    let panel: Panel
    /// The panel's base address, such as `http://127.0.0.1:40000`.
    let address: String
    let folder: TemporaryFolder

    static let rig = """
        canvas: {size: 320x180, fps: 30}
        cameras:
          road: {source: pattern:bars, size: 320x180}
          driver: {source: pattern:ramp, size: 320x180}
        scenes:
          drive: {main: road, insets: [{of: driver, at: top-right, width: 25%, margin: 8}]}
          talk: {main: driver, insets: [{of: road, at: bottom-left, width: 30%, margin: 8}]}
        effects: {road: [{brightness: 0}]}
        """

    /// Runs a composition and its panel while `body` uses them.
    ///
    /// If `isStarted` is false, `body` must start the session itself.
    static func run(
        _ text: String = rig, token: String? = nil, port: Int = 0, folder: TemporaryFolder? = nil,
        cameras: CameraDirectory = CameraDirectory(), connections: Int = 256, tap: FrameTap? = nil,
        recordings: PanelRecordings? = nil, isStarted: Bool = true,
        _ body: @Sendable @escaping (RunningPanel) async throws -> Void
    ) async throws {
        let folder = try folder ?? TemporaryFolder()
        var options = try PanelOptions(
            .host("127.0.0.1", port: port), token: token, root: folder.url.resolvingSymlinksInPath().path)
        options.recordings = recordings
        let panel = Panel(options, program: "pip-compose test", connections: connections)
        var session = SessionOptions()
        session.pressure.policy = .off
        session.drawingThreads = 1
        session.startsWithoutCameras = true
        let live = try await LiveRig(try RigFile(text, path: "rig.yaml").rig, options: session, cameras: cameras) {
            panel.attach(to: $0)
            if let tap { connect($0, to: tap) }
        }
        let (addresses, told) = AsyncStream.makeStream(of: String.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await panel.run(live) { told.yield("http://\($0)") }
                told.finish()
            }
            var found: String?
            for await address in addresses {
                found = address
                break
            }
            guard let address = found else { return try await group.waitForAll() }
            let running = RunningPanel(live: live, panel: panel, address: address, folder: folder)
            if isStarted { group.addTask { try await live.session.run() } }
            defer {
                live.session.stop()
                group.cancelAll()
            }
            try await body(running)
        }
    }

    private static func connect(_ picture: some FrameProducer, to tap: FrameTap) { picture --> tap }

    /// The host and port for the `Host` header, such as `127.0.0.1:40000`.
    var host: String { String(address.dropFirst("http://".count)) }
    var port: UInt16 { UInt16(address.split(separator: ":").last ?? "") ?? 0 }
    var client: PanelClient { PanelClient(.port(port)) }

    /// Sends a request and waits for the complete response.
    func send(
        _ method: String, _ path: String, _ body: String? = nil, headers: [String: String] = [:]
    ) async throws -> PanelClient.Answer {
        try await client.send(method, path, body, headers: headers)
    }

    /// Sends raw text, and reads the response until the connection ends, or no byte arrives for 20 seconds.
    func raw(_ text: String) async throws -> PanelClient.Answer { try await client.raw(text) }

    /// Opens a connection to the panel at a port.
    ///
    /// The caller must close the descriptor.
    static func connect(_ port: UInt16) throws -> Int32 { try PanelClient(.port(port)).connect() }

    /// Waits until the state document meets a condition; `description` names the condition in the error.
    func wait(for description: String, _ isTrue: @Sendable (JSON) -> Bool) async throws {
        try await client.wait(for: description, isTrue)
    }
}
