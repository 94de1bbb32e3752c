import Foundation
import PipCompose
import PipTestSupport
import Testing

@testable import PipRig

@Suite("Policy files")
struct PolicyFileTests {
    @Test("a file has steps in order, with their mitigations, delays and times")
    func steps() throws {
        let policy = try read(
            """
            # For a board in a car.
            steps:
              - {at: fair, do: inset-rate, to: 15}
              - at: serious
                do: effects
                to: cheap
              - {at: serious, do: fast-encoding}
              - {at: serious, do: bit-rate, to: 60%}
              - {at: critical, do: inset-off}
              - {at: critical, do: main-resolution, to: 720p, after: 20s}
              - {at: shutdown, do: pause}
            timing:
              camera-hold: 2m
            """)
        #expect(
            policy.steps == [
                PressureStep(at: .fair, .insetRate(FrameRate(15))), PressureStep(at: .serious, .effects(.cheap)),
                PressureStep(at: .serious, .fastEncoding), PressureStep(at: .serious, .bitRate(0.6)),
                PressureStep(at: .critical, .insetOff),
                PressureStep(at: .critical, .mainResolution(.hd720), after: .seconds(20)),
                PressureStep(at: .shutdown, .pause),
            ])
        #expect(policy.timing.cameraHold == .seconds(120))
        #expect(policy.timing.dwell == PressureTiming().dwell)
        #expect(policy.name == nil)
    }

    @Test("a file may take a preset and change its times", arguments: PressurePolicy.presets)
    func preset(preset: PressurePolicy) throws {
        let policy = try read("preset: \(preset.name ?? "")\ntiming: {dwell: 5s}\n")
        #expect(policy.steps == preset.steps)
        #expect(policy.timing.dwell == .seconds(5))
    }

    @Test("a file may have thresholds of thermometers for the levels")
    func thresholds() throws {
        let policy = try read(
            """
            preset: balanced
            thresholds:
              cpu-thermal: {fair: 65, serious: 72.5, critical: 78, shutdown: 84}
              "hwmon0 temp1 (nvme Composite)": {serious: 70}
            """)
        #expect(
            policy.thresholds == [
                "cpu-thermal": LevelThresholds(fair: 65, serious: 72.5, critical: 78, shutdown: 84),
                "hwmon0 temp1 (nvme Composite)": LevelThresholds(serious: 70),
            ])
        #expect(policy.steps == PressurePolicy.balanced.steps)
        #expect(policy.waitingAtShutdown.thresholds == policy.thresholds)
    }

    @Test(
        "an error in a file names its line",
        arguments: [
            ("steps:\n  - {at: warm, do: inset-off}", "line 2: at: there is no level warm; known are nominal"),
            ("steps:\n  - {at: serous, do: stop}", "did you mean serious?"),
            (
                "steps:\n  - {at: critical, do: inset-of}",
                "line 2: there is no action inset-of; did you mean inset-off?"
            ),
            ("steps:\n  - {at: critical, do: inset-off, to: 5}", "line 2: inset-off takes no target"),
            ("steps:\n  - {at: fair, do: bit-rate, to: 0.5}", "line 2: bit-rate: 0.5 is not a share of the bit rate"),
            ("steps:\n  - {at: fair, do: bit-rate, to: 100%}", "line 2: the step \"fair: bit-rate 100 %\": a share"),
            ("steps:\n  - {at: fair, do: bit-rate, to: 1e30%}", "line 2: the step \"fair: bit-rate 1e+30 %\": a share"),
            ("steps:\n  - {at: fair, do: fast-encoding, to: 1}", "line 2: fast-encoding takes no target"),
            ("steps:\n  - {at: fair, do: inset-rate}", "line 2: inset-rate needs a target: add the key \"to\""),
            ("steps:\n  - {at: fair, do: inset-rate, to: fast}", "line 2: inset-rate: fast is not a frame rate"),
            ("steps:\n  - {at: fair, do: inset-rate, to: [1]}", "line 2: inset-rate must be a word or a number"),
            ("steps:\n  - {at: critical, do: main-resolution, to: big}", "line 2: main-resolution: big is not a size"),
            (
                "steps:\n  - {at: fair, do: effects, to: full}",
                "line 2: the step \"fair: effects full\" changes nothing"
            ),
            ("steps:\n  - {at: fair, do: effects, to: chep}", "did you mean cheap?"),
            ("steps:\n  - {at: fair, do: effects, to: cheap, after: 20}", "20 has no unit"),
            ("steps:\n  - {at: serious, do: inset-off}", "line 2: the step \"serious: inset-off\" interrupts a camera"),
            (
                "steps:\n  - {at: serious, do: main-rate, to: 20}\n  - {at: fair, do: inset-rate, to: 9}",
                "line 3: the step \"fair: inset-rate 9\" comes after"
            ),
            ("steps:\n  - {at: fair}", "line 2: a step needs a level"),
            ("steps:\n  - [fair]", "line 2: a step must be a mapping of \"key: value\""),
            ("steps: fair", "line 1: steps must be a list"),
            ("step: []", "line 1: a policy has no key step; did you mean steps?"),
            ("preset: fast\n", "line 1: preset: there is no policy fast"),
            ("preset: off\nsteps: []", "preset and steps exclude each other: give one"),
            ("timing: {dwell: 1s}", "a policy needs a preset or steps"),
            ("preset: off\ntiming: {dwel: 1s}", "line 2: timing has no key dwel; did you mean dwell?"),
            (
                "preset: off\nthresholds:\n  cpu: {fair: 80, serious: 70}",
                "line 3: thresholds of cpu: serious begins at 70.0 °C, below fair"
            ),
            ("preset: off\nthresholds: {cpu: {sirious: 70}}", "has no key sirious; did you mean serious?"),
            ("preset: off\nthresholds: {cpu: {serious: hot}}", "serious: hot is not a temperature"),
            ("preset: off\nthresholds: {cpu: {serious: inf}}", "serious: inf is not a temperature"),
            ("preset: off\nthresholds: {cpu: {serious: 300}}", "but must be -20.0 °C to 125.0 °C"),
            ("preset: off\nthresholds: {cpu: {}}", "thresholds of cpu: at least one threshold is needed"),
            ("preset: off\nthresholds: {serious: 70, fair: 80}", "the entry of serious must be a mapping of"),
            ("preset: off\nthresholds: 70", "thresholds must be a mapping of \"sensor: {level: degrees}\""),
            ("preset: off\nthresholds: {[1]: {fair: 70}}", "a key must be a word"),
            ("preset: off\npreset: off", "the key preset occurs twice"),
            ("preset: off\ntiming: {relapse-hold: 2h}", "is longer than the longest hold"),
            ("a: &x [1]\nb: *x", "line 1: anchors and aliases"),
            ("preset: off\nb: *x", "line 2: anchors and aliases"),
            ("preset: [off", "the file is not valid YAML"),
            ("just words", "line 1: a policy must be a mapping of \"key: value\""),
            ("", "the file is empty"),
            ("\u{0}", "the file is not valid YAML"),
        ])
    func mistakes(text: String, reason: String) {
        let error = #expect(throws: ConfigurationError.self) { try read(text) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
        #expect(error?.description.hasPrefix("board.yaml") == true)
    }

    @Test("row 45: a configuration of a megabyte, of nested anchors or of a thousand nested lists is refused")
    func hostile() throws {
        let long = "# " + String(repeating: "x", count: ConfigurationFile.sizeLimit) + "\npreset: off"
        #expect(throws: ConfigurationError.self) { try read(long) }
        var bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n"
        for (name, last) in zip("bcdefghij", "abcdefghi") {
            bomb += "\(name): &\(name) [" + Array(repeating: "*\(last)", count: 9).joined(separator: ", ") + "]\n"
        }
        #expect(throws: ConfigurationError.self) { try read(bomb) }
        #expect(throws: ConfigurationError.self) { try read(String(repeating: "[", count: 100_000)) }
        #expect(throws: ConfigurationError.self) { try read(String(repeating: "- ", count: 100_000)) }
        let many = String(repeating: "  - {at: fair, do: inset-rate, to: 15}\n", count: 20_000)
        #expect(throws: ConfigurationError.self) { try read("steps:\n\(many)") }
    }

    @Test("a path that is missing, a folder, or not text is refused as such")
    func files() throws {
        let folder = try TemporaryFolder()
        try folder.write([0xff, 0xfe, 0xfd], to: "bytes.yaml")
        for (path, reason) in [
            ("/nowhere/p.yaml", "No such file or directory"), (folder.url.path, "it is a folder"),
            (folder.path("bytes.yaml"), "the file is not UTF-8 text"),
        ] {
            let error = #expect(throws: ConfigurationError.self) { try PolicyFile(path: path) }
            #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
        }
    }

    private func read(_ text: String) throws -> PressurePolicy {
        try PolicyFile(text, path: "board.yaml").policy()
    }
}
