/// The settings of one input of a mix: gain, mute and balance.
///
/// The mixer ramps changes over some milliseconds, so that nothing clicks.
public struct AudioInputSettings: Hashable, Sendable {
    /// The gain of the input; 0 dB leaves the sound unchanged.
    public var gain: Decibels
    /// True to silence the input.
    public var isMuted: Bool
    /// The position in a stereo mix, from -1 (left alone) to 1 (right alone).
    ///
    /// Mixes with another number of channels than two ignore the balance.
    public var balance: Float

    /// Creates settings; the defaults are unity gain, not muted, in the middle.
    public init(gain: Decibels = 0, isMuted: Bool = false, balance: Float = 0) {
        self.gain = gain
        self.isMuted = isMuted
        self.balance = balance
    }

    /// The gain factors of an output's channels, from gain and balance; the mute is not applied.
    func factors(channels: Int) -> SIMD8<Float> {
        let amplitude = gain.amplitude
        var factors = SIMD8<Float>(repeating: amplitude.isFinite ? amplitude : 0)
        guard channels == 2, balance.isFinite else { return factors }
        factors[0] *= min(1, max(0, 1 - balance))
        factors[1] *= min(1, max(0, 1 + balance))
        return factors
    }
}
