internal import PipFrames

/// The clock of a device beside ours: a line through the timestamps of its blocks, by which each sample has its moment.
///
/// The line is that of least squares with weights that decay with age: at first it takes all blocks into account, later
/// those of the last ``memory``, so that it follows a quartz that warms up. A prior holds the slope near the nominal
/// rate until there is evidence. A residual that differs from the recent ones by more than ``outlier`` counts as that:
/// one late timestamp moves little. ``recentResidual`` tells when timestamps stay off the line.
///
/// Source: Huber, "Robust Estimation of a Location Parameter"; exponentially weighted recursive least squares.
struct ClockFit: Sendable {
    /// The time constant of the weights' decay, in seconds.
    static let memory = 30.0
    /// The largest difference from ``recentResidual`` that counts in full, in seconds.
    static let outlier = 0.01
    /// The time constant of ``recentResidual``, in seconds: shorter late stretches are noise.
    private static let attention = 0.25
    /// The greatest difference of a device's rate from its nominal one.
    static let greatestDrift = 0.005
    /// The prior's standard deviation of the drift.
    private static let expectedDrift = 200e-6
    /// The jitter that is expected before any is known, in seconds, and the time that this counts.
    private static let expectedJitter = 0.002
    private static let expectedJitterWeight = 0.1

    /// Samples per second, nominally.
    private let rate: Double
    private let priorDrift: Double
    /// The first sample's number, and the nominal time of it.
    private let first: Int
    private let start: Timestamp
    /// The sample at which the abscissa is zero: the first one of the newest block.
    private var newest: Int
    // Sums over all blocks of the weight, and of the weight times the sample's nominal time, relative to the newest, in
    // seconds (x), and the deviation of its timestamp from the nominal one (y).
    private var weight = 0.0
    private var sumX = 0.0
    private var sumY = 0.0
    private var sumXX = 0.0
    private var sumXY = 0.0
    /// The weighted sum of squared residuals, which begins with what is expected.
    private var sumOfSquares = expectedJitterWeight * expectedJitter * expectedJitter
    /// The mean residual of the newest blocks, in seconds, with weights that decay within ``attention``.
    private(set) var recentResidual = 0.0
    /// The deviation of the newest sample by the line.
    private var deviation = 0.0
    /// The line's slope: by how much a sample lasts longer than nominally.
    private(set) var drift: Double

    /// - Parameters:
    ///   - rate: Samples per second, nominally.
    ///   - first: The number of the first sample.
    ///   - start: The first block's timestamp.
    ///   - drift: The slope that is expected, from earlier.
    init(rate: Int, first: Int, start: Timestamp, drift: Double = 0) {
        self.rate = Double(rate)
        self.first = first
        self.start = start
        newest = first
        priorDrift = drift
        self.drift = drift
    }

    /// The difference of a timestamp from the moment that a sample has by the line, in seconds.
    func residual(of timestamp: Timestamp, sample: Int) -> Double {
        deviation(of: timestamp, sample) - deviation - drift * Double(sample - newest) / rate
    }

    /// The standard deviation of timestamps from the line, in seconds.
    var jitter: Double { (sumOfSquares / (weight + Self.expectedJitterWeight)).squareRoot() }

    /// Adds a block by its first sample's number, its timestamp and its length in samples.
    mutating func add(sample: Int, timestamp: Timestamp, count: Int) {
        let residual = residual(of: timestamp, sample: sample)
        let own = Double(count) / rate
        recentResidual += (residual - recentResidual) * own / (own + Self.attention)
        let difference = residual - recentResidual
        let excess = difference - min(max(difference, -Self.outlier), Self.outlier)
        let y = deviation(of: timestamp, sample) - excess
        let step = Double(sample - newest) / rate
        let decay = 1 / (1 + step / Self.memory)
        // All abscissae move back by the step.
        sumXX = decay * (sumXX - 2 * step * sumX + step * step * weight)
        sumXY = decay * (sumXY - step * sumY)
        sumX = decay * (sumX - step * weight)
        sumY *= decay
        weight *= decay
        weight += own
        sumY += own * y
        sumOfSquares = decay * sumOfSquares + own * (residual - excess) * (residual - excess)
        newest = sample
        solve(own)
    }

    /// The sample, with its fraction, that is at a moment in seconds after a clock's start.
    func sample(at seconds: Double, of clock: SampleClock) -> Double {
        let elapsed = seconds - clock.seconds(at: start) - deviation
        return Double(newest) + (elapsed - Double(newest - first) / rate) / (1 + drift) * rate
    }

    /// The moment of a sample in seconds after a clock's start.
    func seconds(ofSample sample: Int, of clock: SampleClock) -> Double {
        clock.seconds(at: start) + deviation + Double(sample - first) / rate + drift * Double(sample - newest) / rate
    }

    private func deviation(of timestamp: Timestamp, _ sample: Int) -> Double {
        Double(timestamp.nanoseconds - start.nanoseconds) / 1e9 - Double(sample - first) / rate
    }

    /// Sets the line by the sums, of which the newest block has the weight `own`.
    private mutating func solve(_ own: Double) {
        let variance = jitter * jitter
        // In s³: the less the timestamps jitter, the sooner the slope is theirs.
        let prior = own * variance / (Self.expectedDrift * Self.expectedDrift)
        let spread = sumXX - sumX * sumX / weight
        let slope = (sumXY - sumX * sumY / weight + prior * priorDrift) / (spread + prior)
        drift = min(max(slope, -Self.greatestDrift), Self.greatestDrift)
        deviation = (sumY - drift * sumX) / weight
    }
}
