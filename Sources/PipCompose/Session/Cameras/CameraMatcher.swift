internal import Synchronization

/// Locks the exposure and white balance of cameras once their automatic controls have settled.
///
/// A camera that arrives later is locked when it has settled.
///
/// Thread: the session's controller only, except ``arrived``, which any thread may call.
final class CameraMatcher {
    /// The maximum number of samples of the cameras' settings while the settings settle.
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

    /// Reports that a camera delivers frames, perhaps for the first time.
    ///
    /// Thread: any.
    var arrived: @Sendable (NodeID) -> Void { { [arrivals] id in arrivals.continuation.yield(id) } }

    /// Matches a camera again after another device has taken its place.
    func replaced(_ id: NodeID) {
        matched.remove(id)
        arrivals.continuation.yield(id)
    }

    /// Ends ``run(_:_:_:)``.
    func end() {
        isOver = true
        arrivals.continuation.finish()
    }

    /// Matches the open cameras, and later each camera that arrives, until ``end()``.
    ///
    /// - Parameters:
    ///   - ids: The nodes of the open cameras. With ``CameraMatching/copy``, the first camera present is copied.
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
    /// Leaves out missing cameras.
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

    /// Waits until two successive samples of the cameras' settings are equal, ``mostLooks`` samples are taken, or the
    /// matcher has ended.
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
