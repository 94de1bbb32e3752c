/// The level of one channel over a time.
public struct AudioLevel: Hashable, Sendable {
    /// The root of the mean square; a sine of full scale has -3.0 dB.
    public var rms: Decibels
    /// The largest sample; a sine of full scale has 0 dB.
    public var peak: Decibels

    /// A level by its two measures.
    public init(rms: Decibels, peak: Decibels) {
        self.rms = rms
        self.peak = peak
    }

    /// No sound at all.
    public static let silence = AudioLevel(rms: .silence, peak: .silence)
}
