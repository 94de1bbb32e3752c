/// The level of one channel over a time window, as meters show it.
public struct AudioLevel: Hashable, Sendable {
    /// The root mean square; a sine of full scale has -3.0 dB.
    public var rms: Decibels
    /// The largest magnitude of a sample; a sine of full scale has 0 dB.
    public var peak: Decibels

    /// Creates a level from its root mean square and its peak.
    public init(rms: Decibels, peak: Decibels) {
        self.rms = rms
        self.peak = peak
    }

    /// The level of silence: minus infinity dB for the root mean square and the peak.
    public static let silence = AudioLevel(rms: .silence, peak: .silence)
}
