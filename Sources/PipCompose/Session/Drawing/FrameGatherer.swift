/// Takes the sources' frames for the ticks of an output: each source's newest frame, and for cameras the frames
/// captured at nearly the same time.
///
/// Thread: render thread only.
struct FrameGatherer {
    /// A change of the sources that the session must know.
    enum Report {
        /// A source's presence or format has changed, so that the session must make another plan.
        case presenceChanged
        /// A finite source, such as a file, has ended.
        case ended(name: String)
    }

    /// The frames to draw, one for each source of the plan, in the plan's order; nil for a source without a frame.
    private(set) var frames: [Frame?] = []
    /// True when a frame was taken that must be drawn before the output can end.
    private(set) var hasNews = false
    private let isOffline: Bool
    /// The longest wait for the sources' first frames.
    private let patience: Duration
    /// The sources that the plan draws, in the plan's order.
    private var drawn: [SourceFeed] = []
    /// All sources, drawn or not.
    private var feeds: [SourceFeed] = []
    /// The source whose rate selects the cameras that are shown together; nil selects by `rate`.
    private var main: SourceFeed?
    /// The rate of the cameras that are shown together when `main` is nil: the output's rate.
    private let rate: FrameRate
    private var waitsUntil = Timestamp.distantFuture
    /// The deadline for a plan that fits the sources' first frames, or their new formats.
    ///
    /// Nil while the session awaits no such plan.
    private var planDue: Timestamp?
    /// The longest wait of an offline session for a plan of new formats.
    private static let planPatience = Duration.seconds(10)

    init(isOffline: Bool, patience: Duration, rate: FrameRate) {
        self.isOffline = isOffline
        self.patience = patience
        self.rate = rate
    }

    /// Takes frames for a new plan from now on.
    ///
    /// - Parameters:
    ///   - drawn: The sources that the plan draws, in the plan's order.
    ///   - all: All open sources.
    ///   - main: The source whose rate selects the cameras that are paired; nil pairs the cameras of the output's rate.
    mutating func use(_ drawn: [SourceFeed], of all: [SourceFeed], main: SourceFeed?) {
        (self.drawn, feeds, self.main, planDue) = (drawn, all, main, nil)
        frames = Array(repeating: nil, count: drawn.count)
    }

    /// Draws another selection of the sources, from the present frame on.
    mutating func show(_ drawn: [SourceFeed]) {
        self.drawn = drawn
        frames = drawn.map(\.current)
    }

    /// Notes that the taken frames are drawn.
    mutating func drew() { hasNews = false }

    /// Releases all frames.
    mutating func dismantle() {
        for feed in feeds { feed.release() }
        (drawn, feeds, frames) = ([], [], [])
    }

    /// Takes the sources' first frames that have arrived, and returns at once.
    ///
    /// Drawing can begin when every source has a frame, has ended or is lost, or when the wait is over. An offline
    /// session waits without end.
    ///
    /// - Parameters:
    ///   - offset: The output time, which decides the frames of files.
    ///   - now: The present time.
    ///   - report: Called with each change.
    /// - Returns: False while it is too early to draw.
    mutating func takeFirst(at offset: Duration, _ now: Timestamp, _ report: (Report) -> Void) -> Bool {
        if waitsUntil == .distantFuture { waitsUntil = now.advanced(by: patience) }
        var isComplete = true
        for feed in feeds where feed.current == nil {
            if feed.advance(to: offset, waitingUntil: nil, now: now) == .new { hasNews = true }
            feed.settle(beside: nil, now: now)
            if feed.presence == .none && !feed.inlet.isFinished && feed.inlet.availability != .lost {
                isComplete = false
            }
        }
        guard isComplete || !isOffline && now >= waitsUntil else { return false }
        // Sources without a frame must not be in the first picture: wait for the plan without them, but not for ever.
        if announcePresence(report) { planDue = now.advanced(by: .seconds(1)) }
        if let planDue, now < planDue { return false }
        return true
    }

