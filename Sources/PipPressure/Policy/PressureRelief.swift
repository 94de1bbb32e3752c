package import PipFrames

/// The combined effect of all mitigations in force.
package struct PressureRelief: Sendable, Hashable {
    /// The most frames a second of an inset camera; nil: as configured.
    package var insetRate: FrameRate?
    /// The most output frames a second; nil: as configured.
    package var mainRate: FrameRate?
    /// The quality at which effects are drawn.
    package var effects = EffectQuality.full
    /// The largest size of an inset camera; nil: as configured.
    package var insetSize: PixelSize?
    /// The largest size of the main camera; nil: as configured.
    package var mainSize: PixelSize?
    /// True when inset cameras are switched off.
    package var insetIsOff = false
    /// True when drawing pauses until the pressure falls.
    package var isPaused = false
    /// True when the session ends, its files finished.
    package var isStopped = false

    /// Nothing is given up.
    package init() {}

    /// Adds a mitigation; of two of a kind the stronger counts.
    package mutating func take(_ mitigation: PressureMitigation) {
        switch mitigation {
        case .insetRate(let rate): insetRate = min(insetRate ?? rate, rate)
        case .mainRate(let rate): mainRate = min(mainRate ?? rate, rate)
        case .effects(let quality): effects = min(effects, quality)
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
