#if Control
internal import PipCompose
internal import PipRig

/// The facts of the state beside the composition and its counters.
struct PanelFacts: Sendable {
    /// The name and version of the program.
    let program: String
    /// `webrtc` or `mjpeg`.
    let preview: String
    /// The folder below which clients may make outputs; nil allows none.
    let root: String?
    var pressure: PressureSettings
    /// The inspected cameras, keyed by their device nodes.
    var devices: [String: Device] = [:]
    /// The sizes of the outputs' files, keyed by the outputs' identifiers.
    var sizes: [String: FileSize] = [:]

    /// The settings last requested from the governor.
    struct PressureSettings: Sendable {
        var policy: String
        var pinned: PressureLevel?
    }

    /// The modes and controls of a camera.
    struct Device: Sendable {
        let modes: [CameraMode]
        /// The modes as JSON, converted once because there may be hundreds.
        let listedModes: JSON
        let controls: [CameraControl]

        init(modes: [CameraMode], controls: [CameraControl]) {
            (self.modes, self.controls) = (modes, controls)
            listedModes = .array(modes.map(StateDocument.mode))
        }

        /// The same device with newly read controls.
        init(_ known: Device, controls: [CameraControl]) {
            (modes, listedModes, self.controls) = (known.modes, known.listedModes, controls)
        }
    }

    /// The size of a file, and its growth.
    struct FileSize: Sendable {
        var bytes: Int
        var bitRate: Int?
    }
}
#endif
