#if Media
internal import PipCompose
internal import PipConcurrency
internal import PipFrames
internal import PipSinks
public import PipSound

/// Sound that outputs record or send: an ``AudioMixer`` or one ``AudioInput`` of it.
public protocol AudioProducer: Sendable {
    /// Where the sound comes from; made by the library's producers only.
    var node: AudioNode { get }
}

/// A mix, or one input of it.
public struct AudioNode: Sendable {
    /// What is heard.
    enum Channel: Sendable {
        case mix
        case input(AudioInput)
    }

    let mixer: AudioMixer?
    let channel: Channel
}

/// Mixes microphones and other sources of sound for outputs.
///
/// ```swift
/// let sound = AudioMixer()
/// let driver = sound.add(Microphone("C920"))
/// let music = sound.add(SoundFile("music.wav", loops: true))
/// music.gain = -12
/// picture --> MovieFile("drive.mp4", sound: [sound])
/// ```
///
/// Sources are opened with the first output, and closed behind the last. Sound has the moments at which it was
/// recorded, as frames have theirs. The mix is kept below -1 dB by a limiter.
public final class AudioMixer: AudioProducer {
    private struct State {
        var inputs: [AudioInput] = []
        var gain = Decibels.zero
        var isMuted = false
        var levels: [AudioLevel] = []
        var run: MixerRun?
        /// The layer whose picture is heard; nil for none.
        var following: SoundFollowing?
    }

    private let state = Monitor(State())

    /// A mixer without inputs: it mixes silence.
    public init() {}

    public var node: AudioNode { AudioNode(mixer: self, channel: .mix) }

    /// Adds a source; also while a session runs.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - name: Its name; nil takes the source's own.
    /// - Returns: Its handle.
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

    /// The inputs, in the order in which they were added.
    public var inputs: [AudioInput] { state.read { $0.inputs } }

    /// The gain of the mix.
    public var gain: Decibels {
        get { state.read { $0.gain } }
        set { state.update { $0.gain = newValue } }
    }

    /// True to silence the mix.
    public var isMuted: Bool {
        get { state.read { $0.isMuted } }
        set { state.update { $0.isMuted = newValue } }
    }

    /// The levels of left and right of the mix in the last tenth of a second in which an output wanted it.
    public var levels: [AudioLevel] { state.read { $0.levels } }

    /// Crossfades with equal power to one input: all others are left out of the mix.
    ///
    /// - Parameters:
    ///   - input: The input that is heard from then on.
    ///   - duration: The length of the fade, from which on it is heard alone.
    public func crossfade(to input: AudioInput, over duration: Duration = .milliseconds(20)) {
        for other in inputs { other.select(other === input, over: duration) }
    }

    /// Hears every input again.
    public func selectAll(over duration: Duration = .milliseconds(20)) {
        for input in inputs { input.select(true, over: duration) }
    }

    func follow(_ following: SoundFollowing?) {
        state.update { $0.following = following }
        followPicture()
    }

    /// Goes over to the sound of another picture, where the layer that is followed has got one.
    func followPicture() {
        guard state.read({ $0.following != nil }) else { return }
        let change = state.update { state in
            let (input, fade) = (state.following?.changed(), state.following?.fade)
            return input.map { ($0, fade ?? .zero) }
        }
        if let (input, fade) = change { crossfade(to: input, over: fade) }
    }

    // MARK: Outputs

    /// What the mixer's thread needs to know of the mix itself.
    var master: (gain: Decibels, isMuted: Bool) { state.read { ($0.gain, $0.isMuted) } }

    func tell(_ levels: [AudioLevel]) { state.update { $0.levels = levels } }

    /// Adds an output to the mixer at work, or sets it to work.
    ///
    /// - Parameters:
    ///   - label: The output's name.
    ///   - context: The output's circumstances.
    ///   - add: Adds the output; nil when the last one has ended meanwhile.
    /// - Returns: The output's part.
    /// - Throws: ``PipSinks/SinkError`` when a source cannot be opened, or is not for this session.
    func attach<Tap>(
        label: String, _ context: SinkContext, _ add: (MixerRun) throws(MediaError) -> Tap?
    ) throws(SinkError) -> Tap {
        do throws(MediaError) {
            while true {
                let known = state.read { $0.run }
                if let known, known.hasEnded == false {
                    guard known.isLive == (context.policy != .block) else {
                        throw MediaError(kind: .failed, reason: "its mixer is used by a session of another pace")
                    }
                    if let tap = try add(known) { return tap }
                }
                // One that has ended is not taken up again.
                let run = MixerRun(self, isLive: context.policy != .block, context) {
                    [onEvent = context.onEvent] in onEvent(.warning(sink: label, $0))
                }
                // Before a source can fail: what was opened before it is closed by the run's thread.
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
