package import PipFrames

/// A picture that may change while it is shown, such as a clock, and that is requested for each output frame.
package protocol LivePicture: AnyObject, Sendable {
    /// The format of the first frame; later frames may have another size.
    var description: SourceDescription { get }

    /// Starts making pictures.
    func start()

    /// Stops the picture's thread, if it has one.
    ///
    /// Blocks until the thread has ended.
    func stop()

    /// Returns the frame for a time of the output.
    ///
    /// The function must not block when `deadline` is nil, so slow work belongs on another thread.
    ///
    /// Thread: render thread.
    ///
    /// - Parameters:
    ///   - offset: The output's time since its start.
    ///   - deadline: The end of the wait for the frame of `offset`, for outputs made faster or slower than real time.
    ///     If nil, the function returns at once, with the newest frame while the due frame is not ready; a clock then
    ///     shows the time of day in place of `offset`.
    /// - Returns: The frame, and whether the due frame is still pending.
    func frame(at offset: Duration, waitingUntil deadline: Timestamp?) -> LiveFrame
}

/// The result of ``LivePicture/frame(at:waitingUntil:)``.
package struct LiveFrame: Sendable {
    /// The frame; nil while no frame is ready.
    ///
    /// While the picture is unchanged, the frame is the same, with the same sequence number.
    package var frame: Frame?
    /// True when the due frame is not ready yet.
    package var isPending: Bool

    package init(_ frame: Frame?, isPending: Bool = false) {
        self.frame = frame
        self.isPending = isPending
    }
}