    /// Takes every source's newest frame, and notes the sources without frames.
    ///
    /// - Parameters:
    ///   - offset: The output time, which decides the frames of files.
    ///   - shown: The timestamp of the picture that is drawn from the frames.
    ///   - now: The present time.
    ///   - report: Called with each change.
    /// - Returns: False when a file's frame is due but was not read in time, and in an offline session while a frame of
    ///   another format waits for its plan.
    mutating func take(
        at offset: Duration, shown: Timestamp, _ now: Timestamp, _ report: (Report) -> Void
    ) -> Bool {
        let deadline = isOffline ? now.advanced(by: .milliseconds(100)) : nil
        var isComplete = true
        for index in feeds.indices {
            let feed = feeds[index]
            switch feed.advance(to: offset, shown: shown, waitingUntil: deadline, now: now) {
            case .pending: isComplete = false
            case .new: if feed.inlet.isFinite { hasNews = true }
            case .unchanged: break
            }
            if feed.endIsNews() { report(.ended(name: feed.name)) }
        }
        let pairingRate = main?.rate ?? rate
        let oldest = oldest(ofRate: pairingRate)
        for index in feeds.indices {
            let feed = feeds[index]
            feed.settle(beside: feed.rate?.isNear(pairingRate) == true ? oldest : nil, now: now)
        }
        _ = announcePresence(report)
        for index in drawn.indices { frames[index] = drawn[index].current }
        return isComplete && !awaitsPlan(now)
    }

    /// True while an offline session waits for a plan that draws a frame of another format.
    private mutating func awaitsPlan(_ now: Timestamp) -> Bool {
        guard isOffline, drawn.contains(where: \.awaitsPlan) else { return false }
        let due = planDue ?? now.advanced(by: Self.planPatience)
        planDue = due
        return now < due
    }

    /// The arrival time of the main camera's newest frame; nil before the first frame, and when the main source is no
    /// camera.
    var mainArrival: Timestamp? { main?.camera?.statistics.lastDelivery }

    /// The camera frames in the present picture, without those of paused cameras.
    var inputs: FrameInputs {
        var inputs = FrameInputs()
        for index in drawn.indices where drawn[index].inlet.isPaired && !drawn[index].inlet.isPaused {
            guard let frame = drawn[index].current else { continue }
            inputs.append(
                FrameInput(source: drawn[index].id, timestamp: frame.timestamp, sequence: frame.info.sequence))
        }
        return inputs
    }

    /// True when there are finite sources, all of them have ended, and no other source is live.
    var hasEnded: Bool {
        guard feeds.contains(where: \.inlet.isFinite) else { return false }
        return feeds.allSatisfy { $0.inlet.isFinite ? $0.inlet.isFinished : !$0.inlet.isLive }
    }

    /// Updates the presence that each source announces, and reports a change.
    ///
    /// - Returns: True when a source's presence or format has changed, so that another plan will come.
    private func announcePresence(_ report: (Report) -> Void) -> Bool {
        var isChanged = false
        for index in feeds.indices where feeds[index].announce() { isChanged = true }
        if isChanged { report(.presenceChanged) }
        return isChanged
    }

    /// The oldest timestamp among the newest frames of the paired cameras; nil with fewer than two such cameras.
    private func oldest(ofRate pairingRate: FrameRate) -> Timestamp? {
        var oldest = Timestamp.distantFuture
        var count = 0
        for index in feeds.indices {
            let feed = feeds[index]
            guard feed.rate?.isNear(pairingRate) == true, let newest = feed.newestTimestamp else { continue }
            oldest = min(oldest, newest)
            count += 1
        }
        return count > 1 ? oldest : nil
    }
}

extension FrameRate {
    /// True when two rates differ by at most 2 %, as 30 and 29.97 do.
    fileprivate func isNear(_ other: FrameRate) -> Bool {
        abs(framesPerSecond / other.framesPerSecond - 1) <= 0.02
    }
}
