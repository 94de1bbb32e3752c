internal import Glibc

/// A level or a gain on the logarithmic scale of amplitudes.
///
/// Use decibels for meters and mixer settings. 0 dB is full scale or unity gain; -6 dB is about half of the amplitude.
public struct Decibels: Hashable, Sendable, Comparable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
    CustomStringConvertible
{
    /// The value in dB; minus infinity for silence.
    public let value: Float

    /// Full scale, or unity gain.
    public static let zero = Decibels(0)
    /// The level of silence: minus infinity dB.
    public static let silence = Decibels(-.infinity)

    /// Creates a level from its value in dB.
    public init(_ value: Float) { self.value = value }

    /// Creates a level from an amplitude, where 1 is full scale; an amplitude of 0 or less gives ``silence``.
    public init(amplitude: Float) { value = amplitude > 0 ? 20 * log10f(amplitude) : -.infinity }

    /// Creates a level from a literal in dB, such as `-1.5`.
    public init(floatLiteral value: Float) { self.init(value) }

    /// Creates a level from a literal in dB, such as `-6`.
    public init(integerLiteral value: Int) { self.init(Float(value)) }

    /// The factor by which a gain multiplies samples, or the amplitude of a level; 1 for 0 dB.
    public var amplitude: Float { value == -.infinity ? 0 : powf(10, value / 20) }

    public static func < (left: Decibels, right: Decibels) -> Bool { left.value < right.value }

    /// The level as text: `-23.0 dB`, or `silence` for minus infinity.
    public var description: String {
        guard value.isFinite else { return value < 0 ? "silence" : "\(value) dB" }
        let tenths = Int((abs(value) * 10).rounded())
        return "\(value < 0 && tenths > 0 ? "-" : "")\(tenths / 10).\(tenths % 10) dB"
    }
}
