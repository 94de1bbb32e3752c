#if Control
import Foundation
import PipCompose
import PipControl
import PipPanelSupport
import PipRig
import PipTestSupport
import Testing

/// A panel in use during a soak.
///
/// One client follows the events, one views the picture, and one makes a change every few seconds and checks the state.
final class SoakPanel {
    /// The number of frames between two changes.
    ///
    /// The number is odd, so that changes meet every phase of the faults.
    private static let interval = 7
    /// The number of changes between two checks of the whole state.
    private static let looking = 20
    /// The number of frames after which the viewer reconnects.
    private static let reopening = 1200

    private let panel: Panel
    private var client: PanelClient?
    private var changes: SoakChanges
    private var events: SoakViewer?
    private var pictures: SoakViewer?
    /// The number of pictures that earlier viewers have received.
    private var shown = 0
    private var made = 0
    private var problems: [String] = []

    init(seed: Int) throws {
        panel = Panel(try PanelOptions(.host("127.0.0.1", port: 0)), program: "pip-compose soak")
        changes = SoakChanges(seed: seed)
    }

    /// Connects the panel's live picture to the composed picture.
    var attach: @Sendable (any FrameProducer) -> Void { { [panel] picture in panel.attach(to: picture) } }

    /// Runs the panel of a composition while `body` runs.
    func serving<R: Sendable>(_ live: LiveRig, _ body: () async throws -> R) async throws -> R {
        changes.output = live.rig.outputs.first?.id ?? ""
        let (addresses, told) = AsyncStream.makeStream(of: String.self)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [panel] in
                defer { told.finish() }
                try await panel.run(live) { told.yield($0) }
            }
            defer { group.cancelAll() }
            for await address in addresses {
                client = address.split(separator: ":").last.flatMap { UInt16($0) }.map { PanelClient(.port($0)) }
                break
            }
            defer { close() }
            return try await body()
        }
    }

    /// Makes a change once every ``interval`` frames.
    func play(_ number: Int) async throws {
        guard number % Self.interval == 0, let client else { return }
        if events == nil { events = try SoakViewer(client, "/api/v1/events", mark: "\nevent: ") }
        if pictures == nil || number / Self.reopening != (number - Self.interval) / Self.reopening {
            shown += pictures?.count ?? 0
            pictures?.close()
            pictures = try SoakViewer(client, "/preview.mjpeg?size=80x44&fps=1", mark: "--picture\r\n")
        }
        if events?.isOpen == false { problems.append("\(number): the events have ended") }
        if pictures?.isOpen == false { problems.append("\(number): the picture has ended") }
        let change = changes.next()
        let answer = try await client.send(change.method, "/api/v1/\(change.path)", change.body)
        made += 1
        guard (200..<300).contains(answer.status), change.isMade(answer.json) else {
            return problems.append("\(number): \(change): \(answer.status) \(answer.text)")
        }
        changes.note(change, answer.json)
        // The state contains all modes of the cameras and takes long to read, so it is not checked after every change.
        guard made % Self.looking == 0 else { return }
        let state = try await client.send("GET", "/api/v1/state").json
        problems += changes.differences(from: state).map { "\(number): \($0)" }
    }

    private func close() {
        shown += pictures?.count ?? 0
        events?.close()
        pictures?.close()
    }

    /// Expects that all changes were made, and that the viewers received enough events and pictures.
    func expectSound(_ live: LiveRig, frames: Int) {
        #expect(problems.count == 0, "\(problems.prefix(3))")
        #expect(made >= frames / Self.interval)
        #expect(events?.count ?? 0 >= made, "each change is told")
        // The viewer requests one of the two frames a second, and misses some while it reconnects.
        #expect(shown > frames / 6, "\(shown)")
        let snapshot = live.snapshot
        #expect(snapshot.revision > made / 2)
        for layer in snapshot.rig.layers {
            let record = snapshot.layers[layer.picture]?.record
            #expect(
                record?.look.opacity == layer.look.opacity && record?.placement.position == layer.placement.position)
        }
    }

    var summary: String { "\(made) changes through the panel" }
}
#else
import PipCompose
import PipRig

/// Replaces the panel in a program that was built without the panel.
final class SoakPanel {
    let summary = "no panel"
    init(seed: Int) throws {}
    let attach: @Sendable (any FrameProducer) -> Void = { _ in }
    func serving<R: Sendable>(_ live: LiveRig, _ body: () async throws -> R) async throws -> R { try await body() }
    func play(_ number: Int) async throws {}
    func expectSound(_ live: LiveRig, frames: Int) {}
}
#endif
