#if Media
internal import PipConcurrency
public import PipSound

/// One source of sound in an ``AudioMixer``, made by ``AudioMixer/add(_:name:)``: its gain, its meters, its state.
///
/// Changes are heard within a fiftieth of a second, ramped, also while a session runs.
public final class AudioInput: AudioProducer {
    struct State {
        var settings = AudioInputSettings()
        var highPass: Double?
        var isSelected = true
        /// The length of the fade to the selection; nil takes that of all changes.
        var fade: Duration?
        var levels: [AudioLevel] = []
        var reader: (any AudioReader)?
        /// The state after the reader was closed.
        var lastStatus = AudioStatus(.closed)
    }

    /// The name, for people and options.
    public let name: String
    let source: any AudioSource
    let state: Monitor<State>
    /// The mixer, which holds its inputs.
    private let mixer: Weak<AudioMixer>

    init(_ source: any AudioSource, name: String, of mixer: AudioMixer) {
        self.source = source
        self.name = name
        self.mixer = Weak(mixer)
        state = Monitor(State())
    }

    public var node: AudioNode { AudioNode(mixer: mixer.object, channel: .input(self)) }

    /// The gain; 0 dB at first.
    public var gain: Decibels {
        get { state.read { $0.settings.gain } }
        set { state.update { $0.settings.gain = newValue } }
    }

    /// True to silence it.
    public var isMuted: Bool {
        get { state.read { $0.settings.isMuted } }
        set { state.update { $0.settings.isMuted = newValue } }
    }

    /// The place between left (-1) and right (1).
    public var balance: Float {
        get { state.read { $0.settings.balance } }
        set { state.update { $0.settings.balance = newValue } }
    }

    /// The frequency in hertz below which sound is taken away, such as 80 for wind and engines; nil for none.
    public var highPass: Double? {
        get { state.read { $0.highPass } }
        set { state.update { $0.highPass = newValue } }
    }

    /// True when it is heard in the mix; ``AudioMixer/crossfade(to:over:)`` changes it.
    public var isSelected: Bool { state.read { $0.isSelected } }

    /// The level of each of its channels in the last tenth of a second, behind the high-pass and before the gain.
    ///
    /// They stay when the last output has ended.
    public var levels: [AudioLevel] { state.read { $0.levels } }

    /// Where its sound comes from now, and how its device's clock goes.
    public var status: AudioStatus { state.read { $0.reader?.status ?? $0.lastStatus } }

    /// Selects it, or leaves it out, with half of a crossfade.
    func select(_ isSelected: Bool, over fade: Duration) {
        state.update { ($0.isSelected, $0.fade) = (isSelected, fade) }
    }

    /// Notes the reader of a mixer at work; nil when it was closed.
    func use(_ reader: (any AudioReader)?) {
        state.update { state in
            if reader == nil {
                state.lastStatus = state.reader?.status ?? state.lastStatus
                state.lastStatus.state = .closed
            }
            state.reader = reader
        }
    }
}
#endif
