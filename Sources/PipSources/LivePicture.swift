package import PipFrames

/// A picture that changes while it is shown, and is requested for each output frame: text, a clock, an animation.
package protocol LivePicture: AnyObject, Sendable {
    /// The format of the first frame; later frames may have another size.
    var description: SourceDescription { get }

    /// Starts to make pictures.
    func start()

    /// Stops the picture's thread, if it has one.
    ///
    /// Blocks until then.
    func stop()

    /// Returns the frame for a moment.
    ///
    /// The call must not block unless a deadline is given, so slow work belongs on another thread.
    ///
    /// Thread: render thread.
    ///
    /// - Parameters:
    ///   - offset: The output's time since its start.
    ///   - deadline: The end of the wait for the frame of `offset`, for outputs made faster or slower than real time.
    ///     Nil takes the newest frame, by the time of day.
    /// - Returns: The frame, and whether another is pending.
    func frame(at offset: Duration, waitingUntil deadline: Timestamp?) -> LiveFrame
}

/// A live picture's answer to ``LivePicture/frame(at:waitingUntil:)``.
package struct LiveFrame: Sendable {
    /// The frame; nil while none is ready.
    ///
    /// An unchanged picture is the same frame with the same sequence number.
    package var frame: Frame?
    /// True when the due frame is not ready yet.
    package var isPending: Bool

    package init(_ frame: Frame?, isPending: Bool = false) {
        self.frame = frame
        self.isPending = isPending
    }
}
