import CV4L2
import PipFrames
import PipTestSupport
import SystemPackage

@testable import PipCapture

/// A generator of random drivers and requests: usual ones, incomplete ones, and ones that lie.
struct RandomCamera {
    private static let formats = [
        "YUYV", "UYVY", "YVYU", "NV12", "NV21", "YU12", "YV12", "NV16", "MJPG", "JPEG", "GREY", "RGB3", "BGR3", "BA81",
        "pRAA",
        "H264", "Z16 ", "NM12", "YM12",
    ]
    private static let adjusted: [Int64] =
        [
            V4L2_CID_EXPOSURE_AUTO, V4L2_CID_EXPOSURE_ABSOLUTE, V4L2_CID_EXPOSURE_AUTO_PRIORITY,
            V4L2_CID_AUTO_EXPOSURE_BIAS,
            V4L2_CID_EXPOSURE_METERING, V4L2_CID_ISO_SENSITIVITY, V4L2_CID_ISO_SENSITIVITY_AUTO, V4L2_CID_FOCUS_AUTO,
            V4L2_CID_FOCUS_ABSOLUTE, V4L2_CID_AUTO_FOCUS_START, V4L2_CID_AUTO_FOCUS_STATUS, V4L2_CID_ZOOM_ABSOLUTE,
            V4L2_CID_3A_LOCK, V4L2_CID_WIDE_DYNAMIC_RANGE, V4L2_CID_IMAGE_STABILIZATION, V4L2_CID_CAMERA_ORIENTATION,
            V4L2_CID_CAMERA_SENSOR_ROTATION, V4L2_CID_PRIVACY,
        ].map(Int64.init)
        + [
            V4L2_CID_AUTO_WHITE_BALANCE, V4L2_CID_DO_WHITE_BALANCE, V4L2_CID_WHITE_BALANCE_TEMPERATURE,
            V4L2_CID_RED_BALANCE,
            V4L2_CID_BLUE_BALANCE, V4L2_CID_GAIN, V4L2_CID_AUTOGAIN, V4L2_CID_BRIGHTNESS, V4L2_CID_POWER_LINE_FREQUENCY,
            V4L2_CID_BACKLIGHT_COMPENSATION,
        ].map(Int64.init)

    private var dice: Dice

    init(_ seed: Int) { dice = Dice(seed) }

