/// A condition that a picture must meet to be taken, for outputs with one picture in each interval.
public enum PictureCondition: Sendable, Hashable {
    /// The picture's brightness, from 0 for black to 1 for white, is above this value.
    case light(above: Double)
    /// The share of the picture, 0…1, that differs from the interval before is above this value.
    ///
    /// A change that the whole picture has in common does not count, such as a passing cloud. The first picture always
    /// meets the condition.
    case motion(above: Double)
}

/// Decides which frames meet a condition.
struct PictureFilter {
    /// The change of a sample, 0…1, that counts as motion.
    private static let threshold = MotionSensitivity().threshold

    private let condition: PictureCondition
    /// The luma samples of the latest frame; empty before the first frame.
    private var latest: [Double] = []

    init(_ condition: PictureCondition) { self.condition = condition }

    /// Checks a frame, which later frames are compared with.
    ///
    /// - Returns: True when the frame meets the condition.
    mutating func takes(_ frame: Frame) -> Bool {
        switch condition {
        case .light(let least): return frame.brightness > least
        case .motion(let least):
            let samples = frame.lumaSamples
            defer { latest = samples }
            guard latest.count == samples.count else { return true }
            let changes = zip(samples, latest).map { $0 - $1 }
            let common = changes.sorted()[changes.count / 2]
            let moved = changes.count { abs($0 - common) > Self.threshold }
            return Double(moved) > least * Double(changes.count)
        }
    }
}
