package import PipFrames

/// A picture that changes while it is shown and is asked for at each output frame: text, a clock, an animation.
package protocol LivePicture: AnyObject, Sendable {
    /// The format of its first frame; later frames may have another size.
    var description: SourceDescription { get }

    /// Begins to make what is not made yet.
    func start()

    /// Ends its thread, where it has one, and blocks until it has ended.
    func stop()

    /// The frame for a moment.
    ///
    /// Runs on the render thread and must not block, unless it is given a deadline; slow work belongs on another
    /// thread.
    ///
    /// - Parameters:
    ///   - offset: The output's time since its start.
    ///   - deadline: The end of the wait for the frame of `offset`, for outputs made faster or slower than real time;
    ///     nil takes the newest frame, by the time of day.
    /// - Returns: The frame, and whether another is pending.
    func frame(at offset: Duration, waitingUntil deadline: Timestamp?) -> LiveFrame
}

/// A live picture's answer to ``LivePicture/frame(at:waitingUntil:)``.
package struct LiveFrame: Sendable {
    /// The frame; nil while there is none.
    ///
    /// An unchanged picture is the same frame with the same sequence number.
    package var frame: Frame?
    /// True when the frame that is due is not ready yet.
    package var isPending: Bool

    package init(_ frame: Frame?, isPending: Bool = false) {
        self.frame = frame
        self.isPending = isPending
    }
}
