import Foundation
import PipCompose
import PipTestSupport
import PipText
import Testing

@testable import PipRig

@Suite("Configuration files")
struct RigFileTests {
    private static let whole = """
        canvas: {size: 1280x720, fps: 30}
        cameras:
          road:   {source: camera:C920, size: 1280x720, format: mjpeg, controls: {exposure: auto, power-line: 50}}
          driver: {source: camera:usb-0000:00:14.0-2, mirror: true, when-missing: slate}
        scenes:
          drive:  {main: road, insets: [{of: driver, at: top-right, width: 25%, radius: 16}]}
          talk:   {main: driver, insets: [{of: road, at: bottom-left, width: 30%}]}
        effects: {road: [{vignette: 0.4}], driver: [sepia, {gaussian-blur: {radius: 3, essential: on}}]}
        audio:   {inputs: [{source: "camera:driver", gain: -6 dB}]}
        outputs:
          - {to: "recordings/%Y-%m-%d/%H%M%S.mp4", segment: 3m, keep: 20 GB}
          - {to: driver.mkv, of: driver}
        panel:   {listen: 127.0.0.1:8080, token: "${file:/run/secrets/token}"}
        pressure: keep-fps
        run: {duration: 10s}
        """

    @Test("a window or a screen is an output with its options")
    func displays() throws {
        let text = """
            cameras: {road: {source: "pattern:scene"}}
            outputs:
              - {to: "window:Road", fullscreen: true, rotate: 90, fit: fill, display: ":1"}
              - {to: "kms:HDMI-A-1", of: road, rotate: 180}
            """
        let outputs = try RigFile(text, path: "rig.yaml").rig.outputs
        let typed = ["window:Road?rotate=90&fit=fill&fullscreen&display=:1", "kms:HDMI-A-1?rotate=180"]
        #expect(try outputs.map(\.sink.kind) == typed.map { try SinkArgument($0).kind })
    }

    @Test("a served stream has its name and its files with the spaces in them, and is written as it was read")
    func served() throws {
        let text = """
            cameras: {road: {source: "pattern:scene"}}
            outputs:
              - {to: "rtsps-server:0.0.0.0:8322/cam", certificate: my cert.pem, key: my key.pem, announce: Front door}
            """
        let file = try RigFile(text, path: "rig.yaml")
        let typed = try SinkArgument(
            "rtsps-server:0.0.0.0:8322/cam?certificate=my cert.pem&key=my key.pem&announce=Front door")
        #expect(file.rig.outputs.map(\.sink.kind) == [typed.kind])
        let again = try RigFile(RigFileWriter.text(of: file), path: "rig.yaml")
        #expect(again.rig.outputs.map(\.sink.kind) == [typed.kind])
    }

    @Test("time-lapses are outputs with their options, and are written as they were read")
    func timeLapses() throws {
        let text = """
            cameras: {site: {source: "pattern:scene"}}
            outputs:
              - {to: "site-%Y%m%d.mp4", every: 10s, fps: 50, segment: 1m, when: "light>0.1"}
              - {to: "shots/%06d.jpg", every: 1h}
              - {to: "b.mkv", of: site, speed-up: 250}
            """
        let file = try RigFile(text, path: "rig.yaml")
        let typed = [
            "site-%Y%m%d.mp4?every=10s&fps=50&segment=1m&when=light>0.1", "shots/%06d.jpg?every=1h",
            "b.mkv?speed-up=250",
        ]
        let kinds = try typed.map { try SinkArgument($0) }
        #expect(file.rig.outputs.map(\.sink.kind) == kinds.map(\.kind))
        #expect(file.rig.outputs.map(\.sink.interval) == kinds.map(\.interval))
        let again = try RigFile(RigFileWriter.text(of: file), path: "rig.yaml")
        #expect(again.rig.outputs.map(\.sink.kind) == kinds.map(\.kind))
    }

