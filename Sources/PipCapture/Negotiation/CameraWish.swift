public import PipFrames

/// The requested settings of a camera: mode, rotation, rate limit, pause and picture settings.
///
/// Negotiation chooses the settings that are left out, and replaces an unsupported size or rate by the nearest
/// supported value.
public struct CameraWish: Sendable {
    /// The preset, which ``size`` overrides; nil chooses a mode near 1280×720.
    public var preset: CameraPreset?
    /// The size in pixels; nil chooses the size by the preset.
    public var size: PixelSize?
    /// The frame rate; nil chooses a rate near 30 frames a second, or with ``CameraPreset/inputPriority`` keeps the
    /// present rate.
    public var frameRate: FrameRate?
    /// The driver's pixel format, which the camera must support; nil chooses the cheapest format.
    public var format: FourCC?
    /// The colour space that the driver must deliver; nil keeps the camera's colour space.
    public var colorSpace: CameraColorSpace?
    /// The rotation of the pictures before any other processing.
    public var rotation: CameraRotation
    /// The highest rate at which frames are used; nil uses all frames.
    ///
    /// The device's own rate does not change. Surplus frames are dropped evenly: before decoding, or after decoding
    /// if the camera sends H.264 or H.265.
    public var rateLimit: FrameRate?
    /// True to drop the camera's frames, so that the output keeps showing the last picture.
    ///
    /// The device keeps streaming, so that a frame is shown at once when the property becomes false. Recordings of the
    /// camera's own frames continue.
    public var isPaused = false
    /// The controls to set before streaming, in this order: their names, as in `v4l2-ctl`, and their values.
    public var controls: [(name: String, value: Int)]

    /// The picture settings, such as exposure and focus, which are set before ``controls``.
    public var adjustments: CameraAdjustments

    /// Creates a request; negotiation chooses the settings that are nil.
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

    /// Returns the V4L2 code for a format name such as `mjpeg` or `nv12`, or for the code itself, such as `MJPG`.
    public static func format(named name: String) -> FourCC {
        DeviceFormat.codes[name.lowercased()] ?? FourCC(name.uppercased())
    }

    /// The format names that ``format(named:)`` accepts in addition to V4L2 codes.
    package static var formatNames: [String] { DeviceFormat.codes.keys.sorted() }

    /// The default mode, which nearly every camera supports.
    static let defaultSize = PixelSize.hd720
    static let defaultFrameRate = FrameRate(30)

    var aimedSize: PixelSize { size ?? preset?.aimedSize ?? Self.defaultSize }
    /// The approximate size of the pictures; nil when the size depends on the camera alone.
    package var expectedSize: PixelSize? {
        decidingPreset == .high || decidingPreset == .inputPriority ? nil : aimedSize
    }
    /// The preset; nil when a size overrides it.
    var decidingPreset: CameraPreset? { size == nil ? preset : nil }
    var aimedFrameRate: FrameRate { frameRate ?? Self.defaultFrameRate }

    /// The settings that apply to captured frames and leave the device unchanged.
    var treatment: FrameTreatment {
        get { FrameTreatment(rotation: rotation, rateLimit: rateLimit, isPaused: isPaused) }
        set { (rotation, rateLimit, isPaused) = (newValue.rotation, newValue.rateLimit, newValue.isPaused) }
    }
}

/// Settings that apply to a camera's captured frames and leave the device unchanged.
struct FrameTreatment: Equatable, Sendable {
    var rotation: CameraRotation
    var rateLimit: FrameRate?
    var isPaused: Bool
}
