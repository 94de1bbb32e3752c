/// The frames of one kind of source: of a camera, a file, a picture, or an app.
///
/// Frames are taken on the render thread; everything else may be asked from any thread.
protocol Inlet: Sendable {
    /// True when frames come by themselves, wanted or not.
    var isLive: Bool { get }
    /// True when frames of several such sources are shown together by their timestamps.
    var isPaired: Bool { get }
    /// True while its owner wants no new frames. Its last frame does not count for pairing then.
    var isPaused: Bool { get }
    /// The rate of its frames as it is now; nil where that does not change, or is not known.
    var frameRate: FrameRate? { get }
    /// The expectation of frames.
    var availability: Availability { get }
    /// True when the source ends by itself; nil when that is not known before its end.
    var isFinite: Bool { get }
    /// True when the source has ended, and all of its frames were taken.
    var isFinished: Bool { get }

    /// The time from its first frame to its end, nearly so for a movie; nil when it is not known.
    var length: Duration? { get }

    /// Begins to deliver.
    ///
    /// - Parameter offset: The session's time at its first moment, from which on files are read.
    /// - Throws: ``SessionError`` when it does not.
    func start(at offset: Duration) throws(SessionError)
    /// Ends, and blocks no thread that others need while it does.
    func stop() async
    /// Takes the frame to show at a tick.
    func take(_ moment: InletMoment) -> Intake
    /// Adds the statistics that only this kind of source has.
    func report(_ statistics: inout SessionStatistics.Source, passedOver: Int)
}

/// The expectation of a source's frames.
enum Availability {
    case delivering
    /// Not now; the device is there.
    case silent
    /// The device is gone.
    case lost
}

/// A moment at which frames are taken.
struct InletMoment {
    /// Time since the session's start, by which files are read.
    var offset: Duration
    /// The timestamp of the picture that is made of the frames; nil before the first one.
    var shown: Timestamp?
    /// The end of the wait for a file's frame; nil does not wait.
    var deadline: Timestamp?
    /// The newest frame that was taken before.
    var last: Frame?
}

/// The outcome of taking a frame.
struct Intake {
    /// The frame to go over to; nil keeps the one before.
    var frame: Frame?
    /// True when a frame is due that was not read in time.
    var isPending = false
    /// Frames that a newer one has replaced.
    var passedOver = 0
}

extension Inlet {
    var isPaired: Bool { false }
    var isPaused: Bool { false }
    var frameRate: FrameRate? { nil }
    var availability: Availability { .delivering }
    var isFinite: Bool { false }
    var isFinished: Bool { false }
    var length: Duration? { nil }
}
