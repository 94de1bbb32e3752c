#if Media
internal import PipCompose
internal import PipConcurrency
internal import PipFrames
internal import PipSinks
public import PipSound

/// A producer of sound for outputs to record or send: an ``AudioMixer`` or one ``AudioInput``.
public protocol AudioProducer: Sendable {
    /// The origin of the sound; only this library can make an ``AudioNode``.
    var node: AudioNode { get }
}

/// The origin of an output's sound: the mix of a mixer, or one of the mixer's inputs.
public struct AudioNode: Sendable {
    /// A channel of a mixer: the mix, or one input.
    enum Channel: Sendable {
        case mix
        case input(AudioInput)
    }

    let mixer: AudioMixer?
    let channel: Channel
}

/// A mixer of microphones and other sources of sound.
///
/// Create a mixer to give outputs sound.
///
/// ```swift
/// let sound = AudioMixer()
/// let driver = sound.add(Microphone("C920"))
/// let music = sound.add(SoundFile("music.wav", loops: true))
/// music.gain = -12
/// picture --> MovieFile("drive.mp4", sound: [sound])
/// ```
///
/// The mixer opens its sources with the first output, and closes them after the last output. Sound is stamped with the
/// time of its recording, as frames are. A limiter keeps the mix at -1 dB or below.
public final class AudioMixer: AudioProducer {
    private struct State {
        var inputs: [AudioInput] = []
        var gain = Decibels.zero
        var isMuted = false
        var levels: [AudioLevel] = []
        var run: MixerRun?
        /// The layer whose picture's sound is selected; nil while the mixer follows no layer.
        var following: SoundFollowing?
    }

    private let state = Monitor(State())

    /// Creates a mixer without inputs, which mixes silence.
    public init() {}

    public var node: AudioNode { AudioNode(mixer: self, channel: .mix) }

    /// Adds a source, also while a session runs.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - name: The input's name. Nil takes the source's name.
    /// - Returns: The source's input.
    @discardableResult
    public func add(_ source: some AudioSource, name: String? = nil) -> AudioInput {
        let input = AudioInput(source, name: name ?? source.label, of: self)
        let run = state.update { state in
            state.inputs.append(input)
            return state.run
        }
        run?.open(input)
        return input
    }

    /// The mixer's inputs, in the order in which they were added.
    public var inputs: [AudioInput] { state.read { $0.inputs } }

    /// The gain of the mix, initially 0 dB.
    public var gain: Decibels {
        get { state.read { $0.gain } }
        set { state.update { $0.gain = newValue } }
    }

    /// True to silence the mix.
    public var isMuted: Bool {
        get { state.read { $0.isMuted } }
        set { state.update { $0.isMuted = newValue } }
    }

    /// The levels of left and right in the last tenth of a second of the mix.
    ///
    /// The levels are empty before the mixer's first output, and change only while an output uses the mix.
    public var levels: [AudioLevel] { state.read { $0.levels } }

    /// Crossfades with equal power to one input, and removes all others from the mix.
    ///
    /// - Parameters:
    ///   - input: The input to hear.
    ///   - duration: The length of the fade, after which only `input` is heard.
    public func crossfade(to input: AudioInput, over duration: Duration = .milliseconds(20)) {
        for other in inputs { other.select(other === input, over: duration) }
    }

    /// Fades all inputs into the mix again; `duration` is the length of the fade.
    public func selectAll(over duration: Duration = .milliseconds(20)) {
        for input in inputs { input.select(true, over: duration) }
    }

    func follow(_ following: SoundFollowing?) {
        state.update { $0.following = following }
        followPicture()
    }

    /// Selects the sound of the followed layer's picture, if the layer's picture has changed.
    func followPicture() {
        guard state.read({ $0.following != nil }) else { return }
        let change = state.update { state in
            let (input, fade) = (state.following?.changed(), state.following?.fade)
            return input.map { ($0, fade ?? .zero) }
        }
        if let (input, fade) = change { crossfade(to: input, over: fade) }
    }

    // MARK: Outputs

    /// The gain of the mix, and whether the mix is muted.
    ///
    /// Thread: any.
    var master: (gain: Decibels, isMuted: Bool) { state.read { ($0.gain, $0.isMuted) } }

    func setLevels(_ levels: [AudioLevel]) { state.update { $0.levels = levels } }

    /// Adds an output to the running mixer.
    ///
    /// Starts the mixer for its first output.
    ///
    /// - Parameters:
    ///   - label: The output's name.
    ///   - context: The output's clock, rate, policy and event function.
    ///   - add: Adds the output to a run of the mixer. Returns nil when the run has ended in the meantime.
    /// - Returns: The output's tap.
    /// - Throws: ``PipSinks/SinkError`` when a source or the output's encoder cannot be opened, or when a source or the
    ///   mixer cannot be used in this session.
    func attach<Tap>(
        label: String, _ context: SinkContext, _ add: (MixerRun) throws(MediaError) -> Tap?
    ) throws(SinkError) -> Tap {
        do throws(MediaError) {
            while true {
                let known = state.read { $0.run }
                if let known, known.hasEnded == false {
                    guard known.isLive == (context.policy != .block) else {
                        throw MediaError(
                            kind: .failed,
                            reason: "its mixer is in use by a session that is \(known.isLive ? "" : "not ")live; "
                                + "make a mixer for each session")
                    }
                    if let tap = try add(known) { return tap }
                }
                // A run that has ended does not start again.
                let run = MixerRun(self, isLive: context.policy != .block, context) {
                    [onEvent = context.onEvent] in onEvent(.warning(sink: label, $0))
                }
                // Publish the run before a source can fail: the run's thread closes the sources that were opened.
                state.update { $0.run = run }
                run.start()
                for input in inputs { try run.openOrThrow(input) }
            }
        } catch {
            state.read { $0.run }?.endIfUnused()
            throw SinkError(label, "add sound", .cannotCreate, error.reason)
        }
    }
}
#endif
