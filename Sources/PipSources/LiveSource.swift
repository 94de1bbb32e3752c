package import PipConcurrency
package import PipFrames

/// Frames that come by themselves, from somewhere that may go away and come back: a stream of a network, or a camera of
/// another library's.
///
/// The newest frame wins.
package protocol LiveSource: AnyObject, Sendable {
    /// The format of its first frame, or the expected one where none has come; constant.
    var description: SourceDescription { get }
    /// True where frames have the moments at which they were taken, and are shown beside those of other cameras.
    var isCamera: Bool { get }
    /// The newest frame, stamped with the moment of its arrival, or of a camera with that at which it was taken.
    var newest: Mailbox<Frame> { get }
    /// True while frames are to be expected.
    var state: LiveState { get }
    /// Frames that a newer one has replaced in ``newest``.
    var replaced: Int { get }
    /// What was mended of its times so far, in sentences.
    var repairs: [String] { get }

    /// Begins to deliver, on a thread of its own.
    func start()
    /// Ends that thread; one that hangs is left behind.
    func stop() async
}

/// Whether a live source's frames are to be expected.
package enum LiveState: Sendable {
    case delivering
    /// None have come for a while.
    case silent
    /// The connection is gone; it is made again.
    case lost
    /// Nothing comes any more.
    case ended
}

/// A change of a live source that its user wants to know of.
package enum LiveChange: Sendable, Equatable {
    /// It went away; the error says why, `words` in a few words.
    case lost(SourceError, words: String)
    /// Frames come again.
    case returned
}
