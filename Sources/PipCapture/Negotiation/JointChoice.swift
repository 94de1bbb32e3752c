internal import PipFrames

/// A camera that is to share a bus with others.
struct BusDemand {
    var modes: [CameraMode]
    var wish: CameraWish
    /// Whether the picture rests on it: the others give up first.
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

/// Chooses the modes of all cameras of a bus together, so that they fit.
///
/// What a user has asked for by name is kept: the budget is an estimate, and starting the stream tells the truth.
struct JointChoice {
    /// What a camera can give up.
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
            guard demand.wish.format == nil, DeviceFormat(mode.format) != .jpeg else { return nil }
            let compressed = usable.filter { DeviceFormat($0.format) == .jpeg && $0.size == mode.size }
            // As fast as before, if it can be.
            return compressed.min {
                abs(($0.frameRate?.framesPerSecond ?? 0) - rate) < abs(($1.frameRate?.framesPerSecond ?? 0) - rate)
            }
        case .size:
            guard demand.wish.size == nil else { return nil }
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

extension CameraDirectory {
    /// What cameras in their modes ask of the buses that they are on; only of those whose speed is known.
    public func busLoads(of cameras: [(device: CameraDevice, mode: CameraMode)]) -> [BusLoad] {
        let groups = Dictionary(grouping: cameras) { $0.device.hostController }
        return groups.keys.sorted().compactMap { controller in
            guard let members = groups[controller], let budget = budget(of: members.map(\.device)) else { return nil }
            let bytes = members.reduce(0) { $0 + $1.mode.bytesPerSecond }
            return BusLoad(controller: controller, bytesPerSecond: bytes, budget: budget)
        }
    }

    /// The wishes of cameras that are to run together, lowered where they share a bus that has no room for all of them.
    ///
    /// The first is the main one. A camera that is not there, or shares no bus, keeps its wish.
    package func jointWishes(_ wishes: [(selector: CameraSelector, wish: CameraWish)]) -> [CameraWish] {
        var result = wishes.map(\.wish)
        let devices = wishes.map { try? camera(matching: $0.selector) }
        let indices = devices.indices.filter { devices[$0]?.usb != nil }
        let groups = Dictionary(grouping: indices) { devices[$0]?.hostController ?? "" }
        for group in groups.values where group.count > 1 {
            guard let budget = budget(of: group.compactMap { devices[$0] }) else { continue }
            var demands = group.map { index in
                let modes = devices[index].flatMap { try? self.modes(of: $0, near: wishes[index].wish.size) } ?? []
                return BusDemand(modes: modes, wish: wishes[index].wish, isMain: index == 0)
            }
            let before = demands.map(\.mode)
            JointChoice.fit(&demands, budget: budget)
            for (place, index) in group.enumerated() where demands[place].mode != before[place] {
                guard let mode = demands[place].mode else { continue }
                (result[index].format, result[index].size) = (mode.format, mode.size)
                result[index].frameRate = mode.frameRate ?? result[index].frameRate
            }
        }
        return result
    }

    /// What the bus of some cameras carries, by its slowest link; nil when that is not known.
    private func budget(of devices: [CameraDevice]) -> Double? {
        let speeds = devices.map { device in
            let name = device.path.split(separator: "/").last ?? ""
            return calls.text(of: "/sys/class/video4linux/\(name)/device/../speed").flatMap { Int($0) }
        }
        guard let slowest = speeds.compactMap(\.self).min(), slowest > 0 else { return nil }
        return BusLoad.budget(ofSpeed: slowest)
    }
}
