internal import Glibc

/// The moving parts of one frame, taken together.
public struct PictureMotion: Sendable, Hashable {
    /// The horizontal position of the moving parts' centroid: 0 at the left edge to 1 at the right one.
    public let x: Double
    /// The vertical position of the moving parts' centroid: 0 at the upper edge to 1 at the lower one.
    public let y: Double
    /// The share of the picture that moves, 0…1.
    public let area: Double
    /// The timestamp of the frame in which the motion was seen.
    public let timestamp: Timestamp
}

/// An event of a ``MotionMeter``.
public enum MotionEvent: Sendable, Hashable {
    /// Motion has begun, and was seen in two successive frames.
    case began(PictureMotion)
    /// Motion goes on; reported once for each frame with motion.
    case moved(PictureMotion)
    /// Nothing has moved for ``MotionSensitivity/quiet``, or the scene has changed. Carries the last motion.
    case ended(PictureMotion)
    /// The scene has changed, for example by a cut, another camera, or a hand before the lens. Carries the new scene's
    /// first timestamp.
    case sceneChanged(at: Timestamp)
}

/// The least change that counts as motion.
public struct MotionSensitivity: Sendable, Hashable {
    /// The change of luma, 0…1, above which a pixel of the reduced picture counts as changed.
    ///
    /// A change that the whole picture has in common does not count, such as a passing cloud or a new exposure.
    public var threshold = 0.08
    /// The share of the picture's pixels that must change, 0…1.
    public var smallestArea = 0.004
    /// The time without motion after which a motion has ended.
    public var quiet = Duration.seconds(1)

    /// The default sensitivity, for people in a room.
    public init() {}
}

/// Finds motion and scene changes in a sequence of small grey pictures.
struct MotionWatch {
    /// The size to which pictures are reduced before they are compared.
    static let size = PixelSize(64, 36)
    /// The time constant of the moving average (`reference`) that each picture is compared with, in seconds.
    private static let memory = 0.25
    /// The correlation below which two pictures show different scenes.
    private static let likeness: Float = 0.5
    /// The share of pixels that must change for a scene change.
    ///
    /// A person who enters an empty room changes fewer pixels.
    private static let smallestCut: Float = 0.4
    /// The variance of luma below which a picture is too uniform to be compared.
    private static let flatness: Float = 0.0004

    private let sensitivity: MotionSensitivity
    /// The moving average of the latest pictures.
    private var reference: [Float] = []
    private var last: (luma: [Float], timestamp: Timestamp)?
    /// The last picture before a possible scene change, and the change's timestamp, until the change is confirmed or
    /// dismissed.
    private var scene: (luma: [Float], changed: Timestamp)?
    private var timesMoved = 0
    /// The latest motion; nil before a motion begins, and after its end.
    private var motion: PictureMotion?

    init(_ sensitivity: MotionSensitivity) { self.sensitivity = sensitivity }

    /// Compares the next picture with the pictures before it.
    ///
    /// - Parameters:
    ///   - luma: The luma of each pixel, 0…1, row by row.
    ///   - timestamp: The picture's timestamp.
    /// - Returns: The events of this picture.
    mutating func take(_ luma: [Float], at timestamp: Timestamp) -> [MotionEvent] {
        defer { last = (luma, timestamp) }
        guard let last, last.luma.count == luma.count else {
            reference = luma
            return []
        }
        if let cut = cut(luma, at: timestamp, after: last.luma) { return cut }
        let events = look(luma, at: timestamp)
        let share = Float(1 - exp(-last.timestamp.duration(to: timestamp).inSeconds / Self.memory))
        for index in luma.indices { reference[index] += (luma[index] - reference[index]) * share }
        return events
    }

    /// Returns the events of a scene change, empty while a possible change waits to be confirmed; nil while the scene
    /// is the same.
    private mutating func cut(_ luma: [Float], at timestamp: Timestamp, after last: [Float]) -> [MotionEvent]? {
        let isLikeLast = isAlike(luma, last)
        guard let scene else {
            if !isLikeLast { self.scene = (last, timestamp) }
            return isLikeLast ? nil : []
        }
        // After a flash, the picture again resembles the picture before the flash: no cut.
        //
        // No two successive pictures are alike in a fast pan, so the wait for a cut starts over.
        if isAlike(luma, scene.luma) {
            self.scene = nil
            return nil
        }
        guard isLikeLast else {
            self.scene = (last, timestamp)
            return []
        }
        self.scene = nil
        reference = luma
        return end() + [.sceneChanged(at: scene.changed)]
    }

    private mutating func look(_ luma: [Float], at timestamp: Timestamp) -> [MotionEvent] {
        let changes = zip(luma, reference).map { $0 - $1 }
        // The median change is a change of the light or of the exposure, not motion.
        let common = median(of: changes)
        var (count, sumX, sumY) = (0, 0, 0)
        for (index, change) in changes.enumerated() where abs(change - common) > Float(sensitivity.threshold) {
            count += 1
            sumX += index % Self.size.width
            sumY += index / Self.size.width
        }
        let area = Double(count) / Double(luma.count)
        guard count > 0, area >= sensitivity.smallestArea else {
            timesMoved = 0
            let isQuiet = motion.map { $0.timestamp.duration(to: timestamp) >= sensitivity.quiet } ?? false
            return isQuiet ? end() : []
        }
        timesMoved += 1
        let middle = (Double(sumX) / Double(count) + 0.5, Double(sumY) / Double(count) + 0.5)
        let now = PictureMotion(
            x: middle.0 / Double(Self.size.width), y: middle.1 / Double(Self.size.height), area: area,
            timestamp: timestamp)
        guard motion != nil || timesMoved > 1 else { return [] }
        defer { motion = now }
        return [motion == nil ? .began(now) : .moved(now)]
    }

    /// The median of changes of luma, to within a 512th.
    private func median(of changes: [Float]) -> Float {
        // Changes are -1…1, and a little more in limited range.
        let (least, steps) = (Float(-1.25), Float(512))
        var counts = [Int](repeating: 0, count: 1280)
        for change in changes { counts[min(max(Int((change - least) * steps), 0), counts.count - 1)] += 1 }
        var below = 0
        let index = counts.firstIndex {
            below += $0
            return below > changes.count / 2
        }
        return least + (Float(index ?? 0) + 0.5) / steps
    }

    /// Ends the present motion, and returns the event of its end; returns nothing when there is no motion.
    private mutating func end() -> [MotionEvent] {
        defer { (motion, timesMoved) = (nil, 0) }
        return motion.map { [.ended($0)] } ?? []
    }

    /// True when two pictures show the same scene, even in different light, or are too uniform to be compared.
    private func isAlike(_ first: [Float], _ second: [Float]) -> Bool {
        let count = Float(first.count)
        let means = (first.reduce(0, +) / count, second.reduce(0, +) / count)
        var (own, other, common, changed) = (Float(0), Float(0), Float(0), Float(0))
        for (a, b) in zip(first, second) {
            let (a, b) = (a - means.0, b - means.1)
            own += a * a
            other += b * b
            common += a * b
            if abs(a - b) > Float(sensitivity.threshold) { changed += 1 }
        }
        if max(own, other) / count < Self.flatness || changed / count < Self.smallestCut { return true }
        return common >= Self.likeness * (own * other).squareRoot() && min(own, other) > 0
    }
}
