internal import PipFrames

/// Chooses the mode nearest to the request `wish`.
///
/// The first criterion is the size: the smallest sum of the differences in width and height. The second is the rate: at
/// least the requested rate, then an unknown rate, then the highest. The next criteria are the cheapest pixel format,
/// the nearest rate, the fewest bits a pixel, and the driver's order. Emulated modes are a last resort, and so is video
/// such as H.264 unless it is requested.
///
/// - Returns: The best usable mode; nil when no usable mode has the requested pixel format and satisfies the preset.
func chooseMode(_ modes: [CameraMode], _ wish: CameraWish) -> CameraMode? {
    var usable = modes.filter { $0.isUsable && (wish.format == nil || $0.format == wish.format) }
    let direct = usable.filter { !$0.isEmulated }
    if !direct.isEmpty { usable = direct }
    let pictures = usable.filter { DeviceFormat($0.format) != .video }
    if !pictures.isEmpty { usable = pictures }
    var wish = wish
    if let preset = wish.decidingPreset {
        usable = preset.allowed(usable)
        if preset == .high { wish.size = usable.first?.size }
    }
    var best: (mode: CameraMode, rank: ModeRank)?
    for mode in usable {
        guard let rank = ModeRank(mode, wish) else { continue }
        if let best, !(rank < best.rank) { continue }
        best = (mode, rank)
    }
    return best?.mode
}

/// The rank of a mode for a request: the lowest rank is the best.
///
/// The properties are compared in the order of their declarations.
struct ModeRank: Comparable {
    let distance: Int
    /// The class of the mode's frame rate: 0 for fast enough, 1 for unknown, 2 for too slow.
    let speedClass: Int
    let slowness: Double
    let cost: Int
    let excess: Double
    let bits: Int

    init?(_ mode: CameraMode, _ wish: CameraWish) {
        guard let format = DeviceFormat(mode.format) else { return nil }
        let size = wish.aimedSize
        distance = abs(mode.size.width - size.width) + abs(mode.size.height - size.height)
        let wished = wish.aimedFrameRate.framesPerSecond
        // A rate of 29.97 counts as 30.
        let isFastEnough = mode.frameRate.map { $0.framesPerSecond > wished * 0.995 }
        speedClass = isFastEnough.map { $0 ? 0 : 2 } ?? 1
        let rate = mode.frameRate?.framesPerSecond ?? wished
        slowness = speedClass == 2 ? wished - rate : 0
        cost = format.cost
        excess = abs(rate - wished)
        bits = format.bitsPerPixel
    }

    static func < (left: ModeRank, right: ModeRank) -> Bool {
        if left.distance != right.distance { return left.distance < right.distance }
        if left.speedClass != right.speedClass { return left.speedClass < right.speedClass }
        if left.slowness != right.slowness { return left.slowness < right.slowness }
        if left.cost != right.cost { return left.cost < right.cost }
        if left.excess != right.excess { return left.excess < right.excess }
        return left.bits < right.bits
    }
}

/// Chooses the mode to try next on a bus without bandwidth for `mode`: MJPEG, then a lower rate, then a smaller size.
///
/// A lower rate is at least 10 frames a second.
///
/// - Returns: The mode; nil when no such mode exists.
func chooseLighterMode(than mode: CameraMode, among modes: [CameraMode]) -> CameraMode? {
    let usable = modes.filter { $0.isUsable && !$0.isEmulated }
    let rate = mode.frameRate?.framesPerSecond ?? .infinity
    if ![.jpeg, .video].contains(DeviceFormat(mode.format)) {
        let compressed = usable.filter { DeviceFormat($0.format) == .jpeg && $0.size == mode.size }
        let fitting = compressed.filter { ($0.frameRate?.framesPerSecond ?? 0) <= rate * 1.005 }
        if let choice = fitting.fastest { return choice }
    }
    let same = usable.filter { $0.format == mode.format }
    let slower = same.filter { $0.size == mode.size && ($0.frameRate?.framesPerSecond ?? .infinity) < rate }
    // A smaller picture is better than a rate below 10 frames a second.
    if let choice = slower.filter({ ($0.frameRate?.framesPerSecond ?? 0) >= 10 }).fastest { return choice }
    let smaller = same.filter { $0.size.area < mode.size.area }
    guard let size = smaller.map(\.size).max(by: { $0.area < $1.area }) else { return nil }
    return chooseMode(smaller, CameraWish(size: size, frameRate: mode.frameRate, format: mode.format))
}

extension [CameraMode] {
    /// The mode with the highest rate, where an unknown rate counts as 1 frame a second; nil for an empty list.
    var fastest: CameraMode? { self.max { ($0.frameRate ?? FrameRate(1)) < ($1.frameRate ?? FrameRate(1)) } }
}
