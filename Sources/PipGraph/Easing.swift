/// An easing function: maps the elapsed share of an animation's duration to the animation's progress.
///
/// Source: W3C CSS Easing Functions Level 1, "cubic-bezier()" and its keywords.
public enum Easing: String, Sendable, CaseIterable {
    /// The motion has constant speed.
    case linear
    /// The motion begins slowly: `cubic-bezier(0.42, 0, 1, 1)`.
    case easeIn = "ease-in"
    /// The motion ends slowly: `cubic-bezier(0, 0, 0.58, 1)`.
    case easeOut = "ease-out"
    /// The motion begins and ends slowly: `cubic-bezier(0.42, 0, 0.58, 1)`.
    case easeInOut = "ease-in-out"

    /// The animation's progress after a share of its duration.
    ///
    /// - Parameter time: The elapsed share of the duration, clamped to 0…1.
    /// - Returns: The progress, from 0 at the start to 1 at the end.
    public func progress(at time: Double) -> Double {
        let time = min(max(time, 0), 1)
        switch self {
        case .linear: return time
        case .easeIn: return Self.bezier(x1: 0.42, x2: 1, at: time)
        case .easeOut: return Self.bezier(x1: 0, x2: 0.58, at: time)
        case .easeInOut: return Self.bezier(x1: 0.42, x2: 0.58, at: time)
        }
    }

    /// The y of the cubic Bézier curve from (0, 0) to (1, 1) at a given x.
    ///
    /// The curve's control points are (x1, 0) and (x2, 1).
    private static func bezier(x1: Double, x2: Double, at x: Double) -> Double {
        if x <= 0 || x >= 1 { return x }
        func value(_ first: Double, _ second: Double, _ t: Double) -> Double {
            ((1 + 3 * first - 3 * second) * t + 3 * second - 6 * first) * t * t + 3 * first * t
        }
        // x grows with t, so that bisection finds t at any slope, here to 48 bits.
        var (low, high) = (0.0, 1.0)
        for _ in 0..<48 {
            let middle = (low + high) / 2
            if value(x1, x2, middle) < x { low = middle } else { high = middle }
        }
        return value(0, 1, (low + high) / 2)
    }
}
