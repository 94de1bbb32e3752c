internal import PipFrames

/// Where a camera's place in a graph stands, and what to do next, without a device, a thread or a clock.
///
/// A camera that is lost is opened again: at once when a device appears, else after waits that grow with each failure.
struct CameraSlotState {
    /// An input of the state machine.
    enum Event: Equatable {
        /// It was opened and streams, or is switched off and could.
        case opened
        /// It could not be opened.
        case failed(CaptureError.Kind)
        /// The first frame since it was opened is there.
        case delivered
        case stalled
        case resumed
        /// It was switched off or on.
        case switched
        /// It failed or was unplugged; its device is closed.
        case lost
        /// Its driver does not answer; it was left behind with its thread.
        case abandoned
        /// Device nodes have come, gone or changed.
        case devicesChanged
        /// Nothing but the time.
        case tick
        case closed
    }

    /// An output of the state machine.
    enum Action: Equatable {
        case none
        /// Find and open the camera.
        case open
        /// Close it first: it is stalled.
        case reopen
    }

    /// Waits between one attempt and the next.
    static let delays: [Duration] = [
        .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(5),
    ]
    /// A camera that has delivered for this long is healthy: the waits begin anew.
    static let healthyTime = Duration.seconds(10)
    /// A stalled camera that did not come back by a restart of its stream is opened anew after this long.
    static let stallTime = Duration.seconds(2)
    /// A camera that is busy, not permitted or without a signal costs next to nothing to try.
    private static let longestDenial = Duration.seconds(1)
    /// Losses in a row after which even a new device is not tried at once.
    private static let flapLimit = 3
    /// The least presence of a device that comes and goes before it is opened.
    private static let flapTime = Duration.seconds(1)
    /// Threads that may be left behind in dead drivers.
    static let abandonedLimit = 2

    private(set) var state = CameraState.opening
    /// When to look at the clock again; nil when there is nothing to do but by another event.
    private(set) var deadline: Timestamp?

    private var attempts = 0
    private var losses = 0
    private var abandoned = 0
    /// Since when frames have been coming without trouble.
    private var healthySince: Timestamp?

    /// True while the camera is absent and waited for.
    var isWaiting: Bool { state == .lost }
    /// True when drivers have hung so often that no further attempt is made.
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

    /// A device has come, perhaps this one: tries at once, unless it only comes to go again.
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
