#if Control
internal import PipCompose
internal import PipRig

/// What the state has to say beside the composition and its counts.
struct PanelFacts: Sendable {
    /// The program and its version.
    let program: String
    /// `webrtc` or `mjpeg`.
    let preview: String
    /// The folder below which outputs may be made.
    let root: String?
    var pressure: PressureWish
    /// The cameras that were looked at, by their device nodes.
    var devices: [String: Device] = [:]
    /// The sizes of the outputs' files by the outputs' identifiers.
    var sizes: [String: FileSize] = [:]

    /// What was asked of the governor last.
    struct PressureWish: Sendable {
        var policy: String
        var pinned: PressureLevel?
    }

    /// The modes and controls of a camera.
    struct Device: Sendable {
        var modes: [CameraMode]
        var controls: [CameraControl]
    }

    /// The size of a file, and how it grows.
    struct FileSize: Sendable {
        var bytes: Int
        var bitRate: Int?
    }
}
#endif
