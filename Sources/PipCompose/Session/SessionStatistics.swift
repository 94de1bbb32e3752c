internal import Synchronization

/// The counters and measurements of a session so far.
public struct SessionStatistics: Sendable {
    /// The time since the start.
    public var elapsed: Duration = .zero
    /// The composed frames.
    public var output = Output()
    /// The sources, in the order of the graph.
    public var sources: [Source] = []
    /// The outputs in the order in which they were opened; those that have ended, too.
    public var sinks: [OutputStatistics] = []
    /// The latency from a camera's timestamp to the hand-over to the sinks; nil without cameras.
    public var latency: Percentiles?
    /// The same of all frames since the start.
    package var latencies = LatencyHistogram()
    /// The skew of the cameras' timestamps within an output frame; nil with fewer than two cameras.
    public var skew: Percentiles?

    /// The machine's pressure, and the measures taken.
    public var pressure = Pressure()

    /// The machine's pressure, and its history.
    public struct Pressure: Sendable {
        /// The latest state.
        public var state = PressureState()
        /// The changes since the start, the latest 256 of them.
        public private(set) var events: [PressureEvent] = []

        private static let capacity = 256

        mutating func note(_ event: PressureEvent) {
            if events.count == Self.capacity { events.removeFirst() }
            events.append(event)
        }
    }

    /// Counters of composed frames.
    public struct Output: Sendable {
        /// Frames composed.
        public var frames = 0
        /// Moments at which a frame was due but none was made, because the one before took too long.
        public var missed = 0
        /// Moments at which no frame was made on purpose, to make less work.
        public var thinned = 0
        /// The measured rate.
        public var framesPerSecond = 0.0
        /// Planes of cameras' frames that were drawn from the memory that the camera wrote, without a copy.
        public var sharedPlanes = 0
        /// The picture's size.
        public var size = PixelSize(0, 0)
    }

    /// Counters of a source.
    public struct Source: Sendable {
        /// The kind of a source.
        public enum Kind: String, Sendable { case camera, file, app, stream }
        /// The source's node: two sources of one name are two.
        public var id: NodeID
        /// The source's label.
        public var name: String
        /// The kind of source.
        public var kind: Kind
        /// The device node of a camera.
        public var device: String?
        /// The pixel format of the device or the file.
        public var format: String
        /// The size of its frames.
        public var size: PixelSize
        /// The measured rate.
        public var framesPerSecond = 0.0
        /// Frames that came, whole.
        public var delivered = 0
        /// Frames that were drawn.
        public var used = 0
        /// Frames that were not drawn, by reason.
        public var drops = DropCounts()
        /// The number of a camera's latest frame, counted from 0 with the lost ones.
        ///
        /// Once the session has ended, each of them was drawn or is among the drops. Nil before the first frame, and
        /// for what is no camera.
        public var lastSequence: UInt64?
        /// The state of a camera or a stream; nil for other sources.
        public var state: CameraState?
        /// The drift of a camera's clock against the first one's, in parts per million; nil while it is not known.
        public var drift: Double?
        /// The events of a camera or a stream, in words.
        public var events: [String] = []
    }

    /// Half of the values are below `p50`, and 99 of 100 below `p99`.
    public struct Percentiles: Sendable, Equatable {
        /// The median.
        public var p50: Duration
        /// The 99th percentile.
        public var p99: Duration
        /// The maximum.
        public var max: Duration
    }
}

/// The latest values of a measure.
struct Samples {
    private var values: [Int64] = []
    private var next = 0
    private static let capacity = 4096

    init() { values.reserveCapacity(Self.capacity) }

    mutating func add(_ duration: Duration) {
        if values.count < Self.capacity {
            values.append(duration.nanoseconds)
        } else {
            values[next] = duration.nanoseconds
            next = (next + 1) % Self.capacity
        }
    }

    var percentiles: SessionStatistics.Percentiles? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        func value(at share: Double) -> Duration {
            .nanoseconds(sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))])
        }
        return SessionStatistics.Percentiles(
            p50: value(at: 0.5), p99: value(at: 0.99), max: .nanoseconds(sorted[sorted.count - 1]))
    }
}

// MARK: - Gathering

extension SessionStatistics {
    /// The statistics of a session so far.
    init(_ published: Published) {
        pressure = published.pressure
        sources = published.sources.statistics
        sinks = published.outputs.statistics
        // Read under the lock: a copy of the samples would make the render loop allocate.
        published.results.withLock { results in
            output.size = results.plan.outputs.first?.layout.size ?? PixelSize(0, 0)
            output.frames = results.frames
            output.missed = results.missed
            output.thinned = results.thinned
            output.sharedPlanes = results.sharedPlanes
            latency = results.latency.percentiles
            latencies = results.latencies
            skew = results.skew.percentiles
            guard let first = results.started, let last = results.last else { return }
            elapsed = first.duration(to: last)
            output.framesPerSecond = Self.rate(results.frames, from: first, to: last)
        }
    }

    fileprivate static func rate(_ frames: Int, from first: Timestamp, to last: Timestamp) -> Double {
        let seconds = first.duration(to: last).inSeconds
        return seconds > 0 ? Double(frames - 1) / seconds : 0
    }
}

extension SessionStatistics.Source {
    /// The statistics of a source so far.
    ///
    /// - Parameters:
    ///   - feed: The source.
    ///   - reference: The camera whose clock the others are compared with; nil compares with none.
    ///   - events: The source's events, in words.
    init(_ feed: SourceFeed, beside reference: SourceFeed?, events: [String]) {
        let counters = feed.counters.withLock { $0 }
        let layout = feed.format.layout
        self.init(id: feed.id, name: feed.name, kind: .file, format: layout.format.rawValue, size: layout.size)
        (delivered, used) = (counters.used + counters.passedOver, counters.used)
        self.events = events
        if let first = counters.first, let last = counters.last {
            framesPerSecond = SessionStatistics.rate(counters.used, from: first, to: last)
        }
        feed.inlet.report(&self, passedOver: counters.passedOver)
        if let reference, reference !== feed, feed.camera != nil { drift = Self.drift(of: feed, against: reference) }
    }

    private static func drift(of feed: SourceFeed, against other: SourceFeed) -> Double? {
        guard let rate = feed.camera?.format?.frameRate, let reference = other.camera?.format?.frameRate else {
            return nil
        }
        let pace = feed.counters.withLock { $0.pace }
        return pace.drift(
            against: other.counters.withLock { $0.pace }, nominal: rate.framesPerSecond / reference.framesPerSecond)
    }
}
