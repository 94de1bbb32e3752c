internal import Synchronization

/// Makes cameras keep exposure and white balance once they have settled: those that are there, and others when they
/// come.
///
/// Belongs to the session's controller, but for the news of arrivals, which come from any thread.
final class CameraMatcher {
    /// How often cameras are looked at while they settle, at most.
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

    /// Tells, from any thread, that a camera delivers that may not have before.
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
    ///   - ids: Those that are there, the example first.
    ///   - matching: How they are matched.
    ///   - sources: The session's sources.
    func run(_ ids: [NodeID], _ matching: CameraMatching, _ sources: SourceRegistry) async {
        var example: CameraAppearance?
        await match(ids, matching, sources, like: &example)
        for await id in arrivals.stream where !matched.contains(id) {
            await match([id], matching, sources, like: &example)
        }
    }

    /// Waits until these cameras have settled, and makes those that are there keep what they have.
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
                // One that is missing is matched when it comes.
                if error.kind == .disconnected { continue }
                journal.yield(.matchingRefused(error))
            }
            matched.insert(id)
        }
    }

    /// Waits until no camera changes its settings by itself any more.
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
