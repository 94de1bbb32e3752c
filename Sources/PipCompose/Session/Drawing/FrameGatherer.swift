/// Takes the sources' frames for the ticks of an output: the newest frame of each, and of cameras those that belong
/// together.
///
/// Belongs to the render loop.
struct FrameGatherer {
    /// News for the session.
    enum Report {
        /// A source's presence or format has changed: another plan is right.
        case presenceChanged
        /// A source that ends by itself has ended.
        case ended(name: String)
    }

    /// The newest frames of the sources that are drawn, in the plan's order.
    private(set) var frames: [Frame?] = []
    /// True when a source that ends by itself has brought a frame that was not drawn yet.
    private(set) var hasNews = false
    private let isOffline: Bool
    /// The longest wait for first frames.
    private let patience: Duration
    /// The sources that are drawn, in the plan's order.
    private var drawn: [SourceFeed] = []
    /// All sources, drawn or not.
    private var feeds: [SourceFeed] = []
    /// The source with whose rate cameras are shown together; nil for none.
    private var main: SourceFeed?
    /// The rate of the cameras that are shown together where there is none.
    private let rate: FrameRate
    private var waitsUntil = Timestamp.distantFuture
    /// The end of the wait for the plan of the first frame's sources; nil when it is there.
    private var planDue: Timestamp?

    init(isOffline: Bool, patience: Duration, rate: FrameRate) {
        self.isOffline = isOffline
        self.patience = patience
        self.rate = rate
    }

    /// Takes frames for another plan from now on.
    ///
    /// - Parameters:
    ///   - drawn: The sources that the plan draws, in its order.
    ///   - all: All sources.
    ///   - main: The source whose rate pairs cameras; nil pairs cameras of the output's rate.
    mutating func use(_ drawn: [SourceFeed], of all: [SourceFeed], main: SourceFeed?) {
        (self.drawn, feeds, self.main, planDue) = (drawn, all, main, nil)
        frames = Array(repeating: nil, count: drawn.count)
    }

    /// Draws another selection of the sources, from the present frame on.
    mutating func show(_ drawn: [SourceFeed]) {
        self.drawn = drawn
        frames = drawn.map(\.current)
    }

    /// Notes that the frames that were taken are drawn.
    mutating func drew() { hasNews = false }

    /// Releases all frames.
    mutating func dismantle() {
        for feed in feeds { feed.release() }
        (drawn, feeds, frames) = ([], [], [])
    }

    /// Takes the first frames, until every source has one or the patience ends.
    ///
    /// In file time the wait has no end.
    ///
    /// - Parameters:
    ///   - offset: The output time, by which files are read.
    ///   - now: The time.
    ///   - report: Told of what has changed.
    /// - Returns: False when it is too early to draw.
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
        // What has no frame is not to be in the first one: that plan is waited for, but not for ever.
        if announcePresence(report) { planDue = now.advanced(by: .seconds(1)) }
        if let planDue, now < planDue { return false }
        return true
    }

    /// Takes every source's newest frame, and notes which have none.
    ///
    /// - Parameters:
    ///   - offset: The output time, by which files are read.
    ///   - shown: The timestamp of the picture that is made of them.
    ///   - now: The time.
    ///   - report: Told of what has changed.
    /// - Returns: False when a file's frame is due but was not read in time.
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
        return isComplete
    }

    /// The arrival of the main camera's newest frame; nil before the first, and when the main source is no camera.
    var mainArrival: Timestamp? { main?.camera?.statistics.lastDelivery }

    /// The live sources' frames in the present picture.
    var inputs: FrameInputs {
        var inputs = FrameInputs()
        for index in drawn.indices where drawn[index].inlet.isPaired && !drawn[index].inlet.isPaused {
            guard let frame = drawn[index].current else { continue }
            inputs.append(
                FrameInput(source: drawn[index].id, timestamp: frame.timestamp, sequence: frame.info.sequence))
        }
        return inputs
    }

    /// True when every source that ends has ended, and none is live.
    var hasEnded: Bool {
        guard feeds.contains(where: \.inlet.isFinite) else { return false }
        return feeds.allSatisfy { $0.inlet.isFinite ? $0.inlet.isFinished : !$0.inlet.isLive }
    }

    /// Announces the sources' presence, and reports changes of it.
    ///
    /// - Returns: True when there was a change, so that another plan is on its way.
    private func announcePresence(_ report: (Report) -> Void) -> Bool {
        var isChanged = false
        for index in feeds.indices where feeds[index].announce() { isChanged = true }
        if isChanged { report(.presenceChanged) }
        return isChanged
    }

    /// The oldest of the newest frames of the cameras that are shown together; nil with fewer than two.
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
    /// True when two rates are the same but for what clocks are off: 30 and 29.97.
    fileprivate func isNear(_ other: FrameRate) -> Bool {
        abs(framesPerSecond / other.framesPerSecond - 1) <= 0.02
    }
}
