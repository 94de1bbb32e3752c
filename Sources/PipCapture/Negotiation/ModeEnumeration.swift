internal import CV4L2
internal import PipFrames
internal import SystemPackage

/// Lists a device's modes: every pixel format in every size at every frame rate.
///
/// Source: Linux userspace API, "ioctl VIDIOC_ENUM_FMT", "…_FRAMESIZES", "…_FRAMEINTERVALS".
struct ModeEnumeration {
    let device: V4L2Device
    let bufferType: v4l2_buf_type

    /// The most entries that are read from a list, because some drivers never end their lists.
    private static let limit = UInt32(1000)
    /// The most modes in total, because endless lists may be nested.
    static let mostModes = 10_000

    /// The sizes to offer for a driver that accepts a range of sizes.
    static let commonSizes = [
        PixelSize(160, 120), PixelSize(320, 180), PixelSize(320, 240), PixelSize(640, 360), PixelSize(640, 480),
        PixelSize(800, 600), PixelSize(848, 480), PixelSize(960, 540), PixelSize(1024, 768), PixelSize(1280, 720),
        PixelSize(1280, 960), PixelSize(1600, 1200), PixelSize(1920, 1080), PixelSize(2560, 1440),
        PixelSize(3840, 2160), PixelSize(4096, 2160),
    ]

    /// The rates to offer for a driver that accepts a range of rates.
    static let commonRates = [
        FrameRate(1), FrameRate(5), FrameRate(10), FrameRate(15), FrameRate(20), FrameRate(24000, per: 1001),
        FrameRate(24), FrameRate(25), FrameRate(30000, per: 1001), FrameRate(30), FrameRate(50),
        FrameRate(60000, per: 1001), FrameRate(60), FrameRate(90), FrameRate(120),
    ]

    /// All modes, in the driver's order of formats; a range of sizes or rates contributes common values and `wish`.
    func modes(near wish: CameraWish) -> [CameraMode] {
        var modes: [CameraMode] = []
        for format in formats {
            let fourCC = FourCC(rawValue: format.pixelformat)
            let isEmulated = format.flags & UInt32(V4L2_FMT_FLAG_EMULATED) != 0
            for size in sizes(of: fourCC, near: wish.aimedSize) {
                for rate in rates(of: fourCC, size, near: wish.aimedFrameRate) {
                    guard modes.count < Self.mostModes else { return modes }
                    modes.append(CameraMode(format: fourCC, size: size, frameRate: rate, isEmulated: isEmulated))
                }
            }
        }
        return modes
    }

    /// The driver's flags of a format; 0 for a format that the driver does not list.
    func flags(of fourCC: FourCC) -> UInt32 {
        formats.first { $0.pixelformat == fourCC.rawValue }?.flags ?? 0
    }

    private var formats: [v4l2_fmtdesc] {
        var formats: [v4l2_fmtdesc] = []
        for index in 0..<Self.limit {
            var format = v4l2_fmtdesc()
            format.index = index
            format.type = bufferType.rawValue
            if device.perform(.enumerateFormats, &format) != nil { break }
            formats.append(format)
        }
        return formats
    }

    private func sizes(of format: FourCC, near wish: PixelSize) -> [PixelSize] {
        var sizes: [PixelSize] = []
        for index in 0..<Self.limit {
            var entry = v4l2_frmsizeenum()
            entry.index = index
            entry.pixel_format = format.rawValue
            if device.perform(.enumerateSizes, &entry) != nil { break }
            guard entry.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue else {
                return SizeRange(entry.stepwise).sizes(near: [wish, signalSize].compactMap(\.self) + Self.commonSizes)
            }
            let size = PixelSize(Int(entry.discrete.width), Int(entry.discrete.height))
            if size.area > 0 { sizes.append(size) }
        }
        // An input that takes its size from the signal lists no sizes.
        guard sizes.isEmpty, let present = signalSize ?? device.pictureSize(bufferType), present.area > 0 else {
            return sizes
        }
        return [present]
    }

    private func rates(of format: FourCC, _ size: PixelSize, near wish: FrameRate) -> [FrameRate?] {
        var rates: [FrameRate] = []
        for index in 0..<Self.limit {
            var entry = v4l2_frmivalenum()
            entry.index = index
            entry.pixel_format = format.rawValue
            entry.width = UInt32(clamping: size.width)
            entry.height = UInt32(clamping: size.height)
            if device.perform(.enumerateIntervals, &entry) != nil { break }
            guard entry.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue else {
                return Self.rates(in: entry.stepwise, near: wish)
            }
            if let rate = FrameRate(interval: entry.discrete) { rates.append(rate) }
        }
        return rates.isEmpty ? [DigitalTimings(device)?.frameRate] : rates
    }

    /// The requested rate and the common rates within a range of frame intervals, with both ends of the range.
    ///
    /// The rates are sorted. An invalid range gives one unknown rate: nil.
    static func rates(in range: v4l2_frmival_stepwise, near wish: FrameRate) -> [FrameRate?] {
        guard let fastest = FrameRate(interval: range.min), let slowest = FrameRate(interval: range.max),
            slowest <= fastest
        else { return [nil] }
        let inside = ([wish] + commonRates).filter { slowest < $0 && $0 < fastest }
        return Set(inside + [slowest, fastest]).sorted()
    }

    private var signalSize: PixelSize? { DigitalTimings(device)?.size }
}

/// A range of sizes that a driver accepts, in steps.
struct SizeRange {
    let minimum: PixelSize
    let maximum: PixelSize
    let step: PixelSize

    init(minimum: PixelSize, maximum: PixelSize, step: PixelSize) {
        self.minimum = minimum
        self.maximum = maximum
        self.step = step
    }

    init(_ range: v4l2_frmsize_stepwise) {
        minimum = PixelSize(Int(range.min_width), Int(range.min_height))
        maximum = PixelSize(Int(range.max_width), Int(range.max_height))
        step = PixelSize(max(1, Int(range.step_width)), max(1, Int(range.step_height)))
    }

    /// The sizes of the range that are nearest to the given sizes, each once.
    func sizes(near wishes: [PixelSize]) -> [PixelSize] {
        var sizes: [PixelSize] = []
        for wish in wishes {
            let size = PixelSize(
                Self.nearest(wish.width, minimum.width, maximum.width, step.width),
                Self.nearest(wish.height, minimum.height, maximum.height, step.height))
            if size.area > 0, !sizes.contains(size) { sizes.append(size) }
        }
        return sizes
    }

    private static func nearest(_ wish: Int, _ low: Int, _ high: Int, _ step: Int) -> Int {
        guard wish > low, high > low else { return low }
        let steps = (min(wish, high) - low + step / 2) / step
        return low + min(steps, (high - low) / step) * step
    }
}
