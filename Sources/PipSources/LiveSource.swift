package import PipConcurrency
package import PipFrames

/// A source whose frames arrive unrequested and may stop and return: a network stream, or a camera of another library.
///
/// Each new frame replaces the frame before.
package protocol LiveSource: AnyObject, Sendable {
    /// The format that the first frame has, or is expected to have.
    ///
    /// The description must be constant.
    var description: SourceDescription { get }
    /// True when timestamps are times of capture, so that frames can be paired with those of other cameras.
    var isCamera: Bool { get }
    /// The mailbox of the newest frame.
    ///
    /// The frame's timestamp is the time of arrival, or for a camera the time of capture.
    var newest: Mailbox<Frame> { get }
    /// The source's state: delivering frames, silent, lost or ended.
    var state: LiveState { get }
    /// The number of frames that were never taken from ``newest``, because a newer frame replaced them.
    var replaced: Int { get }
    /// The repairs of timestamps so far, as sentences.
    var repairs: [String] { get }

    /// Starts to deliver frames on a thread of the source.
    func start()
    /// Ends the source's thread.
    ///
    /// A thread that hangs is abandoned.
    func stop() async
}

/// The state of a live source, which tells whether further frames can be expected.
package enum LiveState: Sendable {
    case delivering
    /// No frame has arrived for a while.
    case silent
    /// The connection is lost, and the source reconnects.
    case lost
    /// The source delivers no further frames, and does not reconnect.
    case ended
}

/// A change of a live source to report to the user.
package enum LiveChange: Sendable, Equatable {
    /// The source is lost.
    ///
    /// `words` is a short form of the error.
    case lost(SourceError, words: String)
    /// Frames arrive again.
    case returned
}