    @Test("a configuration has cameras, scenes, chains, sound and outputs")
    func composition() throws {
        let file = try RigFile(Self.whole, path: "rig.yaml")
        let rig = file.rig
        #expect(rig.canvas == .hd720 && rig.clock == .rate(FrameRate(30)))
        #expect(rig.pictures.map(\.name) == ["road", "driver"])
        let wish = try #require(rig[picture: "road"]?.camera?.wish)
        #expect(wish.size == .hd720 && wish.format == FourCC("MJPG"))
        #expect(wish.adjustments.exposure == .continuous && wish.adjustments.powerLine == .hertz50)
        #expect(rig[picture: "driver"]?.isMirrored == true && rig[picture: "driver"]?.absence == .slate)
        #expect(rig.scene == "drive" && rig.scenes.map(\.name) == ["drive", "talk"])
        #expect(rig.layers.map(\.picture) == ["road", "driver"] && rig.layers[0].isMain && !rig.layers[1].isMain)
        #expect(rig.layers[1].look.cornerRadius == 16 && rig.layers[1].placement.width == .fraction(0.25))
        #expect(rig.chains["road"]?.map(\.effect.catalogueName) == ["vignette"])
        #expect(rig.chains["driver"]?.map(\.isEssential) == [false, true])
        #expect(rig.sound.first?.kind == .camera(.inset(0)) && rig.sound.first?.name == "camera:driver")
        #expect(rig.outputs.map(\.of) == [nil, "driver"])
        #expect(file.panel?.listen == "127.0.0.1:8080" && file.panel?.token == "${file:/run/secrets/token}")
        #expect(file.pressure.policy.name == "keep-fps" && file.run.duration == .seconds(10))
    }

    @Test("without scenes, the first camera fills the canvas and the others are insets")
    func usualScene() throws {
        let rig = try RigFile("cameras: {a: pattern:scene, b: pattern:bars, c: pattern:ramp}", path: "rig.yaml").rig
        #expect(rig.layers.map(\.picture) == ["a", "b", "c"])
        #expect(rig.layers[1].placement == Layout.inset(at: 0) && rig.layers[2].placement == Layout.inset(at: 1))
    }

    @Test("pictures of one camera share an entry among the roles, at the place of the camera's first picture")
    func roles() throws {
        let text = "cameras: {road: \"camera:0\", map: pattern:bars, lane: \"camera:0\"}"
        #expect(try RigFile(text, path: "rig.yaml").rig.roles == ["road+lane", "map"])
    }

    @Test("overlays lie above layers with equal z, in their order")
    func overlayOrder() throws {
        var rig = Rig()
        rig.overlays = try ["a.png", "b.png", "c.png,z=1"].map { try OverlayArgument(watermark: $0) }
        let nodes = try RigNodes(canvas: .hd720, Telemetry()).changed(from: Rig(), to: rig, sound: nil)
        #expect(nodes.overlays.map { $0.record?.z } == [2048, 2049, 6146])
    }

    @Test("a named layout places all its cameras")
    func wholeLayout() throws {
        let text = "cameras: {a: pattern:scene, b: pattern:bars}\nscenes: {both: {layout: side-by-side, of: [b, a]}}"
        let rig = try RigFile(text, path: "rig.yaml").rig
        #expect(rig.layers.map(\.picture) == ["b", "a"])
        #expect(rig.layers.map { Optional($0.placement) } == Layout.sideBySide.placements(count: 2))
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        let text: String
        let line: Int?
        let reason: String
        var testDescription: String { reason }

        init(_ text: String, line: Int?, _ reason: String) {
            (self.text, self.line, self.reason) = (text, line, reason)
        }
    }

    private static let cameras = "cameras: {road: pattern:scene, driver: pattern:bars}\n"

