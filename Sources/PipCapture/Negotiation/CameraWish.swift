public import PipFrames

/// The requested settings of a camera: mode, frame treatment and picture settings.
///
/// Negotiation chooses settings that are left out, and meets unsupported ones as nearly as possible.
public struct CameraWish: Sendable {
    /// The preset, which ``size`` overrides; nil chooses a mode near 1280×720.
    public var preset: CameraPreset?
    /// The size in pixels; nil chooses one by the preset.
    public var size: PixelSize?
    /// The rate; nil chooses one near 30 frames a second.
    public var frameRate: FrameRate?
    /// The driver's pixel format, which is taken literally; nil chooses one.
    public var format: FourCC?
    /// The colour space for the driver to deliver, which is taken literally; nil keeps the camera's.
    public var colorSpace: CameraColorSpace?
    /// The rotation of the pictures before any other processing.
    public var rotation: CameraRotation
    /// The highest rate of frames to use; nil uses all.
    ///
    /// The device's own rate does not change. Surplus frames are dropped evenly, before they are decoded.
    public var rateLimit: FrameRate?
    /// True to drop the camera's frames, so that its last picture stays.
    ///
    /// The device keeps streaming, and its next frame is shown when this becomes false. Recordings of the camera's own
    /// frames continue.
    public var isPaused = false
    /// The controls to set before streaming, in this order, by their `v4l2-ctl` names.
    public var controls: [(name: String, value: Int)]

    /// The picture settings by meaning, which are set before ``controls``.
    public var adjustments: CameraAdjustments

    /// A wish by its parts; negotiation chooses those that are nil.
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

    /// The driver's code for a format name: `mjpeg`, `yuyv`, `nv12`, or the code itself.
    public static func format(named name: String) -> FourCC {
        DeviceFormat.codes[name.lowercased()] ?? FourCC(name.uppercased())
    }

    /// The format names that ``format(named:)`` knows, beside the codes themselves.
    package static var formatNames: [String] { DeviceFormat.codes.keys.sorted() }

    /// The default mode, which nearly every camera supports.
    static let defaultSize = PixelSize.hd720
    static let defaultFrameRate = FrameRate(30)

    var aimedSize: PixelSize { size ?? preset?.aimedSize ?? Self.defaultSize }
    /// The approximate size of the pictures; nil where it depends on the camera alone.
    package var expectedSize: PixelSize? {
        decidingPreset == .high || decidingPreset == .inputPriority ? nil : aimedSize
    }
    /// The preset, unless a size overrides it.
    var decidingPreset: CameraPreset? { size == nil ? preset : nil }
    var aimedFrameRate: FrameRate { frameRate ?? Self.defaultFrameRate }

    /// The treatment of the camera's frames, which the device does not know.
    var treatment: FrameTreatment {
        get { FrameTreatment(rotation: rotation, rateLimit: rateLimit, isPaused: isPaused) }
        set { (rotation, rateLimit, isPaused) = (newValue.rotation, newValue.rateLimit, newValue.isPaused) }
    }
}

/// The treatment of a camera's frames after capture, which the device does not know.
struct FrameTreatment: Equatable, Sendable {
    var rotation: CameraRotation
    var rateLimit: FrameRate?
    var isPaused: Bool
}
