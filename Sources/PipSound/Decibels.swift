internal import Glibc

/// A level or a gain on the logarithmic scale of amplitudes: 0 dB is full scale or unity gain, -6 dB about half of it.
public struct Decibels: Hashable, Sendable, Comparable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
    CustomStringConvertible
{
    /// The value in dB; minus infinity for silence.
    public let value: Float

    /// Full scale, or unity gain.
    public static let zero = Decibels(0)
    /// No sound at all.
    public static let silence = Decibels(-.infinity)

    /// A level of so many dB.
    public init(_ value: Float) { self.value = value }

    /// The level of an amplitude, 1 being full scale.
    public init(amplitude: Float) { value = amplitude > 0 ? 20 * log10f(amplitude) : -.infinity }

    /// `-1.5`.
    public init(floatLiteral value: Float) { self.init(value) }

    /// `-6`.
    public init(integerLiteral value: Int) { self.init(Float(value)) }

    /// The factor by which samples are multiplied, or the level as an amplitude.
    public var amplitude: Float { value == -.infinity ? 0 : powf(10, value / 20) }

    public static func < (left: Decibels, right: Decibels) -> Bool { left.value < right.value }

    /// `-23.0 dB`.
    public var description: String {
        guard value.isFinite else { return value < 0 ? "silence" : "\(value) dB" }
        let tenths = Int((abs(value) * 10).rounded())
        return "\(value < 0 && tenths > 0 ? "-" : "")\(tenths / 10).\(tenths % 10) dB"
    }
}
