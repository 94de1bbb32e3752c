#if Media
internal import PipConcurrency
internal import PipFrames
internal import PipSound
internal import PipSources

/// A source of sound for an ``AudioMixer``, such as ``Microphone``, ``SoundFile`` or ``MovieSound``.
public protocol AudioSource: Sendable {
    /// The source's name in messages and statistics.
    var label: String { get }
    var opening: AudioOpening { get }
}

/// Opens a source of sound.
///
/// Only the sources of this library can make an opening, so that a mixer can open every source.
public struct AudioOpening: Sendable {
    /// True for sound that arrives in real time, and cannot be read faster.
    let isLive: Bool
    /// Opens the source's file beforehand, with a session's pictures; nil for a source that opens only with the mixer.
    ///
    /// Blocks until a pipe has a writer or the interruption is raised. The returned opening reads that file, and can be
    /// used once.
    ///
    /// - Throws: ``PipSources/SourceError`` when the file cannot be opened.
    let prepare: (@Sendable (Interruption) throws(SourceError) -> AudioOpening)?
    /// Opens the source for a running mixer.
    ///
    /// - Throws: ``PipSound/SoundError`` when the source's options are invalid, or when the source can never be opened.
    let open: @Sendable (AudioContext) throws(SoundError) -> any AudioReader

    init(
        isLive: Bool = false, open: @escaping @Sendable (AudioContext) throws(SoundError) -> any AudioReader,
        prepare: (@Sendable (Interruption) throws(SourceError) -> AudioOpening)? = nil
    ) {
        self.isLive = isLive
        self.prepare = prepare
        self.open = open
    }
}

/// The clocks that a source of sound uses in a running mixer, and the function for its events.
struct AudioContext: Sendable {
    /// The clock that numbers the mixer's samples.
    let frames: SampleClock
    /// True when the mixer plays silence instead of waiting for late sound.
    var isLive = true
    /// The clock of the session.
    let clock: MonotonicClock
    /// Takes a sentence about a change of the source.
    let onEvent: @Sendable (String) -> Void
}

/// A reader of one source's sound.
///
/// Thread: the mixer's thread, except `status`.
protocol AudioReader: AnyObject, Sendable {
    /// Reads consecutive samples of the source.
    ///
    /// Samples for which there is no sound are silent.
    ///
    /// - Parameters:
    ///   - frame: The number of the first sample on the mixer's clock, right after the samples of the last call.
    ///   - count: The number of samples of each channel.
    /// - Returns: A block of the source's channels at the clock's rate.
    func read(from frame: Int, count: Int) -> AudioBlock

    /// The source's state, and the drift of its clock.
    var status: AudioStatus { get }

    /// Stops the reader. No call of ``read(from:count:)`` may follow.
    func stop()
}

/// The state of a source of sound, for a user interface or a log.
public struct AudioStatus: Sendable, Equatable {
    /// The phases in the life of a source.
    public enum State: String, Sendable, CaseIterable {
        /// No running mixer has the source open.
        case closed
        /// The source is open, but has delivered no sound yet.
        case waiting
        /// The source delivers sound.
        case sounding
        /// The device or stream is gone, or the source cannot be opened or decoded; the source is silent.
        case missing
        /// The file has been played to its end, or up to a fault, which ``AudioStatus/problem`` describes.
        case ended
    }

    /// The current phase in the life of the source.
    public internal(set) var state: State
    /// The reason why the source is missing, or why a file ended early; nil while the source works.
    public internal(set) var problem: String?
    /// The number of times that the source came back after it was missing.
    public internal(set) var returns = 0
    /// The estimated relative difference of a live source's sample rate from its nominal rate, such as 200e-6 for a
    /// device that is 200 ppm fast; 0 for other sources.
    public internal(set) var drift = 0.0

    init(_ state: State) { self.state = state }
}
#endif
