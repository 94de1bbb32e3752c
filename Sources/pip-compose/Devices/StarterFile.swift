import PipCompose
import PipRig

/// A commented configuration for the cameras of this machine, as `config init` prints it.
struct StarterFile {
    private let cameras: [CameraDevice]
    private let directory: CameraDirectory

    init(_ directory: CameraDirectory) {
        self.directory = directory
        cameras = directory.cameras()
    }

    /// The YAML text of the configuration.
    ///
    /// Test patterns replace missing cameras.
    var text: String {
        """
        # A composition for pip-compose: `pip-compose run rig.yaml`.
        # Reference: `pip-compose config schema`, `pip-compose compose --help`.
        # Check it after a change: `pip-compose config check rig.yaml`.
        canvas: {size: 1280x720, fps: 30}

        cameras:
        \(camera("main", 0))
        \(camera("inset", 1))

        # The first scene is shown; the panel's page (--panel) switches between scenes.
        scenes:
          both: {main: main, insets: [{of: inset, at: top-right, width: 25%, margin: 24, radius: 16}]}
          swapped: {main: inset, insets: [{of: main, at: top-right, width: 25%, margin: 24, radius: 16}]}
          side-by-side: {layout: side-by-side, of: [main, inset]}

        # All effects: `pip-compose effects`.
        # effects:
        #   main: [{vignette: 0.4}]
        #   inset: [sepia, {gaussian-blur: {radius: 3}}]

        # overlays:
        #   - {clock: "%Y-%m-%d %H:%M:%S", at: bottom-right}

        # Microphones: `pip-compose devices --audio`.
        # audio: {inputs: [{source: pulse, gain: 0 dB}]}

        outputs:
          # Plays after a power cut; 3 minutes a file, at most 20 GB.
          - {to: "drive-%Y%m%d-%H%M%S.mp4", segment: 3m, keep: 20 GB}
          # - {to: "rtmp://live.example.org/app/${STREAM_KEY}"}

        # What is given up under heat, low power or load: balanced, keep-fps, keep-resolution, keep-both-cameras, off.
        pressure: balanced

        """
    }

    private func camera(_ name: String, _ index: Int) -> String {
        guard cameras.indices.contains(index) else {
            return """
                  # No \(index == 0 ? "camera" : "second camera") is there: a generated picture stands for it.
                  \(name): {source: "pattern:scene?seed=\(index)"}
                """
        }
        let camera = cameras[index]
        var lines = ["  # \(camera)"]
        if let modes = try? directory.modes(of: camera), !modes.isEmpty {
            let best = Set(modes.filter(\.isUsable).map { "\($0.size)" }).sorted { $0.count > $1.count || $0 > $1 }
            lines.append("  # sizes: \(best.prefix(8).joined(separator: ", "))")
        }
        if let controls = try? directory.controls(of: camera), !controls.isEmpty {
            for word in AdjustmentSupport(controls).words {
                lines.append("  # controls: {\(word.key): \(word.values)}")
            }
        }
        let identical = camera.ambiguity.map { "  # \($0)\n" } ?? ""
        return identical + lines.joined(separator: "\n")
            + "\n  \(name): {source: \"camera:\(camera.stableName)\", when-missing: slate}"
    }
}
