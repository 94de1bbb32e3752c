public import PipFrames

/// What a user would like of a camera.
///
/// What is left out is chosen; what the camera cannot do exactly is chosen nearest.
public struct CameraWish: Sendable {
    public var size: PixelSize?
    public var frameRate: FrameRate?
    /// The driver's pixel format; unlike the others it is taken literally.
    public var format: FourCC?
    /// Controls to set before streaming, in this order, named as `v4l2-ctl` names them.
    public var controls: [(name: String, value: Int)]

    public init(
        size: PixelSize? = nil, frameRate: FrameRate? = nil, format: FourCC? = nil,
        controls: [(name: String, value: Int)] = []
    ) {
        self.size = size
        self.frameRate = frameRate
        self.format = format
        self.controls = controls
    }

    /// The driver's code of a format that a user names: `mjpeg`, `yuyv`, `nv12`, or the code itself.
    public static func format(named name: String) -> FourCC { DeviceFormat.fourCC(named: name) }

    /// What is aimed at without a wish: what nearly every camera has, and what videos are made of.
    static let defaultSize = PixelSize.hd720
    static let defaultFrameRate = FrameRate(30)

    var aimedSize: PixelSize { size ?? Self.defaultSize }
    var aimedFrameRate: FrameRate { frameRate ?? Self.defaultFrameRate }
}
