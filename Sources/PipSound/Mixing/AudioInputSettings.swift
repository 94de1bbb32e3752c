/// The settings of one input of a mix; changes are ramped.
public struct AudioInputSettings: Hashable, Sendable {
    /// The gain.
    public var gain: Decibels
    /// True to silence the input.
    public var isMuted: Bool
    /// The place between the channels of a stereo mix, from -1 (left alone) to 1 (right alone); other mixes have none.
    public var balance: Float

    /// Settings by their values; unity gain in the middle, unless told otherwise.
    public init(gain: Decibels = 0, isMuted: Bool = false, balance: Float = 0) {
        self.gain = gain
        self.isMuted = isMuted
        self.balance = balance
    }

    /// The factors of an output's channels.
    func factors(channels: Int) -> SIMD8<Float> {
        let amplitude = gain.amplitude
        var factors = SIMD8<Float>(repeating: amplitude.isFinite ? amplitude : 0)
        guard channels == 2, balance.isFinite else { return factors }
        factors[0] *= min(1, max(0, 1 - balance))
        factors[1] *= min(1, max(0, 1 + balance))
        return factors
    }
}
