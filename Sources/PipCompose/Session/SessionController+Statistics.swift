internal import Synchronization

extension SessionController {
    /// What was done so far.
    ///
    /// From any thread.
    nonisolated func statistics(rate: FrameRate) -> SessionStatistics {
        let (plan, feeds, sinks, loop) = published.withLock { ($0.plan, $0.feeds, $0.sinks, $0.loop) }
        var statistics = SessionStatistics()
        statistics.output.size = plan.outputs.first?.layout.size ?? PixelSize(0, 0)
        statistics.pressure = published.withLock { $0.pressure }
        statistics.sources = feeds.map(Self.statistics)
        let live = feeds.indices.filter { if case .camera = feeds[$0].inlet { true } else { false } }
        if let first = live.first {
            for index in live.dropFirst() {
                statistics.sources[index].drift = Self.drift(of: feeds[index], against: feeds[first])
            }
        }
        statistics.sinks = sinks.map { name, receiver in
            let counted = receiver.counts
            return SessionStatistics.Sink(
                name: name, written: counted.written, repeated: counted.repeated, drops: counted.drops,
                error: counted.error)
        }
        loop?.shared.withLock { shared in
            statistics.output.frames = shared.frames
            statistics.output.missed = shared.missed
            statistics.output.thinned = shared.thinned
            statistics.output.sharedPlanes = shared.sharedPlanes
            statistics.latency = shared.latency.percentiles
            statistics.skew = shared.skew.percentiles
            guard let first = shared.started, let last = shared.last else { return }
            statistics.elapsed = first.duration(to: last)
            statistics.output.framesPerSecond = Self.rate(shared.frames, from: first, to: last)
        }
        return statistics
    }

    private static func statistics(of feed: SourceFeed) -> SessionStatistics.Source {
        let counters = feed.counters.withLock { $0 }
        let layout = feed.format.layout
        var source = SessionStatistics.Source(
            name: feed.name, kind: .file, device: nil, format: layout.format.rawValue, size: layout.size,
            framesPerSecond: 0, delivered: counters.used + counters.passedOver, used: counters.used,
            drops: DropCounts(),
            state: nil, events: counters.events)
        if let first = counters.first, let last = counters.last {
            source.framesPerSecond = rate(counters.used, from: first, to: last)
        }
        switch feed.inlet {
        case .camera(let camera):
            let counted = camera.statistics
            source.kind = .camera
            source.device = camera.device?.path
            source.format = camera.format?.deviceFourCC.description ?? ""
            source.framesPerSecond = counted.framesPerSecond
            source.delivered = counted.delivered
            source.drops = counted.dropped
            source.drops[.late] += counters.passedOver
            source.lastSequence = counted.lastSequence
            source.state = camera.state
        case .app(let inlet):
            source.kind = .app
            source.drops = inlet.drops
            source.drops[.late] += counters.passedOver
            source.delivered = counters.used + source.drops.total
        case .reader, .picture, .constant: source.drops[.decimated] = counters.passedOver
        }
        return source
    }

    private static func drift(of feed: SourceFeed, against other: SourceFeed) -> Double? {
        guard let rate = feed.rate, let reference = other.rate else { return nil }
        let pace = feed.counters.withLock { $0.pace }
        return pace.drift(
            against: other.counters.withLock { $0.pace }, nominal: rate.framesPerSecond / reference.framesPerSecond)
    }

    private static func rate(_ frames: Int, from first: Timestamp, to last: Timestamp) -> Double {
        let seconds = first.duration(to: last).inSeconds
        return seconds > 0 ? Double(frames - 1) / seconds : 0
    }
}
