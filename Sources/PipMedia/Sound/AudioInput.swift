#if Media
internal import PipConcurrency
public import PipSound
internal import PipSources

/// A source of sound in an ``AudioMixer``; ``AudioMixer/add(_:name:)`` makes inputs.
///
/// Use an input to set the source's gain, and to show its level and state. Changes also apply while a session runs;
/// gain, mute and balance change in ramps of a fiftieth of a second.
///
/// Thread: any.
public final class AudioInput: AudioProducer {
    struct State {
        var settings = AudioInputSettings()
        var highPass: Double?
        var isSelected = true
        /// The length of the fade in or out of the mix; nil for a fade as fast as other changes.
        var fade: Duration?
        var levels: [AudioLevel] = []
        var reader: (any AudioReader)?
        /// The opening that reads the source's file, which is open already; nil for a file that is not open yet.
        var prepared: AudioOpening?
        /// The status to report while no reader is open.
        var lastStatus = AudioStatus(.closed)
    }

    /// The input's name in messages and options.
    public let name: String
    let source: any AudioSource
    let state: Monitor<State>
    /// The mixer of the input.
    ///
    /// Weak, because the mixer owns its inputs.
    private let mixer: Weak<AudioMixer>

    init(_ source: any AudioSource, name: String, of mixer: AudioMixer) {
        self.source = source
        self.name = name
        self.mixer = Weak(mixer)
        state = Monitor(State())
    }

    public var node: AudioNode { AudioNode(mixer: mixer.object, channel: .input(self)) }

    /// The gain, initially 0 dB.
    public var gain: Decibels {
        get { state.read { $0.settings.gain } }
        set { state.update { $0.settings.gain = newValue } }
    }

    /// True to silence the input.
    public var isMuted: Bool {
        get { state.read { $0.settings.isMuted } }
        set { state.update { $0.settings.isMuted = newValue } }
    }

    /// The balance, from left (-1) to right (1).
    public var balance: Float {
        get { state.read { $0.settings.balance } }
        set { state.update { $0.settings.balance = newValue } }
    }

    /// The cutoff of the high-pass filter in hertz, such as 80 against wind and engines; nil, the default, for no
    /// filter.
    public var highPass: Double? {
        get { state.read { $0.highPass } }
        set { state.update { $0.highPass = newValue } }
    }

    /// True while the input is in the mix.
    ///
    /// ``AudioMixer/crossfade(to:over:)`` and ``AudioMixer/selectAll(over:)`` change the selection.
    public var isSelected: Bool { state.read { $0.isSelected } }

    /// The level of each channel in the last tenth of a second, after the high-pass filter and before the gain.
    ///
    /// The levels are empty before the mixer's first output, and keep their last values after its last output.
    public var levels: [AudioLevel] { state.read { $0.levels } }

    /// The source's state, and the drift of its clock.
    public var status: AudioStatus { state.read { $0.reader?.status ?? $0.lastStatus } }

    /// Fades the input into the mix, or out of it.
    func select(_ isSelected: Bool, over fade: Duration) {
        state.update { ($0.isSelected, $0.fade) = (isSelected, fade) }
    }

    /// Opens the source's file, unless a mixer reads it or the file is open already.
    ///
    /// - Parameter interruption: Ends the wait for a pipe's writer.
    /// - Throws: ``PipSources/SourceError`` when the file cannot be opened.
    func prepare(until interruption: Interruption) throws(SourceError) {
        guard state.read({ $0.reader == nil && $0.prepared == nil }), let prepare = source.opening.prepare else {
            return
        }
        let prepared = try prepare(interruption)
        state.update { $0.prepared = prepared }
    }

    /// Takes the opening that ``prepare(until:)`` has made; nil for none.
    func takePrepared() -> AudioOpening? {
        state.update { state in
            defer { state.prepared = nil }
            return state.prepared
        }
    }

    /// Sets the reader of a running mixer; nil when the mixer has closed the reader.
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
