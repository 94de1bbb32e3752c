internal import PipFrames

/// The request of a camera that shares a bus with other cameras, and the camera's chosen mode.
struct BusDemand {
    var modes: [CameraMode]
    var wish: CameraWish
    /// True for the main picture's camera, which makes each kind of concession after the other cameras.
    var isMain: Bool
    /// The chosen mode; nil when the camera has no mode that the request allows.
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
/// A requested pixel format, size or exact preset is kept, even over budget, because the budget is only an estimate:
/// whether the streams fit is known after `VIDIOC_STREAMON`. The same holds for the present mode of a camera with
/// ``CameraPreset/inputPriority``, whose bandwidth is a guess. A requested rate changes only together with the format,
/// if the camera does not offer JPEG at this rate.
struct JointChoice {
    /// A kind of reduction of a camera's bandwidth.
    enum Concession: Hashable { case rawFormat, size, rate }

    /// The concessions in the order in which they are tried: each step makes the first possible concession.
    static let order: [(concession: Concession, ofMain: Bool)] = [
        (.rawFormat, false), (.rawFormat, true), (.size, false), (.size, true), (.rate, false), (.rate, true),
    ]
    /// The limits of the concessions, which choose no smaller area and no lower rate.
    ///
    /// A compressed mode may keep a size or a rate that is already below its limit.
    ///
    /// Units of the rate: frames a second.
    static let smallest = PixelSize(640, 480)
    static let slowest = 15.0

    /// Reduces the modes in `demands` until the modes fit `budget`, or no concession is left.
    ///
    /// Units of `budget`: bytes a second.
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

    /// The mode that makes the smallest concession of the given kind; nil when no such mode exists.
    private static func lower(_ demand: BusDemand, _ concession: Concession) -> CameraMode? {
        guard let mode = demand.mode, demand.wish.decidingPreset != .inputPriority else { return nil }
        let usable = demand.modes.filter { $0.isUsable && !$0.isEmulated && $0.bytesPerSecond < mode.bytesPerSecond }
        let rate = mode.frameRate?.framesPerSecond ?? 0
        switch concession {
        case .rawFormat:
            guard demand.wish.format == nil, ![.jpeg, .video].contains(DeviceFormat(mode.format)) else { return nil }
            let compressed = usable.filter {
                DeviceFormat($0.format) == .jpeg && $0.size == mode.size
                    && ($0.frameRate?.framesPerSecond ?? 0) >= min(slowest, rate)
            }
            // Among the rates, the nearest to the present rate is the smallest loss.
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
            return slower.fastest
        }
    }
}