    mutating func isOneOf(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &dice) == 0 }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &dice) }

    private mutating func one<Value>(of values: [Value]) -> Value { values[number(0...values.count - 1)] }

    // MARK: The driver

    mutating func camera() -> FakeCamera {
        var camera = FakeCamera(formats: (0..<number(0...3)).map { _ in format() })
        camera.capabilities = capabilities()
        camera.controls = controls()
        camera.hasExtendedControls = !isOneOf(4)
        if isOneOf(4) { camera.stalledControl = camera.controls.randomElement(using: &dice)?.id }
        camera.isReserved = isOneOf(10)
        camera.forgetsControls = isOneOf(4)
        camera.canSetRate = !isOneOf(3)
        if isOneOf(4) { camera.trueRates = [rate(), rate()] }
        if isOneOf(4) { camera.sizeStep = PixelSize(one(of: [2, 8, 16]), one(of: [2, 8, 16])) }
        camera.strideStep = one(of: [1, 1, 16, 64])
        camera.dataOffset = one(of: [0, 0, 64])
        if isOneOf(8) { camera.forcedFormat = fourCC() }
        if isOneOf(8) { camera.extraBytes = number(-100_000...100_000) }
        if isOneOf(8) { camera.bufferLimit = number(0...3) }
        camera.exportLimit = number(0...2)
        camera.colorspace = UInt32(number(0...14))
        camera.encoding = UInt32(number(0...10))
        camera.quantization = UInt32(number(0...4))
        camera.transfer = UInt32(number(0...9))
        if isOneOf(8) { camera.signal = (one(of: ModeEnumeration.commonSizes), one(of: ModeEnumeration.commonRates)) }
        if isOneOf(20) { camera.signalError = one(of: [.noDevice, .init(rawValue: 67), .invalidArgument]) }
        return camera
    }

    private mutating func capabilities() -> UInt32 {
        let usual = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING
        guard isOneOf(4) else { return UInt32(usual) }
        return UInt32(
            one(of: [
                V4L2_CAP_VIDEO_CAPTURE_MPLANE | V4L2_CAP_STREAMING, V4L2_CAP_VIDEO_CAPTURE_MPLANE | usual,
                V4L2_CAP_VIDEO_CAPTURE, V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_READWRITE,
                V4L2_CAP_VIDEO_OUTPUT | V4L2_CAP_STREAMING,
                V4L2_CAP_META_CAPTURE | V4L2_CAP_STREAMING, V4L2_CAP_VIDEO_M2M | V4L2_CAP_STREAMING, 0,
            ]))
    }

    private mutating func fourCC() -> FourCC {
        isOneOf(10) ? FourCC(rawValue: UInt32.random(in: 0...UInt32.max, using: &dice)) : FourCC(one(of: Self.formats))
    }

    private mutating func format() -> FakeCamera.Format {
        var format = FakeCamera.Format("YUYV", sizes: sizes(), rates: rates())
        format.fourCC = fourCC()
        format.isEmulated = isOneOf(4)
        return format
    }

    /// A random frame size: mostly one that cameras have, sometimes tiny or huge.
    private mutating func size() -> PixelSize {
        switch number(0...9) {
        case 0: PixelSize(number(0...5), number(0...5))
        case 1: PixelSize(one(of: [Int(UInt32.max), 1 << 31, 65_536, 16_384]), one(of: [Int(UInt32.max), 1, 16_384]))
        case 2: PixelSize(number(1...4096), number(1...4096))
        default: one(of: ModeEnumeration.commonSizes)
        }
    }

    private mutating func sizes() -> FakeCamera.Sizes {
        switch number(0...5) {
        case 0: .unlisted
        case 1: .continuous(minimum: size(), maximum: size())
        case 2: .stepwise(minimum: size(), maximum: size(), step: PixelSize(number(0...17), number(0...17)))
        default: .discrete((0..<number(0...6)).map { _ in size() })
        }
    }

    private mutating func rate() -> FrameRate {
        switch number(0...9) {
        case 0: FrameRate(number(0...1), per: number(0...1))
        case 1: FrameRate(number(1...Int(UInt32.max)), per: number(1...Int(UInt32.max)))
        default: one(of: ModeEnumeration.commonRates)
        }
    }

    private mutating func rates() -> FakeCamera.Rates {
        switch number(0...4) {
        case 0: .unlisted
        case 1: .continuous(slowest: rate(), fastest: rate())
        default: .discrete((0..<number(0...5)).map { _ in rate() })
        }
    }

    private mutating func controls() -> [FakeCamera.Control] {
        var ids = Set((0..<number(0...14)).map { _ in UInt32(one(of: Self.adjusted)) })
        if isOneOf(4) { ids.insert(UInt32.random(in: 1...0x7fff_ffff, using: &dice)) }
        return ids.sorted().map { control($0) }
    }

    private mutating func control(_ id: UInt32) -> FakeCamera.Control {
        let types = [
            V4L2_CTRL_TYPE_INTEGER, V4L2_CTRL_TYPE_BOOLEAN, V4L2_CTRL_TYPE_MENU, V4L2_CTRL_TYPE_INTEGER_MENU,
            V4L2_CTRL_TYPE_BUTTON, V4L2_CTRL_TYPE_BITMASK, V4L2_CTRL_TYPE_INTEGER64, V4L2_CTRL_TYPE_STRING,
            V4L2_CTRL_TYPE_CTRL_CLASS, v4l2_ctrl_type(999),
        ]
        var control = FakeCamera.Control(id, isOneOf(6) ? "Same Name" : "Control \(id)", one(of: types))
        let bounds = [0, 1, 3, 100, 2047, -100, Int(Int32.max), Int(Int32.min), Int.max, Int.min]
        (control.minimum, control.maximum) =
            isOneOf(3) ? (one(of: bounds), one(of: bounds)) : (0, one(of: [1, 3, 255]))
        control.step = isOneOf(3) ? one(of: [0, 2, 7, Int.max]) : 1
        control.defaultValue = isOneOf(6) ? one(of: bounds) : 0
        control.value = isOneOf(6) ? number(Int(Int32.min)...Int(Int32.max)) : number(0...3)
        let flags = [
            V4L2_CTRL_FLAG_READ_ONLY, V4L2_CTRL_FLAG_INACTIVE, V4L2_CTRL_FLAG_DISABLED, V4L2_CTRL_FLAG_WRITE_ONLY,
            V4L2_CTRL_FLAG_VOLATILE, V4L2_CTRL_FLAG_GRABBED, V4L2_CTRL_FLAG_HAS_PAYLOAD,
        ]
        for flag in flags where isOneOf(10) { control.flags |= UInt32(flag) }
        for item in 0..<number(0...4) where !isOneOf(3) {
            control.menu[item] = one(of: ["Auto", "Manual Mode", "50 Hz", "400000", ""])
        }
        return control
    }

    // MARK: The requests

    /// A random call that fails, with its error; nil for a driver whose calls succeed.
    mutating func failure() -> (request: V4L2Request, errno: Errno, skip: Int, times: Int)? {
        guard isOneOf(3) else { return nil }
        let errors: [Errno] = [
            .noDevice, .resourceBusy, .invalidArgument, .ioError, .permissionDenied, .noSpace, .timedOut, .noMemory,
            .inappropriateIOCTLForDevice, .interrupted,
        ]
        return (one(of: V4L2Request.all), one(of: errors), number(0...3), number(1...3))
    }

    mutating func wish(_ camera: FakeCamera) -> CameraWish {
        CameraWish(
            preset: isOneOf(3) ? one(of: CameraPreset.allCases) : nil, size: isOneOf(2) ? size() : nil,
            frameRate: isOneOf(2) ? one(of: ModeEnumeration.commonRates) : nil,
            format: isOneOf(4) ? camera.formats.randomElement(using: &dice)?.fourCC ?? fourCC() : nil,
            adjustments: isOneOf(2) ? adjustments() : CameraAdjustments(),
            controls: isOneOf(2) ? settings(camera) : [])
    }

    mutating func settings(_ camera: FakeCamera) -> [(name: String, value: Int)] {
        (0..<number(0...3)).map { _ in
            let label = camera.controls.randomElement(using: &dice)?.name ?? "brightness"
            let value = isOneOf(3) ? one(of: [Int.min, Int.max, Int(Int32.max) + 1, -1, 2048]) : number(0...4)
            return (isOneOf(8) ? "no_such_control" : CameraControl.name(fromLabel: label), value)
        }
    }

    mutating func adjustments() -> CameraAdjustments {
        var wish = CameraAdjustments()
        let number = number(0...100)
        if isOneOf(2) {
            wish.exposure = one(of: [
                .continuous, .once, .locked, .time(.milliseconds(number)), .time(.seconds(Int64.max / 4)),
            ])
        }
        if isOneOf(3) {
            wish.sensitivity = one(of: [.continuous, .iso(Double(number)), .iso(1e300), .gain(number), .gain(.max)])
        }
        if isOneOf(4) { wish.bias = one(of: [0, -1, 1e300]) }
        if isOneOf(4) { wish.metering = one(of: CameraAdjustments.Metering.allCases) }
        if isOneOf(2) {
            wish.focus = one(of: [.continuous, .once, .locked, .position(0), .position(1), .position(0.3)])
        }
        if isOneOf(2) {
            wish.whiteBalance = one(of: [
                .continuous, .once, .locked, .temperature(4500), .temperature(.max), .gains(red: number, blue: .min),
            ])
        }
        if isOneOf(4) { wish.zoom = one(of: [1, 2, 1e300]) }
        if isOneOf(4) { wish.powerLine = one(of: CameraAdjustments.PowerLine.allCases) }
        if isOneOf(4) { wish.hasWideDynamicRange = isOneOf(2) }
        if isOneOf(4) { wish.isStabilized = isOneOf(2) }
        if isOneOf(4) { wish.torch = isOneOf(3) ? .automatic : isOneOf(2) ? .off : .level(0.5) }
        return wish
    }
}
