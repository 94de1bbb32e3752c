package import PipConcurrency
package import PipFrames

/// A source of frames that arrive by themselves and may vanish and return: a network stream, or another library's
/// camera.
///
/// Each new frame replaces the one before.
package protocol LiveSource: AnyObject, Sendable {
    /// The format of the first frame, or the expected one before it.
    ///
    /// It must be constant.
    var description: SourceDescription { get }
    /// True when timestamps are moments of capture, so that frames can be paired with those of other cameras.
    var isCamera: Bool { get }
    /// The newest frame.
    ///
    /// The timestamp is the arrival, or a camera's moment of capture.
    var newest: Mailbox<Frame> { get }
    /// The expectation of further frames.
    var state: LiveState { get }
    /// The number of frames in ``newest`` that a newer one has replaced.
    var replaced: Int { get }
    /// The repairs of timestamps so far, in sentences.
    var repairs: [String] { get }

    /// Starts to deliver frames, on a thread of the source's own.
    func start()
    /// Ends that thread.
    ///
    /// A hung thread is abandoned.
    func stop() async
}

/// The expectation of further frames from a live source.
package enum LiveState: Sendable {
    case delivering
    /// No frame has arrived for a while.
    case silent
    /// The connection is lost, and the source reconnects.
    case lost
    /// The source has ended.
    case ended
}

/// A change of a live source for its user to know.
package enum LiveChange: Sendable, Equatable {
    /// The source is lost.
    ///
    /// `words` is the error in short.
    case lost(SourceError, words: String)
    /// Frames arrive again.
    case returned
}
