#if Media
internal import PipCompose
internal import PipConcurrency
internal import PipFrames
internal import PipSinks
internal import PipSound
internal import PipSources

/// The connection of an output to a mixer: to the mix or one input, and encoded or as raw samples.
final class SoundTap: TrackTap {
    /// A channel of a mixer: the mix, or an input by its object identity.
    enum Channel: Hashable, Sendable {
        case mix
        case input(ObjectIdentifier)
    }

    /// The properties that outputs must share to use the same encoder.
    struct Key: Hashable, Sendable {
        let channel: Channel
        /// The encoding; nil for raw samples.
        let encoding: AudioEncoding?
    }

    private struct State {
        var end: Timestamp?
        var hasEnded = false
    }

    let key: Key
    let consumer: any SoundConsumer
    private let run: MixerRun
    private let feed: TrackFeed?
    private let state = Monitor(State())

    init(_ key: Key, for consumer: any SoundConsumer, feed: TrackFeed?, of run: MixerRun) {
        self.key = key
        self.consumer = consumer
        self.feed = feed
        self.run = run
    }

    /// Lets the mixer mix sound up to the end of a frame shown from `start` to `end`.
    func reach(from start: Timestamp, to end: Timestamp) { run.reach(from: start, to: end) }

    /// Ends the output's sound at `time`.
    func end(at time: Timestamp) {
        let isFirst = state.update { state in
            defer { state.end = min(state.end ?? time, time) }
            return state.end == nil
        }
        guard isFirst else { return }
        feed?.end(at: time)
        run.reach(from: time, to: time.advanced(by: .milliseconds(100)))
        run.wake()
    }

    // MARK: The mixer's thread

    /// True when the output's sound ends at or before the time `mixed`.
    func isPast(_ mixed: Timestamp) -> Bool { state.read { state in state.end.map { mixed >= $0 } ?? false } }

    /// True when the mixer delivers no more sound to the output.
    var hasEnded: Bool {
        get { state.read { $0.hasEnded } }
        set { state.update { $0.hasEnded = newValue } }
    }
}

extension AudioNode {
    /// Connects an output to the node's encoded sound.
    ///
    /// - Parameters:
    ///   - encoding: The requested encoding.
    ///   - label: The output's name.
    ///   - context: The output's clock, rate, policy and event function.
    /// - Returns: The tap, with which the output ends the sound, and the queue of packets.
    /// - Throws: ``PipSinks/SinkError`` when the mixer is gone or cannot be used in this session, or when a source or
    ///   an encoder cannot be opened.
    func open(
        _ encoding: AudioEncoding, label: String, _ context: SinkContext
    ) throws(SinkError) -> (tap: SoundTap, feed: TrackFeed) {
        guard let mixer else { throw SinkError(label, "open", .invalidOptions, "the mixer of its sound was released") }
        let key = SoundTap.Key(channel: channel.key, encoding: encoding)
        return try mixer.attach(label: label, context) { (run) throws(MediaError) in
            let feed = TrackFeed()
            let encoder =
                if let known = run.encoder(key) { known } else {
                    try SoundEncoder(encoding, .stereo) { [onEvent = context.onEvent] in
                        onEvent(.warning(sink: label, $0))
                    }
                }
            encoder.add(feed)
            let tap = SoundTap(key, for: encoder, feed: feed, of: run)
            return run.add(tap) ? (tap, feed) : nil
        }
    }
}

extension AudioNode {
    /// Connects an output to the node's raw samples.
    ///
    /// - Parameters:
    ///   - label: The output's name.
    ///   - context: The output's clock, rate, policy and event function.
    ///   - consumer: The consumer of the samples.
    /// - Returns: The tap, with which the output ends the sound.
    /// - Throws: ``PipSinks/SinkError`` when the mixer is gone or cannot be used in this session, or when a source
    ///   cannot be opened.
    func open(label: String, _ context: SinkContext, _ consumer: any SoundConsumer) throws(SinkError) -> SoundTap {
        guard let mixer else { throw SinkError(label, "open", .invalidOptions, "the mixer of its sound was released") }
        let key = SoundTap.Key(channel: channel.key, encoding: nil)
        return try mixer.attach(label: label, context) { (run) throws(MediaError) in
            let tap = SoundTap(key, for: consumer, feed: nil, of: run)
            return run.add(tap) ? tap : nil
        }
    }
}

/// The files that the mixers of an output's sound read.
struct SoundInputs: SinkInputs {
    private let mixers: [AudioMixer]

    init(_ sound: [any AudioProducer]) { mixers = sound.compactMap(\.node.mixer) }

    func open(until interruption: Interruption) throws(SourceError) {
        for mixer in mixers { for input in mixer.inputs { try input.prepare(until: interruption) } }
    }

    func close() { for mixer in mixers { for input in mixer.inputs { _ = input.takePrepared() } } }
}

extension AudioNode.Channel {
    var key: SoundTap.Channel {
        switch self {
        case .mix: .mix
        case .input(let input): .input(ObjectIdentifier(input))
        }
    }
}
#endif
