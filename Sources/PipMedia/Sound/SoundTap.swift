#if Media
internal import PipCompose
internal import PipConcurrency
internal import PipFrames
internal import PipSinks
internal import PipSound

/// What one output takes of a mixer: the mix or one input, encoded or not.
final class SoundTap: Sendable {
    /// The sound of a mixer or of one of its inputs.
    enum Channel: Hashable, Sendable {
        case mix
        case input(ObjectIdentifier)
    }

    /// What outputs have to have in common to share an encoder.
    struct Key: Hashable, Sendable {
        let channel: Channel
        /// Nil for samples.
        let encoding: AudioEncoding?
    }

    private struct State {
        var end: Timestamp?
        var hasEnded = false
    }

    let key: Key
    let taker: any SoundTaker
    private let run: MixerRun
    private let feed: SoundFeed?
    private let state = Monitor(State())

    init(_ key: Key, _ taker: any SoundTaker, _ feed: SoundFeed?, _ run: MixerRun) {
        self.key = key
        self.taker = taker
        self.feed = feed
        self.run = run
    }

    /// Notes that a frame was made, which is seen from a moment to another: sound may go as far.
    func reach(from start: Timestamp, to end: Timestamp) { run.reach(from: start, to: end) }

    /// Ends it: nothing from a moment on is wanted.
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

    /// True when nothing from a moment on is wanted.
    func isPast(_ mixed: Timestamp) -> Bool { state.read { state in state.end.map { mixed >= $0 } ?? false } }

    /// True when it is given nothing more.
    var hasEnded: Bool {
        get { state.read { $0.hasEnded } }
        set { state.update { $0.hasEnded = newValue } }
    }
}

extension AudioNode {
    /// Gives an output the encoded sound, from now on.
    ///
    /// - Parameters:
    ///   - encoding: How it is compressed.
    ///   - label: The output's name.
    ///   - context: The output's circumstances.
    /// - Returns: Its packets, and what ends them.
    /// - Throws: ``PipSinks/SinkError`` when a source or an encoder cannot be opened.
    func open(
        _ encoding: AudioEncoding, label: String, _ context: SinkContext
    ) throws(SinkError) -> (tap: SoundTap, feed: SoundFeed) {
        guard let mixer else { throw SinkError(label, "open", .invalidOptions, "the mixer of its sound is gone") }
        let key = SoundTap.Key(channel: channel.key, encoding: encoding)
        return try mixer.attach(label: label, context) { (run) throws(MediaError) in
            let feed = SoundFeed()
            let encoder =
                if let known = run.encoder(key) { known } else {
                    try SoundEncoder(encoding, .stereo) { [onEvent = context.onEvent] in
                        onEvent(.warning(sink: label, $0))
                    }
                }
            encoder.add(feed)
            let tap = SoundTap(key, encoder, feed, run)
            return run.add(tap) ? (tap, feed) : nil
        }
    }
}

extension AudioNode {
    /// Gives an output the samples, from now on.
    ///
    /// - Parameters:
    ///   - label: The output's name.
    ///   - context: The output's circumstances.
    ///   - taker: Takes them.
    /// - Returns: What ends them.
    /// - Throws: ``PipSinks/SinkError`` when a source cannot be opened.
    func open(label: String, _ context: SinkContext, _ taker: any SoundTaker) throws(SinkError) -> SoundTap {
        guard let mixer else { throw SinkError(label, "open", .invalidOptions, "the mixer of its sound is gone") }
        let key = SoundTap.Key(channel: channel.key, encoding: nil)
        return try mixer.attach(label: label, context) { (run) throws(MediaError) in
            let tap = SoundTap(key, taker, nil, run)
            return run.add(tap) ? tap : nil
        }
    }
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
