#if Media
internal import PipConcurrency
internal import PipFrames
internal import PipSound

/// A source of sound for an ``AudioMixer``: ``Microphone``, ``SoundFile``, ``ToneSource``, ``BeepSource``.
public protocol AudioSource: Sendable {
    /// The name in messages and statistics.
    var label: String { get }
    /// How it is opened.
    var opening: AudioOpening { get }
}

/// How a source of sound is opened: made by the library's sources only, so that whatever is added can be opened.
public struct AudioOpening: Sendable {
    /// True for sound that comes by itself and cannot be had faster than time.
    let isLive: Bool
    /// Opens it.
    ///
    /// - Throws: ``PipSound/SoundError`` when it makes no sense, or cannot be opened at all.
    let open: @Sendable (AudioContext) throws(SoundError) -> any AudioReader

    init(isLive: Bool = false, open: @escaping @Sendable (AudioContext) throws(SoundError) -> any AudioReader) {
        self.isLive = isLive
        self.open = open
    }
}

/// The circumstances under which a source of sound is opened.
struct AudioContext: Sendable {
    /// The clock of the mixer's frames.
    let frames: SampleClock
    /// True when sound that comes late is not waited for.
    var isLive = true
    /// The clock of the session.
    let clock: MonotonicClock
    /// Told, in a sentence, what happens to the source.
    let onEvent: @Sendable (String) -> Void
}

/// Gives a mixer's thread the sound of one source.
protocol AudioReader: AnyObject, Sendable {
    /// Reads frames of the mixer's clock; where there is no sound, they are silent.
    ///
    /// - Parameters:
    ///   - frame: The first one: the one that follows those that were read before.
    ///   - count: Their number.
    /// - Returns: A block of the source's channels at the clock's rate.
    func read(from frame: Int, count: Int) -> AudioBlock

    /// Its state, and the measures of a device's clock.
    var status: AudioStatus { get }

    /// Ends it: nothing is read any more.
    func stop()
}

/// The state of a source of sound.
public struct AudioStatus: Sendable, Equatable {
    /// Where the sound comes from now.
    public enum State: String, Sendable, CaseIterable {
        /// No session has opened it.
        case closed
        /// It was opened, and nothing has come yet.
        case waiting
        /// Sound comes.
        case sounding
        /// It is gone: there is silence until it is back.
        case missing
        /// A file has ended.
        case ended
    }

    /// Where the sound comes from now.
    public internal(set) var state: State
    /// Why it is missing; nil while all is well.
    public internal(set) var problem: String?
    /// How often it went missing and came back.
    public internal(set) var returns = 0
    /// The difference of a device's rate from its nominal one, as estimated: 200e-6 when it is 200 ppm fast.
    public internal(set) var drift = 0.0

    init(_ state: State) { self.state = state }
}
#endif
