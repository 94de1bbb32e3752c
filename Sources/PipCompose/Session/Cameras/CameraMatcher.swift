internal import Synchronization

/// Locks the cameras' exposure and white balance once they have settled.
///
/// Later cameras are locked when they come.
///
/// Belongs to the session's controller, except ``arrived``, which any thread calls.
final class CameraMatcher {
    /// The most samples of cameras while they settle.
    private static let mostLooks = 10

    private let interval: Duration
    private let clock: MonotonicClock
    private let journal: SessionJournal
    private var matched: Set<NodeID> = []
    private nonisolated let arrivals = AsyncStream.makeStream(of: NodeID.self, bufferingPolicy: .bufferingNewest(64))
    private var isOver = false

    init(interval: Duration, clock: MonotonicClock, _ journal: SessionJournal) {
        self.clock = clock
        self.interval = interval
        self.journal = journal
    }

    /// Notes that a camera delivers that may not have delivered before.
    ///
    /// Thread: any.
    var arrived: @Sendable (NodeID) -> Void { { [arrivals] id in arrivals.continuation.yield(id) } }

    /// Notes that another device has taken a camera's place.
    func replaced(_ id: NodeID) {
        matched.remove(id)
        arrivals.continuation.yield(id)
    }

    /// Ends ``run(_:_:_:)``.
    func end() {
        isOver = true
        arrivals.continuation.finish()
    }

    /// Matches cameras until ``end()``.
    ///
    /// - Parameters:
    ///   - ids: The open cameras, the example first.
    ///   - matching: The kind of matching.
    ///   - sources: The session's sources.
    func run(_ ids: [NodeID], _ matching: CameraMatching, _ sources: SourceRegistry) async {
        var example: CameraAppearance?
        await match(ids, matching, sources, like: &example)
        for await id in arrivals.stream where !matched.contains(id) {
            await match([id], matching, sources, like: &example)
        }
    }

    /// Waits until cameras have settled, and locks their settings.
    ///
    /// Leaves out those that are missing.
    private func match(
        _ ids: [NodeID], _ matching: CameraMatching, _ sources: SourceRegistry, like example: inout CameraAppearance?
    ) async {
        await settle(ids, sources)
        guard !isOver else { return }
        for id in ids {
            guard let camera = sources.camera(id), let name = sources.feeds[id]?.name else { continue }
            do throws(CaptureError) {
                if matching == .copy, example == nil { example = try camera.appearance() }
                let (set, refused) = try camera.keepAppearance(like: example)
                for error in refused { journal.yield(.matchingRefused(error)) }
                if !set.isEmpty { journal.yield(.cameraMatched(name: name, controls: set.map { "\($0)=\($1)" })) }
            } catch {
                // A missing camera is matched when it comes.
                if error.kind == .disconnected { continue }
                journal.yield(.matchingRefused(error))
            }
            matched.insert(id)
        }
    }

    /// Waits until the cameras' automatics have come to rest.
    private func settle(_ ids: [NodeID], _ sources: SourceRegistry) async {
        var last: [CameraAppearance?] = []
        for _ in 0..<Self.mostLooks {
            try? await clock.sleep(for: interval)
            if isOver { return }
            var looks: [CameraAppearance?] = []
            for id in ids {
                do throws(CaptureError) { looks.append(try sources.camera(id)?.appearance()) } catch {
                    looks.append(nil)
                }
            }
            if looks == last { return }
            last = looks
        }
    }
}
