internal import PipFrames

/// The state machine of a slot, without a device, a thread or a clock.
///
/// The slot opens a lost camera again: at once when a device appears, or after a second if the camera was lost often.
/// Otherwise, the slot retries after delays that grow with each failure, to five seconds at most.
struct CameraSlotState {
    /// An input of the state machine.
    enum Event: Equatable {
        /// The camera was opened, and is streaming or switched off.
        case opened
        /// The camera could not be opened.
        case failed(CaptureError.Kind)
        /// The first frame since opening has arrived.
        case delivered
        case stalled
        case resumed
        /// The camera was switched off or on.
        case switched
        /// The camera failed or was unplugged, and its device is closed.
        case lost
        /// The driver does not answer, so the camera was abandoned with its thread.
        case abandoned
        /// Device nodes have appeared, disappeared or changed.
        case devicesChanged
        /// Time has passed.
        case tick
        case closed
    }

    /// The action that the slot must perform.
    enum Action: Equatable {
        case none
        /// The slot must find and open the camera.
        case open
        /// The slot must close the stalled camera, and then open it.
        case reopen
    }

    /// The delays between attempts to open the camera.
    static let delays: [Duration] = [
        .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(5),
    ]
    /// The time of uninterrupted delivery after which the next loss starts with the shortest delay.
    static let healthyTime = Duration.seconds(10)
    /// The least time after which a stalled camera is reopened, if a restart of its stream did not help.
    static let stallTime = Duration.seconds(2)
    /// The longest delay for a camera that is busy, not permitted or without a signal, because an attempt costs little.
    private static let longestDenial = Duration.seconds(1)
    /// The number of successive losses above which a device that appears is not opened at once.
    private static let flapLimit = 3
    /// The longest delay before the slot opens a device that has appeared and was lost more than ``flapLimit`` times.
    private static let flapTime = Duration.seconds(1)
    /// The number of threads that may be abandoned in hung drivers.
    static let abandonedLimit = 2

    private(set) var state = CameraState.opening
    /// The time of the next tick; nil while only another event can change the state.
    private(set) var deadline: Timestamp?

    private var attempts = 0
    private var losses = 0
    private var abandoned = 0
    /// The start of uninterrupted delivery; nil while the camera is lost, stalled or not delivering yet.
    private var healthySince: Timestamp?

    /// True while the camera is absent, cannot be opened, or has failed.
    var isWaiting: Bool { state == .lost }
    /// True when drivers have hung so often that the slot no longer tries to open the camera.
    var isGivenUp: Bool { abandoned >= Self.abandonedLimit }

    /// Advances the state machine by an event.
    ///
    /// - Returns: The action to perform.
    mutating func take(_ event: Event, at now: Timestamp) -> Action {
        guard state != .closed else { return .none }
        switch event {
        case .opened:
            (state, deadline, healthySince) = (.streaming, nil, nil)
        case .delivered, .resumed:
            (state, deadline, healthySince) = (.streaming, nil, healthySince ?? now)
        case .switched:
            if state == .stalled { (state, deadline) = (.streaming, nil) }
        case .stalled:
            (state, deadline, healthySince) = (.stalled, now.advanced(by: max(Self.stallTime, delay)), nil)
        case .failed(let kind):
            let isDenied = kind == .busy || kind == .notPermitted || kind == .noSignal
            wait(for: isDenied ? min(delay, Self.longestDenial) : delay, from: now)
        case .lost: lose(at: now)
        case .abandoned:
            abandoned += 1
            lose(at: now)
            if isGivenUp { deadline = nil }
        case .devicesChanged: hurry(at: now)
        case .tick: break
        case .closed: (state, deadline) = (.closed, nil)
        }
        return due(at: now)
    }

    private var delay: Duration { Self.delays[min(attempts, Self.delays.count - 1)] }

    private mutating func lose(at now: Timestamp) {
        if let since = healthySince, since.duration(to: now) >= Self.healthyTime { (attempts, losses) = (0, 0) }
        healthySince = nil
        attempts = max(attempts, losses)
        losses += 1
        wait(for: delay, from: now)
    }

    private mutating func wait(for duration: Duration, from now: Timestamp) {
        state = .lost
        deadline = now.advanced(by: duration)
        attempts += 1
    }

    /// Brings the next attempt forward, because the camera may have appeared.
    ///
    /// A camera that was lost many times is not opened at once.
    private mutating func hurry(at now: Timestamp) {
        guard state == .lost, let deadline else { return }
        let isFlapping = losses > Self.flapLimit
        if !isFlapping { attempts = 0 }
        self.deadline = min(deadline, isFlapping ? now.advanced(by: Self.flapTime) : now)
    }

    private mutating func due(at now: Timestamp) -> Action {
        guard let deadline, now >= deadline else { return .none }
        self.deadline = nil
        if state == .stalled {
            attempts += 1
            return .reopen
        }
        return .open
    }
}
