#if Media
internal import PipCompose
internal import PipConcurrency
internal import PipFrames
internal import PipSources
internal import Synchronization

/// A receiver of a live source.
///
/// The receiver delivers the newest frame, and connects again after each break, without a limit. Only the stream of an
/// expert's elements may end for good.
final class StreamReceiver: LiveSource {
    private struct State {
        var live: LiveState
        var replaced = 0
    }

    let description: SourceDescription
    let newest = Mailbox<Frame>()
    private let current: Mutex<State>
    private let worker: ReceptionLoop
    private let journal: RepairJournal
    private let interruption = Interruption()
    private let thread = Monitor<WorkerThread?>(nil)

    /// The longest wait for the first frame.
    private static let timeout = Duration.seconds(10)
    /// The longest wait for the thread's end; after that, the thread and its connection are abandoned.
    private static let closingTime = Duration.seconds(2)

    /// Connects, and blocks until the first frame has arrived.
    ///
    /// - Parameters:
    ///   - target: The live source.
    ///   - rate: The frame rate to report. Nil reports the stream's rate.
    ///   - sound: The queue for the stream's sound.
    ///   - circumstances: The session's clock, interruption and functions.
    /// - Throws: ``PipSources/SourceError`` at an interruption, when the connection fails, and when no frame comes
    ///   within 10 seconds. A session that waits for its sources gets an error only at an interruption, and for a fault
    ///   that another attempt would meet again.
    init(
        _ target: StreamTarget, rate: FrameRate?, sound: StreamSoundFeed,
        _ circumstances: LiveSourceSpecification.Circumstances
    ) throws(SourceError) {
        let input = StreamInput(target: target, sound: sound)
        journal = input.journal
        var first: (connection: Reception, picture: DecodedPicture)?
        do throws(MediaError) {
            // A session that waits for its cameras must not wait for the user's answer before it starts.
            guard !(circumstances.waits && target.needsAnswer && GStreamer.has(PipeWireCamera.element)) else {
                throw MediaError(kind: .network, reason: "the user is asked whether cameras may be used")
            }
            first = try Self.connect(input, until: circumstances.interruption)
        } catch {
            if circumstances.interruption.isRaised { throw target.error("open", .failed, error.reason) }
            let reason = target.reason(of: error, circumstances.interruption)
            // A mistake in the source's description does not go away with another attempt.
            let isLasting =
                error.kind == .missing || error.kind == .refused || (target.mayEnd && error.kind != .network)
            guard circumstances.waits, !isLasting else {
                throw target.error("open", target.mayEnd ? .invalidOptions : .notFound, reason)
            }
            circumstances.onChange(.lost(target.error("open", .notFound, reason), words: "no connection"))
        }
        description = Self.description(of: target, first, rate: rate)
        isCamera = target.isCamera
        current = Mutex(State(live: first == nil ? .lost : .delivering))
        worker = ReceptionLoop(
            input, connection: first?.connection, interruption: interruption, circumstances: circumstances)
        if let picture = first?.picture { show(worker.frame(of: picture)) }
    }

    deinit { interruption.raise() }

    let isCamera: Bool
    var state: LiveState { current.withLock { $0.live } }
    var replaced: Int { current.withLock { $0.replaced } }
    var repairs: [String] { journal.sentences }

    func start() {
        thread.update { thread in
            guard thread == nil, !interruption.isRaised else { return }
            thread = WorkerThread(name: "pip-stream") { [worker, weak self] in
                worker.run { event in
                    guard let self else { return }
                    switch event {
                    case .frame(let frame): self.show(frame)
                    case .state(let live): self.current.withLock { $0.live = live }
                    }
                }
            }
        }
    }

    func stop() async {
        interruption.raise()
        guard let running = thread.read({ $0 }) else { return worker.abandon() }
        _ = await running.joined(within: Self.closingTime)
    }

    private func show(_ frame: Frame) {
        if newest.put(frame) { current.withLock { $0.replaced += 1 } }
    }

    private static func description(
        of target: StreamTarget, _ first: (connection: Reception, picture: DecodedPicture)?, rate: FrameRate?
    ) -> SourceDescription {
        guard let first else {
            return SourceDescription(
                name: target.label, layout: FrameLayout(.i420, .hd720), colorimetry: .assumed(for: .i420, .hd720),
                rate: rate ?? FrameRate(30), length: .unknown)
        }
        let format = first.picture.format
        return SourceDescription(
            name: target.label, layout: first.picture.layout, colorimetry: format.colorimetry,
            orientation: first.connection.orientation, rate: rate ?? format.rate ?? FrameRate(30), length: .unknown)
    }

    /// Connects and waits for the first frame.
    ///
    /// - Throws: ``MediaError`` when the connection fails, when no frame comes within 10 seconds, or at an
    ///   interruption.
    private static func connect(
        _ input: StreamInput, until interruption: Interruption
    ) throws(MediaError) -> (connection: Reception, picture: DecodedPicture) {
        let connection = try Reception(input, until: interruption)
        let clock = MonotonicClock()
        let deadline = clock.now.advanced(by: timeout)
        while clock.now < deadline {
            guard !interruption.isRaised else {
                throw MediaError(kind: .failed, reason: "it was stopped before its first frame came")
            }
            switch connection.next(within: .milliseconds(50)) {
            case .picture(let picture): return (connection, picture)
            case .failed(let error): throw error
            case .ended: throw MediaError(kind: .failed, reason: "it ended before its first frame")
            case .nothing: break
            }
        }
        throw MediaError(kind: .network, reason: "no frame came within \(timeout.components.seconds) s")
    }
}
#endif
