public import PipFrames

/// An instrument that shows values: a dial, a meter of accelerations, or the way driven.
///
/// Pass a gauge to a ``GaugeSource``.
public struct Gauge: Sendable, Hashable {
    /// The kind of an instrument, with the names of its values.
    public enum Face: Sendable, Hashable {
        /// A round scale over a range, with the number and its unit in the middle.
        case dial(_ value: String, in: ClosedRange<Double>, unit: String = "")
        /// A point among circles, the largest of which has a radius of `reach` units.
        ///
        /// The value `right` moves the point to the right, and `up` upwards. A minus sign before a name turns its
        /// direction.
        case meter(right: String, up: String, reach: Double)
        /// The way that a receiver has taken, north up.
        case way(latitude: String = "latitude", longitude: String = "longitude")
    }

    /// The allowed widths of scales.
    private static let widths = 1e-6...1e12

    /// The allowed values of ``size``, in pixels.
    public static let sizes = 48...1024

    /// The instrument.
    public var face: Face
    /// The width and the height in pixels.
    public var size: Int
    /// The colour of what moves; all else is white on a dark ground.
    public var color: Color

    /// Creates a gauge.
    public init(_ face: Face, size: Int = 200, color: Color = Color(red: 1, green: 0.62, blue: 0.1)) {
        (self.face, self.size, self.color) = (face, size, color)
    }

    /// The reason why the gauge cannot be drawn, as a sentence without its full stop; nil if it can.
    package var mistake: String? {
        guard Self.sizes.contains(size) else {
            return "its size is \(size) pixels, but must be \(Self.sizes.lowerBound) to \(Self.sizes.upperBound)"
        }
        switch face {
        case .dial(_, let range, _):
            let width = range.upperBound - range.lowerBound
            return Self.widths.contains(width) ? nil : "its scale must be a millionth wide at least"
        case .meter(_, _, let reach):
            return Self.widths.contains(reach) ? nil : "its reach must be a millionth at least"
        case .way: return nil
        }
    }

    /// The names of the values.
    package var names: Set<String> {
        switch face {
        case .dial(let value, _, _): [value]
        case .meter(let right, let up, _): [SignedName(right).name, SignedName(up).name]
        case .way(let latitude, let longitude): [latitude, longitude]
        }
    }
}

/// The name of a value whose direction may be turned: `-g.y`.
struct SignedName: Hashable {
    let name: String
    let isTurned: Bool

    init(_ text: String) {
        isTurned = text.hasPrefix("-")
        name = isTurned ? String(text.dropFirst()) : text
    }

    /// The value, with its sign; nil while it is not known or has outlived its validity.
    func value(in readings: Telemetry.Readings, at now: Timestamp) -> Double? {
        readings.number(name, at: now).map { isTurned ? -$0 : $0 }
    }
}

extension Telemetry.Readings {
    /// The present number of a name; nil for a text, an unknown name, and a number that has outlived its validity.
    func number(_ name: String, at now: Timestamp) -> Double? {
        guard let reading = all[name], reading.overdue(at: now) == nil, case .number(let number) = reading.value else {
            return nil
        }
        return number
    }

    /// The next time at which one of some values outlives its validity; nil if none will.
    func expiry(of names: Set<String>, after now: Timestamp) -> Timestamp? {
        names.compactMap { name in
            guard let reading = all[name], let validity = reading.validity, reading.overdue(at: now) == nil else {
                return nil
            }
            return reading.time.advanced(by: validity + .milliseconds(1))
        }.min()
    }
}
