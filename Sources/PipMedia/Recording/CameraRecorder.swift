#if Media
internal import PipCompose
internal import PipConcurrency
internal import PipFrames
internal import PipSinks
internal import Synchronization

/// An output that records a camera's own frames.
///
/// The capture thread queues frames, a second thread turns the frames into packets, and a third writes the files.
final class CameraRecorder: FrameReceiver {
    private let camera: CameraFeed
    private let route: CameraPackets.Route
    private let packets: CameraPackets
    private let loop: MovieLoop
    private let interruption = Interruption()
    private let clock: MonotonicClock

    /// The largest number of frames that wait for the encoder.
    private static let encoderDepth = 4

    init(
        _ camera: CameraFeed, encoding: VideoEncoding, tracks: [MovieFile.Track], plan: MovieLoop.Plan,
        context: SinkContext
    ) {
        self.camera = camera
        clock = context.clock
        // The queue of frames holds two seconds, for a busy machine. The queue of packets holds four seconds, for a
        // slow disk.
        let rate = max(8, Int((camera.frameRate ?? context.rate).framesPerSecond.rounded()))
        let feed = PacketFeed(capacity: 4 * rate, waits: false)
        let loop = MovieLoop(
            plan, feed, tracks: tracks.map(\.feed), until: interruption, onEvent: context.onEvent,
            onError: context.onError)
        self.loop = loop
        let (label, shared, onEvent) = (plan.names.pattern, context.shared, context.onEvent)
        route = CameraPackets.Route(
            label: label, frames: CountedQueue(capacity: 2 * rate), feed: feed, tracks: tracks.map(\.tap),
            parts: RecordingParts(plan.segments), fileBytes: { loop.state.read { $0.bytes } },
            makeEncoder: { info, rate throws(MediaError) in
                try VideoEncoder(
                    EncodingRequest(encoding, of: info, rate: rate), capacity: Self.encoderDepth,
                    start: info.timestamp.advanced(by: .seconds(-1)), relief: { shared.encodingRelief },
                    onReplacement: { onEvent(.warning(sink: label, $0)) })
            }, onError: context.onError)
        packets = CameraPackets(route)
        _ = WorkerThread(name: "pip-movie") { loop.run() }
        _ = WorkerThread(name: "pip-camera-file") { [packets] in packets.run() }
        camera.begin(route.frames)
    }

    deinit {
        camera.end(route.frames)
        route.frames.close()
        interruption.raise()
        for track in route.tracks { track.end(at: .zero) }
    }

    /// Does nothing: the frames come from the camera, not from the renderer.
    func submit(_ frame: Frame, repeats: Int, until deadline: Timestamp) -> Bool { true }

    func setPaused(_ isPaused: Bool) { packets.isPaused.store(isPaused, ordering: .relaxed) }

    func mark(_ moment: Moment) -> Bool { loop.mark(moment) }

    func split() -> Bool {
        guard !loop.recordsClips else { return false }
        route.parts.requestSplit()
        return true
    }

    var statistics: OutputStatistics {
        let counts = packets.counts.withLock { $0 }
        var statistics = loop.state.read { $0.statistics }
        for reason in DropReason.allCases { statistics.drops[reason] += counts.drops[reason] }
        statistics.encoder = counts.encoder
        statistics.error = statistics.error ?? counts.error
        return statistics
    }

    func finish(by deadline: Timestamp) async -> Bool {
        // The caller's deadline may be in virtual time, but encoders and disks work in real time.
        let limit = clock.realTime(of: deadline)
        camera.end(route.frames)
        route.frames.close()
        return await onThread("pip-movie-close") { [self] in
            loop.deadline.update { $0 = min($0, limit) }
            packets.deadline.update { $0 = min($0, limit) }
            let isDone = loop.waitUntilDone(by: limit) {
                let end = packets.counts.withLock { $0.end }
                for track in route.tracks { track.end(at: end) }
            }
            return isDone
        }
    }
}
#endif
