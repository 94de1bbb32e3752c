internal import PipFrames

/// A named choice of camera mode.
public enum CameraPreset: String, Sendable, Hashable, CaseIterable {
    /// The largest size at 24 frames a second or more, or at any rate if no mode is that fast.
    case high
    /// The size nearest to 480×360.
    case medium
    /// The size nearest to 192×144.
    case low
    /// 640×480, and no other size.
    case vga = "640x480"
    /// 960×540, and no other size.
    case qhd = "960x540"
    /// 1280×720, and no other size.
    case hd720 = "1280x720"
    /// 1920×1080, and no other size.
    case hd1080 = "1920x1080"
    /// 3840×2160, and no other size.
    case uhd = "3840x2160"
    /// The mode that the camera is set to already.
    ///
    /// Use this preset for a camera that another program has set up. Without a preset, a camera gets a mode near
    /// 1280×720 at 30 frames a second, and cameras on one bus get modes that fit the bus together.
    case inputPriority = "input-priority"

    /// True when one of a camera's modes satisfies the preset.
    public func isOffered(by modes: [CameraMode]) -> Bool { !allowed(modes.filter(\.isUsable)).isEmpty }

    /// The lowest rate that ``high`` accepts, unless all modes are slower.
    ///
    /// Units: frames a second.
    private static let leastRate = 24.0

    /// The only acceptable size; nil when the preset leaves a choice.
    var exactSize: PixelSize? {
        switch self {
        case .vga: PixelSize(640, 480)
        case .qhd: PixelSize(960, 540)
        case .hd720: .hd720
        case .hd1080: .hd1080
        case .uhd: PixelSize(3840, 2160)
        case .high, .medium, .low, .inputPriority: nil
        }
    }

    /// The preferred size; nil when it depends on the camera.
    var aimedSize: PixelSize? {
        switch self {
        case .medium: PixelSize(480, 360)
        case .low: PixelSize(192, 144)
        default: exactSize
        }
    }

    /// The modes that satisfy the preset.
    func allowed(_ modes: [CameraMode]) -> [CameraMode] {
        if let exactSize { return modes.filter { $0.size == exactSize } }
        guard self == .high else { return modes }
        // A rate of 23.976 counts as 24.
        let moving = modes.filter { ($0.frameRate?.framesPerSecond ?? Self.leastRate) > Self.leastRate * 0.995 }
        let fitting = moving.isEmpty ? modes : moving
        let largest = fitting.map(\.size.area).max()
        return fitting.filter { $0.size.area == largest }
    }
}
