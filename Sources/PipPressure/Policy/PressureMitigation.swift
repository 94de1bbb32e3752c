public import PipFrames

/// A reversible measure against pressure.
///
/// A step of a ``PressurePolicy`` applies one mitigation.
public enum PressureMitigation: Sendable, Hashable, CustomStringConvertible {
    /// Limits inset cameras to this frame rate; dropped frames are not decoded, except for video such as H.264.
    case insetRate(FrameRate)
    /// Limits effects to this quality.
    case effects(EffectQuality)
    /// Encodes recordings and streams with this share of their bit rate, or of their quality: 0.5 for half of it.
    case bitRate(Double)
    /// Encodes recordings and streams with as little work as the encoder allows, at a lower quality.
    case fastEncoding
    /// Sets every inset camera with more pixels than this size to the nearest size that it offers.
    case insetResolution(PixelSize)
    /// Limits the output and the cameras to this frame rate; ``insetRate(_:)`` takes precedence for inset cameras.
    case mainRate(FrameRate)
    /// Switches the inset cameras off; their layers then look as for missing cameras.
    case insetOff
    /// Sets a main camera with more pixels than this size to the nearest size that it offers; the output's size does
    /// not change.
    case mainResolution(PixelSize)
    /// Switches all cameras off, and draws one frame a second until the mitigation is reversed.
    case pause
    /// Finishes every file and ends the session.
    case stop

    /// True for mitigations that interrupt a camera's stream.
    ///
    /// Such mitigations are applied at the level critical and above only.
    package var interruptsCamera: Bool {
        switch self {
        case .insetRate, .effects, .mainRate, .bitRate, .fastEncoding: false
        case .insetResolution, .insetOff, .mainResolution, .pause, .stop: true
        }
    }

    /// True for mitigations that end a camera's picture.
    ///
    /// Heat and power may cause such a mitigation; load alone never does.
    package var switchesCameraOff: Bool {
        switch self {
        case .insetRate, .effects, .mainRate, .bitRate, .fastEncoding, .insetResolution, .mainResolution: false
        case .insetOff, .pause, .stop: true
        }
    }

    /// True for mitigations that affect nothing but recordings and streams.
    package var isOfEncoding: Bool {
        switch self {
        case .bitRate, .fastEncoding: true
        case .insetRate, .effects, .insetResolution, .mainRate, .insetOff, .mainResolution, .pause, .stop: false
        }
    }

    /// The name in policy files, such as `inset-rate`.
    public var name: String {
        switch self {
        case .insetRate: "inset-rate"
        case .effects: "effects"
        case .bitRate: "bit-rate"
        case .fastEncoding: "fast-encoding"
        case .insetResolution: "inset-resolution"
        case .mainRate: "main-rate"
        case .insetOff: "inset-off"
        case .mainResolution: "main-resolution"
        case .pause: "pause"
        case .stop: "stop"
        }
    }

    public var description: String {
        switch self {
        case .insetRate(let rate), .mainRate(let rate): "\(name) \(rate)"
        case .effects(let quality): "\(name) \(quality)"
        case .bitRate(let share): "\(name) \(tenths(share * 100).replacing(".0", with: "")) %"
        case .insetResolution(let size), .mainResolution(let size): "\(name) \(size)"
        case .fastEncoding, .insetOff, .pause, .stop: name
        }
    }
}
