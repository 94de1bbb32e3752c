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
        let modes: [CameraMode]
        /// The modes as the state lists them, made once: there may be hundreds.
        let listedModes: JSON
        let controls: [CameraControl]

        init(modes: [CameraMode], controls: [CameraControl]) {
            (self.modes, self.controls) = (modes, controls)
            listedModes = .array(modes.map(StateDocument.mode))
        }

        /// The same device with controls as they are now.
        init(_ known: Device, controls: [CameraControl]) {
            (modes, listedModes, self.controls) = (known.modes, known.listedModes, controls)
        }
    }

    /// The size of a file, and how it grows.
    struct FileSize: Sendable {
        var bytes: Int
        var bitRate: Int?
    }
}
#endif
