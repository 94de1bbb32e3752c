#if Control
internal import PipCompose
internal import PipRig

/// The facts in the state document that come neither from the composition nor from the session's statistics.
struct PanelFacts: Sendable {
    /// The name and version of the program.
    let program: String
    /// The kind of live picture: `webrtc` or `mjpeg`.
    let preview: String
    /// The folder in which clients may create files; nil allows no files.
    let root: String?
    /// The clients' permission for recordings: `none`, `read` or `change`.
    let recordings: String
    /// The modes and controls of the cameras in use, keyed by their device nodes.
    var devices: [String: Device] = [:]
    /// The sizes of the outputs' files, keyed by the identifiers of the outputs.
    var sizes: [String: FileSize] = [:]

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

        /// Creates a copy of `known` with newly read controls.
        init(_ known: Device, controls: [CameraControl]) {
            (modes, listedModes, self.controls) = (known.modes, known.listedModes, controls)
        }
    }

    /// The size of an output's file in bytes, and the growth of the file in bits a second.
    struct FileSize: Sendable {
        let bytes: Int
        /// The time at which the size was read.
        let time: ContinuousClock.Instant
        /// The growth of the file; nil after the first reading.
        let bitRate: Int?

        /// Creates a size that was read after `last`, the reading before.
        init(bytes: Int, at time: ContinuousClock.Instant, after last: FileSize?) {
            (self.bytes, self.time) = (bytes, time)
            guard let last, last.time < time else {
                bitRate = last?.bitRate
                return
            }
            let rate = Double(bytes - last.bytes) * 8 / (last.time.duration(to: time) / .seconds(1))
            // The bit rate is a moving average, because writers flush their buffers in bursts.
            bitRate = Int(max(0, last.bitRate.map { Double($0) * 0.8 + rate * 0.2 } ?? rate))
        }
    }
}
#endif
