internal import PipFrames
internal import PipSources

/// The drawing of a gauge.
protocol GaugeFace {
    /// Draws what never changes.
    func drawGround(on canvas: GaugeCanvas) throws(SourceError)

    /// Takes the values of a moment.
    ///
    /// - Returns: True when the picture changes with them.
    mutating func take(_ readings: Telemetry.Readings, at now: Timestamp) -> Bool

    /// Draws what the last values changed, over the ground.
    func draw(on canvas: GaugeCanvas) throws(SourceError)
}

/// The colours that all gauges share; they can be read on bright and on dark pictures.
enum GaugeInk {
    static let ground = Color(red: 0.02, green: 0.03, blue: 0.05, alpha: 0.6)
    static let faint = Color(red: 1, green: 1, blue: 1, alpha: 0.28)
    static let mark = Color(red: 1, green: 1, blue: 1, alpha: 0.9)
}
