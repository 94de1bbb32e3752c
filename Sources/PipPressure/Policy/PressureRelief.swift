package import PipFrames

/// The combined effect of all mitigations in force.
package struct PressureRelief: Sendable, Hashable {
    /// The highest frame rate of inset cameras; nil keeps the configured one.
    package var insetRate: FrameRate?
    /// The highest output frame rate; nil keeps the configured one.
    package var mainRate: FrameRate?
    /// The quality at which effects are drawn.
    package var effects = EffectQuality.full
    /// The reduction of recordings and streams.
    package var encoding = EncodingRelief.none
    /// The largest size of inset cameras; nil keeps the configured one.
    package var insetSize: PixelSize?
    /// The largest size of the main camera; nil keeps the configured one.
    package var mainSize: PixelSize?
    /// True when inset cameras are switched off.
    package var insetIsOff = false
    /// True when drawing pauses until the pressure falls.
    package var isPaused = false
    /// True when the session ends, with its files finished.
    package var isStopped = false

    /// No mitigation in force.
    package init() {}

    /// Adds a mitigation.
    ///
    /// Of two of a kind, the stronger one counts.
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

/// The reduction of recordings and streams.
package struct EncodingRelief: Sendable, Hashable {
    /// The share of its bit rate at which each one is encoded.
    package var bitRateShare = 1.0
    /// True when encoders do as little work as possible.
    package var isFastest = false

    /// No reduction.
    package static let none = EncodingRelief()

    /// - Parameters:
    ///   - bitRateShare: The share of its bit rate at which each one is encoded.
    ///   - isFastest: True when encoders do as little work as possible.
    package init(bitRateShare: Double = 1, isFastest: Bool = false) {
        self.bitRateShare = bitRateShare
        self.isFastest = isFastest
    }
}
