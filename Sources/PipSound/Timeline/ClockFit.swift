internal import PipFrames

/// A model of a device's clock: a line through the timestamps of its blocks, which gives each sample a time.
///
/// The line is a least-squares fit with weights that decay with age. At first all blocks count, later those of the last
/// ``memory`` seconds, so that the line follows a quartz that warms up. A prior holds the slope near the expected drift
/// until there is evidence. A residual that differs from the recent residuals by more than ``outlier`` is clipped, so
/// that a single late timestamp hardly moves the line. ``recentResidual`` shows timestamps that stay off the line.
///
/// Source: Huber, "Robust Estimation of a Location Parameter"; exponentially weighted recursive least squares.
struct ClockFit: Sendable {
    /// The time constant of the weights' decay, in seconds.
    static let memory = 30.0
    /// The largest difference from ``recentResidual`` that counts in full, in seconds.
    static let outlier = 0.01
    /// The time constant of ``recentResidual``, in seconds; shorter disturbances count as noise.
    private static let attention = 0.25
    /// The greatest relative deviation of a device's rate.
    static let greatestDrift = 0.005
    /// The standard deviation of the drift that the prior assumes.
    private static let expectedDrift = 200e-6
    /// The jitter assumed at the start, in seconds.
    private static let expectedJitter = 0.002
    /// The weight of the assumed jitter, in seconds of sound.
    private static let expectedJitterWeight = 0.1

    /// The nominal sample rate.
    ///
    /// Units: hertz.
    private let rate: Double
    private let priorDrift: Double
    /// The number of the first sample.
    private let first: Int
    /// The nominal time of the first sample.
    private let start: Timestamp
    /// The number of the sample at which the abscissa is zero: the first sample of the newest block.
    private var newest: Int
    // Weighted sums over all blocks. x is the sample's nominal time relative to the newest block, and y the deviation
    // of the timestamp from the nominal time, both in seconds.
    private var weight = 0.0
    private var sumX = 0.0
    private var sumY = 0.0
    private var sumXX = 0.0
    private var sumXY = 0.0
    /// The weighted sum of squared residuals, which begins with the assumed jitter.
    private var sumOfSquares = expectedJitterWeight * expectedJitter * expectedJitter
    /// The mean residual of the newest blocks, in seconds, with weights that decay within ``attention``.
    private(set) var recentResidual = 0.0
    /// The difference of the line from the nominal time at the sample ``newest``, in seconds.
    private var deviation = 0.0
    /// The line's slope: the relative excess of a sample's duration.
    private(set) var drift: Double

    /// - Parameters:
    ///   - rate: The nominal sample rate, in hertz.
    ///   - first: The number of the first sample.
    ///   - start: The first block's timestamp.
    ///   - drift: The expected slope, from an earlier fit.
    init(rate: Int, first: Int, start: Timestamp, drift: Double = 0) {
        self.rate = Double(rate)
        self.first = first
        self.start = start
        newest = first
        priorDrift = drift
        self.drift = drift
    }

    /// The difference of a timestamp from the time that the line gives the sample, in seconds.
    func residual(of timestamp: Timestamp, sample: Int) -> Double {
        deviation(of: timestamp, sample) - deviation - drift * Double(sample - newest) / rate
    }

    /// The standard deviation of timestamps from the line, in seconds.
    var jitter: Double { (sumOfSquares / (weight + Self.expectedJitterWeight)).squareRoot() }

    /// Adds a block, given by the number of its first sample, its timestamp and its length in samples.
    mutating func add(sample: Int, timestamp: Timestamp, count: Int) {
        let residual = residual(of: timestamp, sample: sample)
        let own = Double(count) / rate
        recentResidual += (residual - recentResidual) * own / (own + Self.attention)
        let difference = residual - recentResidual
        let excess = difference - min(max(difference, -Self.outlier), Self.outlier)
        let y = deviation(of: timestamp, sample) - excess
        let step = Double(sample - newest) / rate
        let decay = 1 / (1 + step / Self.memory)
        // The abscissae of earlier blocks move back by the step, because the newest block is at zero.
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

    /// The sample at a time, as a fractional number; the time is in seconds after the start of `clock`.
    func sample(at seconds: Double, of clock: SampleClock) -> Double {
        let elapsed = seconds - clock.seconds(at: start) - deviation
        return Double(newest) + (elapsed - Double(newest - first) / rate) / (1 + drift) * rate
    }

    /// The time of a sample, in seconds after the start of `clock`.
    func seconds(ofSample sample: Int, of clock: SampleClock) -> Double {
        clock.seconds(at: start) + deviation + Double(sample - first) / rate + drift * Double(sample - newest) / rate
    }

    private func deviation(of timestamp: Timestamp, _ sample: Int) -> Double {
        Double(timestamp.nanoseconds - start.nanoseconds) / 1e9 - Double(sample - first) / rate
    }

    /// Fits the line to the sums, in which the newest block has the weight `own`.
    private mutating func solve(_ own: Double) {
        let variance = jitter * jitter
        // The weight of the prior, in s³: the less the timestamps jitter, the sooner they determine the slope.
        let prior = own * variance / (Self.expectedDrift * Self.expectedDrift)
        let spread = sumXX - sumX * sumX / weight
        let slope = (sumXY - sumX * sumY / weight + prior * priorDrift) / (spread + prior)
        drift = min(max(slope, -Self.greatestDrift), Self.greatestDrift)
        deviation = (sumY - drift * sumX) / weight
    }
}
