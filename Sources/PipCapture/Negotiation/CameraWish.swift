public import PipFrames

/// Requested settings of a camera.
///
/// Settings left out are chosen; those that the camera does not support are met as nearly as possible.
public struct CameraWish: Sendable {
    /// The kind of mode, which a size overrules; nil for one near 1280×720.
    public var preset: CameraPreset?
    /// The size in pixels; nil chooses one by the preset.
    public var size: PixelSize?
    /// The rate; nil chooses one near 30 frames a second.
    public var frameRate: FrameRate?
    /// The driver's pixel format; unlike the others it is taken literally.
    public var format: FourCC?
    /// The colour space that its driver is asked to convert to, taken literally; nil leaves it the camera's.
    public var colorSpace: CameraColorSpace?
    /// By what its picture is turned before anything else is done with it.
    public var rotation: CameraRotation
    /// The most frames a second that are used of it; nil uses all.
    ///
    /// The device stays as it is: the others are left out as they come, evenly, before they are decoded.
    public var rateLimit: FrameRate?
    /// True while its frames are left out, and the last one stays in the picture.
    ///
    /// The device streams on: from the moment at which this is false again, the next frame is shown. Recordings of the
    /// camera's own frames go on.
    public var isPaused = false
    /// Controls to set before streaming, in this order, named as `v4l2-ctl` names them.
    public var controls: [(name: String, value: Int)]

    /// What its picture is to be like, by meaning; set before ``controls``.
    public var adjustments: CameraAdjustments

    /// A wish by its parts; nil parts are chosen.
    public init(
        preset: CameraPreset? = nil, size: PixelSize? = nil, frameRate: FrameRate? = nil, format: FourCC? = nil,
        colorSpace: CameraColorSpace? = nil, rotation: CameraRotation = .mounting, rateLimit: FrameRate? = nil,
        adjustments: CameraAdjustments = CameraAdjustments(),
        controls: [(name: String, value: Int)] = []
    ) {
        self.preset = preset
        self.size = size
        self.frameRate = frameRate
        self.format = format
        self.colorSpace = colorSpace
        self.rotation = rotation
        self.rateLimit = rateLimit
        self.adjustments = adjustments
        self.controls = controls
    }

    /// The driver's code of a format that a user names: `mjpeg`, `yuyv`, `nv12`, or the code itself.
    public static func format(named name: String) -> FourCC {
        DeviceFormat.codes[name.lowercased()] ?? FourCC(name.uppercased())
    }

    /// The names of formats that ``format(named:)`` knows, beside the codes themselves.
    package static var formatNames: [String] { DeviceFormat.codes.keys.sorted() }

    /// The target without a wish, which nearly every camera supports.
    static let defaultSize = PixelSize.hd720
    static let defaultFrameRate = FrameRate(30)

    var aimedSize: PixelSize { size ?? preset?.aimedSize ?? Self.defaultSize }
    /// The size that it will have, more or less; nil where that depends on the camera alone.
    package var expectedSize: PixelSize? {
        decidingPreset == .high || decidingPreset == .inputPriority ? nil : aimedSize
    }
    /// The preset, where no size overrules it.
    var decidingPreset: CameraPreset? { size == nil ? preset : nil }
    var aimedFrameRate: FrameRate { frameRate ?? Self.defaultFrameRate }

    /// What is done with its frames.
    var treatment: FrameTreatment {
        get { FrameTreatment(rotation: rotation, rateLimit: rateLimit, isPaused: isPaused) }
        set { (rotation, rateLimit, isPaused) = (newValue.rotation, newValue.rateLimit, newValue.isPaused) }
    }
}

/// What is done with a camera's frames as they come: nothing of it is said to the device.
struct FrameTreatment: Equatable, Sendable {
    var rotation: CameraRotation
    var rateLimit: FrameRate?
    var isPaused: Bool
}
