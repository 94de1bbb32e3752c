package import PipFrames

/// The combined effect of all mitigations in force.
package struct PressureRelief: Sendable, Hashable {
    /// The highest frame rate of inset cameras; nil applies ``mainRate`` to them, too.
    package var insetRate: FrameRate?
    /// The highest frame rate of the output and of cameras without another limit; nil keeps the configured one.
    package var mainRate: FrameRate?
    /// The highest quality at which effects are drawn.
    package var effects = EffectQuality.full
    /// The reduced settings of recordings and streams.
    package var encoding = EncodingRelief.none
    /// The size to which inset cameras with more pixels are set; nil keeps their configured sizes.
    package var insetSize: PixelSize?
    /// The size to which a main camera with more pixels is set; nil keeps its configured size.
    package var mainSize: PixelSize?
    /// True when inset cameras are switched off.
    package var insetIsOff = false
    /// True when all cameras are switched off and one frame a second is drawn.
    package var isPaused = false
    /// True when the session must finish its files and end.
    package var isStopped = false

    /// Creates the relief without any mitigation.
    package init() {}

    /// Adds a mitigation.
    ///
    /// Of two mitigations of the same kind, the stronger one counts.
    package mutating func take(_ mitigation: PressureMitigation) {
        switch mitigation {
        case .insetRate(let rate): insetRate = min(insetRate ?? rate, rate)
        case .mainRate(let rate): mainRate = min(mainRate ?? rate, rate)
        case .effects(let quality): effects = min(effects, quality)
        case .bitRate(let share): encoding.bitRateShare = min(encoding.bitRateShare, share)
        case .fastEncoding: encoding.isFastest = true
        case .insetResolution(let size): insetSize = Self.smaller(insetSize, size)
        case .mainResolution(let size): mainSize = Self.smaller(mainSize, size)
        case .insetOff: insetIsOff = true
        case .pause: isPaused = true
        case .stop: isStopped = true
        }
    }

    private static func smaller(_ known: PixelSize?, _ size: PixelSize) -> PixelSize {
        guard let known, known.area < size.area else { return size }
        return known
    }
}

/// The reduced settings of recordings and streams.
package struct EncodingRelief: Sendable, Hashable {
    /// The share of its configured bit rate or quality at which each recording or stream is encoded, from 0 to 1.
    package var bitRateShare = 1.0
    /// True when encoders do as little work as their streams' parameter sets allow.
    package var isFastest = false

    /// No reduction: the configured bit rate or quality, and the encoders' configured speed.
    package static let none = EncodingRelief()

    /// - Parameters:
    ///   - bitRateShare: The share of its configured bit rate or quality at which each recording or stream is encoded,
    ///     from 0 to 1.
    ///   - isFastest: True when encoders do as little work as their streams' parameter sets allow.
    package init(bitRateShare: Double = 1, isFastest: Bool = false) {
        self.bitRateShare = bitRateShare
        self.isFastest = isFastest
    }
}
