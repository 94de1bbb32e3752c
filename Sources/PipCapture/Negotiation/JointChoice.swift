internal import PipFrames

/// A camera that is to share a bus with others.
struct BusDemand {
    var modes: [CameraMode]
    var wish: CameraWish
    /// True for the main picture's camera, which gives way last.
    var isMain: Bool
    /// Its mode for now; nil when it has none that can be used.
    var mode: CameraMode?

    init(modes: [CameraMode], wish: CameraWish, isMain: Bool) {
        self.modes = modes
        self.wish = wish
        self.isMain = isMain
        mode = chooseMode(modes, wish)
    }
}

/// Chooses modes for all cameras of a bus together, within its bandwidth.
///
/// Explicit wishes are kept: the budget is an estimate, and `VIDIOC_STREAMON` has the last word.
struct JointChoice {
    /// A step by which a camera reduces its bandwidth.
    enum Concession: Hashable { case rawFormat, size, rate }

    /// In this order, one step at a time, the first that is possible.
    static let order: [(concession: Concession, ofMain: Bool)] = [
        (.rawFormat, false), (.rawFormat, true), (.size, false), (.size, true), (.rate, false), (.rate, true),
    ]
    /// No camera is made smaller or slower than this.
    static let smallest = PixelSize(640, 480)
    static let slowest = 15.0

    /// Lowers demands until they fit, or nothing is left to give up.
    static func fit(_ demands: inout [BusDemand], budget: Double) {
        while demands.reduce(0, { $0 + ($1.mode?.bytesPerSecond ?? 0) }) > budget {
            guard takeStep(&demands) else { return }
        }
    }

    private static func takeStep(_ demands: inout [BusDemand]) -> Bool {
        for (concession, ofMain) in order {
            for index in demands.indices.reversed() where demands[index].isMain == ofMain {
                guard let lower = lower(demands[index], concession) else { continue }
                demands[index].mode = lower
                return true
            }
        }
        return false
    }

    /// The mode that gives up as little as possible of one thing; nil when nothing is left of it to give up.
    private static func lower(_ demand: BusDemand, _ concession: Concession) -> CameraMode? {
        guard let mode = demand.mode else { return nil }
        let usable = demand.modes.filter { $0.isUsable && !$0.isEmulated && $0.bytesPerSecond < mode.bytesPerSecond }
        let rate = mode.frameRate?.framesPerSecond ?? 0
        switch concession {
        case .rawFormat:
            guard demand.wish.format == nil, ![.jpeg, .video].contains(DeviceFormat(mode.format)) else { return nil }
            let compressed = usable.filter { DeviceFormat($0.format) == .jpeg && $0.size == mode.size }
            // As fast as before, if it can be.
            return compressed.min {
                abs(($0.frameRate?.framesPerSecond ?? 0) - rate) < abs(($1.frameRate?.framesPerSecond ?? 0) - rate)
            }
        case .size:
            guard demand.wish.size == nil, demand.wish.preset?.exactSize == nil else { return nil }
            let smaller = usable.filter {
                $0.format == mode.format && $0.frameRate == mode.frameRate && $0.size.area < mode.size.area
                    && $0.size.area >= smallest.area
            }
            return smaller.max { $0.size.area < $1.size.area }
        case .rate:
            guard demand.wish.frameRate == nil else { return nil }
            let slower = usable.filter {
                $0.format == mode.format && $0.size == mode.size && ($0.frameRate?.framesPerSecond ?? 0) >= slowest
            }
            return slower.max { ($0.frameRate ?? FrameRate(1)) < ($1.frameRate ?? FrameRate(1)) }
        }
    }
}
