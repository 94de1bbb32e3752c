#if Media
internal import PipConcurrency
internal import PipFrames
internal import PipSound
internal import PipSources

/// A source of sound for an ``AudioMixer``: ``Microphone``, ``SoundFile``, ``ToneSource``, ``BeepSource``.
public protocol AudioSource: Sendable {
    /// The name in messages and statistics.
    var label: String { get }
    /// The way to open the source.
    var opening: AudioOpening { get }
}

/// The way to open a source of sound.
///
/// Only the library's sources can make one, so that a mixer can open every source.
public struct AudioOpening: Sendable {
    /// True for sound that arrives in real time, and cannot be read faster.
    let isLive: Bool
    /// Opens the source's file beforehand, with a session's pictures; nil for a source without a file.
    ///
    /// Blocks until a pipe has a writer or the interruption is raised. The opening that it returns reads that file, and
    /// can be used once.
    ///
    /// - Throws: ``PipSources/SourceError`` when the file cannot be opened.
    let prepare: (@Sendable (Interruption) throws(SourceError) -> AudioOpening)?
    /// Opens the source.
    ///
    /// - Throws: ``PipSound/SoundError`` when the source's options are invalid, or when it can never be opened.
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

/// The circumstances of a source of sound in a running mixer.
struct AudioContext: Sendable {
    /// The clock of the mixer's frames.
    let frames: SampleClock
    /// True when the mixer does not wait for late sound.
    var isLive = true
    /// The clock of the session.
    let clock: MonotonicClock
    /// Gets a sentence about a change of the source.
    let onEvent: @Sendable (String) -> Void
}

/// A reader of one source's sound, for a mixer's thread.
protocol AudioReader: AnyObject, Sendable {
    /// Reads frames of the mixer's clock.
    ///
    /// Frames without sound are silent.
    ///
    /// - Parameters:
    ///   - frame: The first frame, which follows the frames of the last call.
    ///   - count: The number of frames.
    /// - Returns: A block of the source's channels at the clock's rate.
    func read(from frame: Int, count: Int) -> AudioBlock

    /// The source's state, and the drift of its device's clock.
    var status: AudioStatus { get }

    /// Ends the reader; no call of ``read(from:count:)`` follows.
    func stop()
}

/// The state of a source of sound, for a panel or a log.
public struct AudioStatus: Sendable, Equatable {
    /// The phases in the life of a source.
    public enum State: String, Sendable, CaseIterable {
        /// No session has opened the source.
        case closed
        /// The source is open, but no sound has come yet.
        case waiting
        /// The source delivers sound.
        case sounding
        /// The device is gone; it is silent until it is back.
        case missing
        /// The file has ended.
        case ended
    }

    /// The phase that the source is in.
    public internal(set) var state: State
    /// The reason why the source is missing; nil while all is well.
    public internal(set) var problem: String?
    /// The number of times that the source was missing and came back.
    public internal(set) var returns = 0
    /// The estimated relative difference of a device's rate from its nominal rate: 200e-6 when the device is 200 ppm
    /// fast.
    public internal(set) var drift = 0.0

    init(_ state: State) { self.state = state }
}
#endif
