internal import Synchronization

extension RenderLoop {
    /// Takes first frames, until every source has one.
    ///
    /// - Returns: When to come back.
    func waitForFirstFrames(_ now: Timestamp) -> Timestamp? {
        guard let installation else { return nil }
        if waitsUntil == .distantFuture { waitsUntil = now.advanced(by: patience) }
        var isComplete = true
        for feed in installation.allFeeds where feed.current == nil {
            if feed.advance(to: .zero, waitingUntil: nil, now: now) == .new { hasNews = true }
            feed.settle(beside: nil, now: now)
            if feed.presence == .none && !feed.inlet.isFinished && feed.inlet.availability != .lost {
                isComplete = false
            }
        }
        guard isComplete || now >= waitsUntil else { return now.advanced(by: .milliseconds(2)) }
        // Sources without a frame are left out of the first one: that plan is waited for, but not for ever.
        if notePresence(installation) { planDue = now.advanced(by: .seconds(1)) }
        if let planDue, now < planDue { return now.advanced(by: .milliseconds(2)) }
        start = now
        return now
    }

    /// Takes every source's newest frame, and notes which have none.
    ///
    /// - Returns: False when a file's frame is due that was not read in time.
    func gather(_ now: Timestamp) -> Bool {
        guard let installation else { return true }
        let offset = schedule.offset
        let deadline = isOffline ? now.advanced(by: .milliseconds(100)) : nil
        var isComplete = true
        for index in installation.allFeeds.indices {
            let feed = installation.allFeeds[index]
            switch feed.advance(to: offset, waitingUntil: deadline, now: now) {
            case .pending: isComplete = false
            case .new: if feed.inlet.isFinite { hasNews = true }
            case .unchanged: break
            }
            if feed.endIsNews() { onEvent(.sourceEnded(name: feed.name)) }
        }
        let oldest = oldestOfPairs(installation)
        let rate = pairingRate(installation)
        for index in installation.allFeeds.indices {
            let feed = installation.allFeeds[index]
            feed.settle(beside: feed.rate?.isNear(rate) == true ? oldest : nil, now: now)
        }
        _ = notePresence(installation)
        for index in installation.feeds.indices { frames[index] = installation.feeds[index].current }
        return isComplete
    }

    /// Reports a change in the set of sources that have frames.
    ///
    /// - Returns: True when it has changed, so that another plan is on its way.
    private func notePresence(_ installation: Installation) -> Bool {
        var isChanged = false
        for index in installation.allFeeds.indices {
            let feed = installation.allFeeds[index]
            let presence = feed.presence
            guard feed.reported != presence || feed.needsPlan else { continue }
            feed.reported = presence
            feed.planRequested()
            shared.withLock { $0.presence[feed.id] = presence }
            isChanged = true
        }
        if isChanged { onEvent(.presenceChanged) }
        return isChanged
    }

    /// Cameras of this rate are shown together.
    private func pairingRate(_ installation: Installation) -> FrameRate { installation.main?.rate ?? schedule.rate }

    /// The oldest of the newest frames of the cameras that are shown together; nil with fewer than two.
    private func oldestOfPairs(_ installation: Installation) -> Timestamp? {
        let rate = pairingRate(installation)
        var oldest = Timestamp.distantFuture
        var count = 0
        for index in installation.allFeeds.indices {
            let feed = installation.allFeeds[index]
            guard feed.rate?.isNear(rate) == true, let newest = feed.newestTimestamp else { continue }
            oldest = min(oldest, newest)
            count += 1
        }
        return count > 1 ? oldest : nil
    }

    /// True when every source that ends has ended, and none is live.
    var hasEnded: Bool {
        guard let feeds = installation?.allFeeds, feeds.contains(where: \.inlet.isFinite) else { return false }
        return feeds.allSatisfy { $0.inlet.isFinite ? $0.inlet.isFinished : !$0.inlet.isLive }
    }
}

extension FrameRate {
    /// True when two rates are the same but for what clocks are off: 30 and 29.97.
    fileprivate func isNear(_ other: FrameRate) -> Bool {
        abs(framesPerSecond / other.framesPerSecond - 1) <= 0.02
    }
}
