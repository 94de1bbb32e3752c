public import PipFrames

/// One measure against pressure, which can be taken back.
///
/// Steps of a ``PressurePolicy`` consist of them.
public enum PressureMitigation: Sendable, Hashable, CustomStringConvertible {
    /// Inset cameras are decimated to this rate; dropped frames are not even decoded.
    case insetRate(FrameRate)
    /// Effects have at most this cost.
    case effects(EffectQuality)
    /// Recordings and streams are encoded with this share of their bit rate: 0.5 for half of it.
    case bitRate(Double)
    /// Recordings and streams are encoded with as little work as their encoder allows, at a lower quality.
    case fastEncoding
    /// Every inset camera is set to its largest mode that is no larger than this.
    case insetResolution(PixelSize)
    /// The output and the main camera are limited to this rate.
    case mainRate(FrameRate)
    /// The inset cameras are switched off. Their layers look as for a missing camera.
    case insetOff
    /// The main camera is set to its largest mode that is no larger than this; the output's size stays.
    case mainResolution(PixelSize)
    /// All cameras are switched off, and one frame a second is drawn until the pressure is gone.
    case pause
    /// Every file is finished, and the session ends.
    case stop

    /// True for mitigations that interrupt a camera's stream, which are not taken below critical.
    package var interruptsCamera: Bool {
        switch self {
        case .insetRate, .effects, .mainRate, .bitRate, .fastEncoding: false
        case .insetResolution, .insetOff, .mainResolution, .pause, .stop: true
        }
    }

    /// True for mitigations that end a camera's picture.
    ///
    /// Heat and power take them, load alone never does.
    package var switchesCameraOff: Bool {
        switch self {
        case .insetRate, .effects, .mainRate, .bitRate, .fastEncoding, .insetResolution, .mainResolution: false
        case .insetOff, .pause, .stop: true
        }
    }

    /// True for mitigations that only change recordings and streams.
    package var isOfEncoding: Bool {
        switch self {
        case .bitRate, .fastEncoding: true
        case .insetRate, .effects, .insetResolution, .mainRate, .insetOff, .mainResolution, .pause, .stop: false
        }
    }

    /// The name in a policy file: `inset-rate`.
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
        case .bitRate(let share): "\(name) \(Int((share * 100).rounded())) %"
        case .insetResolution(let size), .mainResolution(let size): "\(name) \(size)"
        case .fastEncoding, .insetOff, .pause, .stop: name
        }
    }
}
