package import PipFrames

/// A picture that changes while it is shown and is asked for at each output frame: text, a clock, an animation.
package protocol LivePicture: AnyObject, Sendable {
    /// What it delivers at first; later frames may have another size.
    var description: SourceDescription { get }

    /// Begins to make what is not made yet.
    func start()

    /// Ends its thread, where it has one, and blocks until it has ended.
    func stop()

    /// What to show at a moment.
    ///
    /// Runs on the render thread: what takes long is made elsewhere.
    ///
    /// - Parameters:
    ///   - offset: Time of the output since its start.
    ///   - deadline: How long to wait for what belongs to `offset`: for files that are made in a time of their own. Nil
    ///     takes what is there, at the time of day.
    /// - Returns: The frame, and whether to ask again.
    func frame(at offset: Duration, waitingUntil deadline: Timestamp?) -> LiveFrame
}

/// What a live picture answers.
package struct LiveFrame: Sendable {
    /// What to show; nil while there is nothing.
    ///
    /// One that has not changed since is the same, with the same sequence number.
    package var frame: Frame?
    /// Whether another one is due that is not made yet.
    package var isPending: Bool

    package init(_ frame: Frame?, isPending: Bool = false) {
        self.frame = frame
        self.isPending = isPending
    }
}
