internal import Synchronization

/// The counters and measurements of a session so far.
public struct SessionStatistics: Sendable {
    /// The time from the first drawn frame to the latest one.
    public var elapsed: Duration = .zero
    /// The counters of drawn frames.
    public var output = Output()
    /// The statistics of each source, in opening order.
    public var sources: [Source] = []
    /// The statistics of each output, in opening order, including ended outputs and without stills.
    public var sinks: [OutputStatistics] = []
    /// The time from the timestamp of the newest camera frame in a composed frame to the composed frame's delivery,
    /// over the latest 4096 deliveries; nil before a frame that shows a camera.
    public var latency: Percentiles?
    /// The time from the timestamp of the newest camera frame in a composed frame to the composed frame's delivery,
    /// over all deliveries of frames that show a camera.
    package var latencies = LatencyHistogram()
    /// The time between the oldest and the newest camera frame in an output frame, over the latest frames that show
    /// several cameras; nil before the first such frame.
    public var skew: Percentiles?

    /// The machine's present pressure, and the mitigations that were applied.
    public var pressure = Pressure()

    /// The machine's present pressure, and its history.
    public struct Pressure: Sendable {
        /// The pressure at the latest measurement, or the pinned level; nominal before the first measurement.
        public var state = PressureState()
        /// The latest pressure events, at most 256, oldest first.
        public private(set) var events: [PressureEvent] = []
        /// The policy that the session follows.
        public internal(set) var policy = PressurePolicy.balanced
        /// The level that overrides the sensors; nil follows the sensors.
        public internal(set) var pinned: PressureLevel?

        private static let capacity = 256

        mutating func note(_ event: PressureEvent) {
            if events.count == Self.capacity { events.removeFirst() }
            events.append(event)
        }
    }

    /// The counters of drawn frames.
    public struct Output: Sendable {
        /// The number of drawn frames.
        public var frames = 0
        /// The number of ticks that were due but got no frame: an earlier frame took too long, the sinks held all
        /// buffers, drawing failed, or there was nothing to show.
        public var missed = 0
        /// The number of ticks that were left out on purpose, to reduce the load.
        public var thinned = 0
        /// The measured output rate, averaged since the first frame.
        public var framesPerSecond = 0.0
        /// The number of planes that the GPU has read in a camera's memory, without a copy.
        public var sharedPlanes = 0
        /// The size of the first output's frames; 0 x 0 while the plan has no output.
        public var size = PixelSize(0, 0)
    }

    /// The description and counters of one source.
    public struct Source: Sendable {
        /// The kind of a source: a camera, a file, the app, or a network stream.
        public enum Kind: String, Sendable { case camera, file, app, stream }
        /// The source's node, which distinguishes sources of the same name.
        public var id: NodeID
        /// The source's name, such as `/dev/video0`.
        public var name: String
        /// The source's kind: camera, file, app or stream.
        public var kind: Kind
        /// The path of a camera's device node; nil for other sources, and until the camera was opened.
        public var device: String?
        /// The pixel format of a camera's device, or of another source's frames; empty while a camera has none.
        public var format: String
        /// The size of the source's frames as they are stored, before any rotation.
        public var size: PixelSize
        /// The measured rate, in frames a second: the rate of a camera's delivered frames, or of another source's shown
        /// frames.
        public var framesPerSecond = 0.0
        /// The number of complete frames that the source has delivered.
        public var delivered = 0
        /// The number of frames that were shown.
        public var used = 0
        /// The counts of frames that were not shown, by reason.
        public var drops = DropCounts()
        /// The sequence number of a camera's latest frame, counted from 0 and including lost frames.
        ///
        /// Once the session has ended, every frame up to this number is counted as shown or as dropped. Nil before the
        /// first frame, and for other sources.
        public var lastSequence: UInt64?
        /// The state of a camera or a stream; nil for other sources.
        public var state: CameraState?
        /// The drift of a camera's clock against the first camera's, in parts per million.
        ///
        /// Nil for the first camera, for other kinds of sources, for a closed source, and while the drift is not known.
        public var drift: Double?
        /// Descriptions of the source's first 64 events, oldest first, followed by those of repaired timestamps.
        public var events: [String] = []
    }

    /// The median, the 99th percentile and the maximum of a measured time.
    public struct Percentiles: Sendable, Equatable {
        /// The median: at least half of the values do not exceed it.
        public var p50: Duration
        /// The 99th percentile: at least 99 % of the values do not exceed it.
        public var p99: Duration
        /// The largest value.
        public var max: Duration
    }
}

/// The latest 4096 values of a measured time.
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
    /// Reads the statistics from the published parts of a session.
    init(_ published: Published) {
        pressure = published.pressure
        sources = published.sources.statistics
        sinks = published.outputs.statistics
        // Evaluated under the lock: a copy of the samples would make the render loop allocate.
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
    /// Reads the statistics of a source.
    ///
    /// - Parameters:
    ///   - feed: The source.
    ///   - reference: The camera whose clock the drift is measured against; nil measures no drift.
    ///   - events: Descriptions of the source's events.
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