    static let mistakes = [
        Mistake("", line: nil, "the file is empty"),
        Mistake("canvas: {size: 720p}\n", line: 1, "there are no cameras"),
        Mistake(cameras + "version: 2\nfuture: on\n", line: 2, "it has version 2, and this program reads version 1"),
        Mistake("version: new\n" + cameras, line: 1, "new is not the version of a configuration"),
        Mistake(cameras + "scene: drive\n", line: 2, "scene: there is no scene drive"),
        Mistake(cameras + "scnes: {}\n", line: 2, "a configuration has no key scnes; did you mean scenes?"),
        Mistake(cameras + "canvas: {size: 721x3}\n", line: 2, "width and height must be even"),
        Mistake(cameras + "canvas: {fps: quick}\n", line: 2, "quick is not a frame rate"),
        Mistake(cameras + "canvas: {light: linaer}\n", line: 2, "there is no light linaer; did you mean linear?"),
        Mistake("cameras:\n  road: {sorce: camera:0}\n", line: 2, "a camera has no key sorce; did you mean source?"),
        Mistake("cameras:\n  road: {size: 720p}\n", line: 2, "road has no source"),
        Mistake("cameras:\n  road: {source: pattern:scen}\n", line: 2, "there is no pattern scen; did you mean scene?"),
        Mistake("cameras:\n  road: {source: pattern:scene, size: {}}\n", line: 2, "size must be a word or a number"),
        Mistake(
            "cameras:\n  road: {source: camera:0, controls: {exposure: bright}}\n", line: 2,
            "exposure is bright, but must be auto, once, locked, or a time as in 1/50s and 20ms"),
        Mistake("cameras:\n  road: {source: pattern:scene, enabled: off}\n", line: 2, "cannot be switched off"),
        Mistake(cameras + "scenes:\n  a: {main: raod}\n", line: 3, "there is no camera raod; did you mean road?"),
        Mistake(
            cameras + "scenes:\n  a: {main: road, insets: [{of: driver, at: middle}]}\n", line: 3,
            "middle is not at=X:Y"),
        Mistake(
            cameras + "scenes:\n  a: {main: road, insets: [{of: driver, opacty: 1}]}\n", line: 3,
            "a layer has no key opacty; did you mean opacity?"),
        Mistake(
            cameras + "scenes:\n  a: {main: road, insets: [road]}\n", line: nil, "the scene a: road occurs twice"),
        Mistake(cameras + "scenes:\n  a: {layout: gird}\n", line: 3, "there is no layout gird; did you mean grid?"),
        Mistake(
            cameras + "scenes:\n  a: {layers: [road], main: road}\n", line: 3,
            "main and layers exclude each other: give one"),
        Mistake(
            cameras + "effects:\n  road: [vigntte]\n", line: 3, "there is no effect vigntte; did you mean vignette?"),
        Mistake(cameras + "effects:\n  road: [{vignette: 7}]\n", line: 3, "vignette: strength is 7, but must be"),
        Mistake(cameras + "effects:\n  rear: [sepia]\n", line: 3, "effects: there is no camera rear"),
        Mistake(cameras + "outputs: [{to: out.mp5}]\n", line: 2, "the ending .mp5 is unknown"),
        Mistake(cameras + "outputs: [{of: road}]\n", line: 2, "an output needs a destination"),
        Mistake(cameras + "outputs: [main:out.y4m]\n", line: 2, "write of: CAMERA"),
        Mistake(cameras + "outputs: [out.y4m, out.y4m]\n", line: nil, "two outputs write out.y4m"),
        Mistake(cameras + "audio: {inputs: [camera:rear]}\n", line: 2, "there is no camera rear"),
        Mistake(cameras + "pressure: balnced\n", line: 2, "there is no policy balnced; did you mean balanced?"),
        Mistake(cameras + "pressure: {steps: [{at: fair, do: nothing}]}\n", line: 2, "there is no action nothing"),
        Mistake(cameras + "panel: {port: 8080}\n", line: 2, "the panel has no key port"),
        Mistake(
            cameras + "run: {duration: 3s, frames: 3}\n", line: 2, "duration and frames exclude each other: give one"),
        Mistake(
            cameras + "overlays: [{txt: Cam}]\n", line: 2, "an overlay must have one of the keys"),
        Mistake("cameras: &a {road: pattern:scene}\nscenes: *a\n", line: 1, "anchors and aliases"),
        Mistake("cameras: {road: pattern:scene, road: pattern:bars}\n", line: 1, "the key road occurs twice"),
        Mistake("cameras: [\n", line: 2, "the file is not valid YAML"),
        Mistake("- a\n- b\n", line: 1, "a configuration must be a mapping of \"key: value\""),
    ]

    @Test("row 45: a mistake is one sentence with file, line and the nearest key", arguments: mistakes)
    func tellsMistakes(_ mistake: Mistake) throws {
        let error = try #require(throws: ConfigurationError.self) { try RigFile(mistake.text, path: "rig.yaml") }
        let place = mistake.line.map { "rig.yaml, line \($0): " } ?? "rig.yaml: "
        #expect(error.description.hasPrefix(place), "\(error)")
        #expect(error.description.contains(mistake.reason), "\(error)")
        FaultReport.record(row: 45, figures: "\(Self.mistakes.count) mistakes, each with its line")
    }

    // MARK: Writing

    private func written(_ file: RigFile) throws -> RigFile { try RigFile(RigFileWriter.text(of: file), path: "again") }

