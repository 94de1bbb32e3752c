/// An event of a render loop.
enum LoopEvent: Sendable {
    /// The first output frame was drawn.
    case started
    /// A source has begun or stopped delivering frames, or delivers another format.
    case presenceChanged
    /// A finite source, such as a file, has ended.
    case sourceEnded(name: String)
    /// An effect starts or ends, so that another plan is needed.
    case planOutdated
    case drawingFailed(GLError)
    /// A motion of a layer has ended.
    case motionEnded
    /// The GPU driver cannot import a camera's memory: frames are copied instead.
    case sharingRefused(GLError)
    /// Several successive frames took far too long to draw. Carries the latest frame's drawing time.
    case framesTooSlow(Duration)
    /// The GPU was reset. The loop has stopped, and must be started on another context.
    case contextLost
    /// The last frame was delivered, and the loop has stopped.
    case ended
}

/// The streams and signals through which a session's controller waits for its render loop.
struct LoopSignals: Sendable {
    /// Yields when another plan is needed.
    ///
    /// Holds one element, so that several changes lead to one plan.
    let changes = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let losses = AsyncStream.makeStream(of: Void.self)
    let slowness = AsyncStream.makeStream(of: Duration.self)
    let ended = StopSignal()

    /// Routes an event to the task that waits for it, or to the journal.
    func note(_ event: LoopEvent, _ journal: SessionJournal) {
        switch event {
        case .started: journal.yield(.started)
        case .presenceChanged, .planOutdated, .motionEnded: changes.continuation.yield()
        case .sourceEnded(let name): journal.yield(.sourceEnded(name: name))
        case .sharingRefused(let error): journal.yield(.sharingRefused(error))
        case .drawingFailed(let error): journal.yield(.drawingFailed(error))
        case .contextLost: losses.continuation.yield()
        case .framesTooSlow(let work): slowness.continuation.yield(work)
        case .ended: ended.raise()
        }
    }

    /// Ends all streams.
    func finish() {
        changes.continuation.finish()
        losses.continuation.finish()
        slowness.continuation.finish()
    }
}
