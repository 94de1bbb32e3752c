internal import Glibc

/// A level or a gain on the logarithmic scale of amplitudes.
///
/// Use it for meters and mixer settings. 0 dB is full scale or unity gain, and -6 dB about half of it.
public struct Decibels: Hashable, Sendable, Comparable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
    CustomStringConvertible
{
    /// The value in dB; minus infinity for silence.
    public let value: Float

    /// Full scale, or unity gain.
    public static let zero = Decibels(0)
    /// The level of silence.
    public static let silence = Decibels(-.infinity)

    /// A level by its value in dB.
    public init(_ value: Float) { self.value = value }

    /// The level of an amplitude, 1 being full scale.
    public init(amplitude: Float) { value = amplitude > 0 ? 20 * log10f(amplitude) : -.infinity }

    /// A level by a literal: `-1.5`.
    public init(floatLiteral value: Float) { self.init(value) }

    /// A level by a literal: `-6`.
    public init(integerLiteral value: Int) { self.init(Float(value)) }

    /// The gain as a factor for samples, or the level as an amplitude.
    public var amplitude: Float { value == -.infinity ? 0 : powf(10, value / 20) }

    public static func < (left: Decibels, right: Decibels) -> Bool { left.value < right.value }

    /// The level as text: `-23.0 dB`.
    public var description: String {
        guard value.isFinite else { return value < 0 ? "silence" : "\(value) dB" }
        let tenths = Int((abs(value) * 10).rounded())
        return "\(value < 0 && tenths > 0 ? "-" : "")\(tenths / 10).\(tenths % 10) dB"
    }
}