    /// A configuration with a value in each section.
    private static let everything = """
        canvas: {size: 640x360, fps: max, light: linear}
        cameras:
          'the road': {source: "pattern:scene?seed=3", mask: m.png}
          driver: {source: camera:C920, size: 640x480, controls: {brightness: 3}, enabled: off}
        scenes:
          a: {main: the road, insets: [{of: driver, at: "10:20", width: 33.3%, border: "2:red", shadow: 4, mirror: on}]}
          b: {layout: grid, of: [driver, the road]}
          c: {layers: [{of: driver, width: 50%, rotate: 90, blend: "chroma-key:color=green"}, the road]}
        scene: c
        effects: {output: [{posterize: {levels: 4, muted: on}}], driver: 'mirror,tone-curve=0/0 1/1'}
        overlays: [{text: "A, B \\x26 C: 'x'", at: top, size: 20}, {clock: "%H:%M"}]
        audio: {inputs: ["movie:driver,gain=-3dB", tone]}
        outputs: ["null:", {to: f/%05d.png, of: driver, paused: on}]
        stills: [{to: still.jpg, of: driver, quality: 50}]
        match-cameras: copy
        draw: {renderer: cpu, threads: 2, fuse: off, share-buffers: never}
        pressure: {policy: keep-fps, pin: fair, wait: on}
        panel: {listen: "unix:/run/p.sock", token: "${TOKEN}", root: out, recordings: "out?changes=off"}
        run: {frames: 90, require-both: on, realtime: on}
        log: {format: json, level: quiet}
        """

    @Test("a written configuration is parsed to the same configuration")
    func roundTrip() throws {
        let file = try RigFile(Self.everything, path: "rig.yaml")
        let again = try written(file)
        let (first, second) = (file.rig, again.rig)
        #expect(first.canvas == second.canvas && first.clock == second.clock)
        #expect(first.light == .linear && second.light == .linear)
        #expect(first.pictures.map(\.name) == second.pictures.map(\.name))
        #expect(first.pictures.map(\.source.identity) == second.pictures.map(\.source.identity))
        #expect(first.pictures.map(\.isEnabled) == second.pictures.map(\.isEnabled))
        #expect(first.scenes == second.scenes && first.scene == second.scene && first.layers == second.layers)
        for target in ["driver", "output"] {
            let (left, right) = (first.chains[target] ?? [], second.chains[target] ?? [])
            #expect(left.count == right.count && !left.isEmpty)
            for (one, other) in zip(left, right) {
                #expect(one.effect.equals(other.effect) && one.isMuted == other.isMuted)
            }
        }
        #expect(first.overlays.map(\.content) == second.overlays.map(\.content))
        #expect(first.overlays.map(\.placement) == second.overlays.map(\.placement))
        #expect(
            first.sound.map(\.kind) == second.sound.map(\.kind) && first.sound.map(\.gain) == second.sound.map(\.gain))
        #expect(first.outputs.map(\.sink.kind) == second.outputs.map(\.sink.kind))
        #expect(first.outputs.map(\.of) == second.outputs.map(\.of))
        #expect(first.outputs.map(\.isPaused) == second.outputs.map(\.isPaused))
        #expect(first.stills == second.stills && first.matching == second.matching && first.drawing == second.drawing)
        #expect(again.panel == file.panel && again.log == file.log)
        #expect(again.run == file.run && again.run.frames == 90 && again.run.requiresCameras && again.run.isRealTime)
        #expect(again.pressure.pinned == .fair && again.pressure.waits && again.pressure.policy.name == "keep-fps")
        #expect(RigFileWriter.text(of: again) == RigFileWriter.text(of: file))
    }

    @Test("a literal password is not written, but the name of its key is")
    func secrets() throws {
        let key = "PIP_RIG_TEST_KEY"
        unsafe setenv(key, "hush-hush", 1)
        let text = """
            cameras: {a: "rtsp://viewer:open-sesame@host/live", b: "rtsp://viewer:${\(key)}@host/live"}
            outputs: ["rtmp://host/app/typed-key", "rtmp://host/app/${\(key)}"]
            """
        let written = RigFileWriter.text(of: try RigFile(text, path: "rig.yaml"))
        #expect(!written.contains("open-sesame") && !written.contains("typed-key") && !written.contains("hush-hush"))
        #expect(written.contains("${\(key)}@host") && written.contains("rtmp://host/app/${\(key)}"))
    }

    @Test(
        "a written text is parsed to the same text",
        arguments: ["a", "a: b", "- x", "#", "&x *y", "\"q\"", "true", "ü\n", "{", "5"])
    func scalars(_ text: String) throws {
        let file = try ConfigurationFile("k: \(RigFileWriter.scalar(text))", path: "x")
        let node = try #require(try file.members(of: file.root, "x", known: ["k"])["k"])
        #expect(try file.text(node, "k") == text)
    }
}
