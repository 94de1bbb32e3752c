/// The delivery of frames of one kind of source: a camera, a stream, a file, a picture, or an app.
///
/// Thread: the render thread for ``take(_:)``, any thread for all else.
protocol Inlet: Sendable {
    /// True when frames arrive in real time, whether or not anybody takes them.
    var isLive: Bool { get }
    /// True for cameras: frames of several cameras are shown together by their timestamps.
    var isPaired: Bool { get }
    /// True while the source is paused, so that pairing ignores the source's last frame.
    var isPaused: Bool { get }
    /// The present frame rate of the source; nil where the rate never changes, or is not known.
    var frameRate: FrameRate? { get }
    /// The source's state: delivering, silent or lost.
    var availability: Availability { get }
    /// True when the source ends by itself, as a file does.
    var isFinite: Bool { get }
    /// True when the source has ended, and all of its frames were taken.
    var isFinished: Bool { get }

    /// The time from the source's first frame to its end, approximate for a movie; nil when it is not known.
    var length: Duration? { get }

    /// Begins to deliver frames.
    ///
    /// - Parameter offset: The output time at the start, from which on files are read.
    /// - Throws: ``SessionError`` when the source cannot start.
    func start(at offset: Duration) throws(SessionError)
    func stop() async
    /// Takes the frame to show at a tick.
    func take(_ moment: InletMoment) -> Intake
    /// Adds the statistics that only this kind of source has.
    func report(_ statistics: inout SessionStatistics.Source, passedOver: Int)
}

/// The state of a source: delivering, silent or lost.
enum Availability {
    case delivering
    /// No frames arrive for now, but the device or the stream was not lost.
    case silent
    /// The device or the stream is gone.
    case lost
}

/// The tick for which frames are taken.
struct InletMoment {
    /// The output time, which decides the frames of files.
    var offset: Duration
    /// The timestamp of the picture that is drawn from the frames; nil before the first picture.
    var shown: Timestamp?
    /// The end of the wait for a file's frame; nil does not wait.
    var deadline: Timestamp?
    /// The newest frame that was taken before; nil before the first frame.
    var last: Frame?
}

/// The outcome of taking a frame.
struct Intake {
    /// The frame to show from now on; nil keeps the former frame.
    var frame: Frame?
    /// True when a frame is due that was not read in time.
    var isPending = false
    /// The number of frames that a newer frame has replaced.
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
