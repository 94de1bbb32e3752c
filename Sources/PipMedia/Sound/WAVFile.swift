#if Media
public import PipCompose
internal import PipConcurrency
internal import PipFrames
internal import PipSinks
internal import PipSound

/// An output of sound alone to a WAV file: stereo, 48 kHz, 16 bits.
///
/// ```swift
/// let sound = AudioMixer()
/// sound.add(Microphone("C920"))
/// let wav = picture --> WAVFile("talk.wav", sound: sound)
/// ```
///
/// The file starts and ends with the picture that the output is connected to. The file can be played even after the
/// program was killed. The output's statistics count blocks of a fiftieth of a second as frames.
public struct WAVFile: Sink {
    public let label: String
    private let sound: any AudioProducer

    /// Creates an output to a WAV file.
    ///
    /// - Parameters:
    ///   - path: The path of the file, which is overwritten, or of a named pipe.
    ///   - sound: The sound: a mixer, or one of its inputs.
    public init(_ path: String, sound: any AudioProducer) {
        label = path
        self.sound = sound
    }

    public var destination: SinkDestination? { .file(label) }

    /// The smallest frame size: this output uses only the times of frames.
    public var frameSize: PixelSize? { PixelSize(16, 16) }

    public var opening: SinkOpening {
        SinkOpening(
            request: { () throws(SinkError) in SinkRequest(format: .i420) }, inputs: SoundInputs([sound]),
            open: { context throws(SinkError) in
                let writer = try WAVRecorder.Writer(label, waits: context.policy == .block)
                return WAVRecorder(writer, try sound.node.open(label: label, context, writer), context)
            })
    }
}

/// An output that writes a WAV file.
///
/// The frames give the file's start and end. The mixer's thread queues the samples, and a third thread writes them.
private final class WAVRecorder: FrameReceiver {
    private struct Span {
        var start: Timestamp?
        var end = Timestamp.zero
    }

    private let writer: Writer
    private let tap: SoundTap
    private let interval: Duration
    private let clock: MonotonicClock
    private let span = Monitor(Span())

    init(_ writer: Writer, _ tap: SoundTap, _ context: SinkContext) {
        self.writer = writer
        self.tap = tap
        interval = context.rate.interval
        clock = context.clock
        let onError = context.onError
        _ = WorkerThread(name: "pip-wav") { writer.run(onError) }
    }

    deinit { tap.end(at: .zero) }

    func submit(_ frame: Frame, repeats: Int, until deadline: Timestamp) -> Bool {
        let end = frame.timestamp.advanced(by: interval)
        let isFirst = span.update { span in
            span.end = end
            defer { span.start = span.start ?? frame.timestamp }
            return span.start == nil
        }
        if isFirst { writer.begin(at: frame.timestamp) }
        tap.reach(from: frame.timestamp, to: end)
        return true
    }

    var statistics: OutputStatistics { writer.statistics }

    func finish(by deadline: Timestamp) async -> Bool {
        let limit = clock.realTime(of: deadline)
        let end = span.read { $0.end }
        return await onThread("pip-wav-close") { [self] in
            writer.end(at: end)
            tap.end(at: end)
            return writer.wait(until: limit)
        }
    }
}

extension WAVRecorder {
    /// Writes the file, from a queue of blocks.
    fileprivate final class Writer: SoundConsumer, @unchecked Sendable {
        private struct State {
            var start: Timestamp?
            var end: Timestamp?
            var statistics: OutputStatistics
            var isDone = false
        }

        // After `init`, only the thread that calls `run()` uses the file.
        private let file: WAVWriter
        private let queue = BoundedQueue<AudioBlock>(capacity: 1024)
        private let state: Monitor<State>

        /// True to wait for the disk when the queue is full; false to drop the newest block.
        private let waits: Bool

        init(_ path: String, waits: Bool) throws(SinkError) {
            self.waits = waits
            file = WAVWriter(.path(path), format: .stereo)
            state = Monitor(State(statistics: OutputStatistics(name: path)))
            try file.open()
        }

        var statistics: OutputStatistics { state.read { $0.statistics } }

        func begin(at time: Timestamp) { state.update { $0.start = time } }

        func end(at time: Timestamp) { state.update { $0.end = time } }

        func wait(until deadline: Timestamp) -> Bool { state.wait(until: deadline) { $0.isDone ? true : nil } ?? false }

        // MARK: The mixer's thread

        func take(_ block: AudioBlock) {
            if case .dropped = queue.push(block, policy: waits ? .block : .dropNewest) {
                state.update { $0.statistics.drops[.late] += 1 }
            }
        }

        func finish() { queue.close() }

        // MARK: The writer's thread

        func run(_ onError: @Sendable (SinkError) -> Void) {
            blockBrokenPipeSignal()
            file.keepName()
            do throws(SinkError) {
                while let block = queue.pop() {
                    guard let part = part(of: block) else { continue }
                    try file.write(part)
                    state.update { $0.statistics.written += 1 }
                }
                try file.finish()
            } catch {
                // Completes the header after a failed write; the first error is the one that is reported.
                try? file.finish()
                state.update { $0.statistics.error = error }
                onError(error)
                while queue.pop() != nil { state.update { $0.statistics.drops[.disabled] += 1 } }
            }
            state.update { $0.isDone = true }
        }

        /// Returns the part of a block between the picture's start and end; nil when the block has no such part.
        private func part(of block: AudioBlock) -> AudioBlock? {
            let (start, end) = state.read { ($0.start, $0.end) }
            guard let start else { return nil }
            let clock = SampleClock(start: block.timestamp)
            let first = max(0, clock.frame(at: start))
            let last = min(block.frames, end.map { clock.frame(at: $0) } ?? block.frames)
            guard first < last else { return nil }
            guard first > 0 || last < block.frames else { return block }
            let channels = block.format.channels
            return AudioBlock(block.format, samples: Array(block.samples[first * channels..<last * channels]))
        }
    }
}
#endif
