import ArgumentParser
import Foundation
import PipInputs
import PipTestSupport
import SystemPackage
import Testing

@testable import PipRig
@testable import pip_compose

@Suite("Lists of the devices that triggers can read")
struct InputReportTests {
    private let tree: AccelerometerTree
    private let devices: FakeInputs

    init() throws {
        tree = try AccelerometerTree()
        devices = FakeInputs(root: tree.root)
    }

    private var survey: InputSurvey { InputSurvey(devices) }
    private var findings: [Finding] { InputCheck(survey).findings }

    private func fill() throws {
        devices.plug("/dev/input/event0", "Lid Switch", [])
        devices.plug("/dev/input/event3", "FootSwitch", ["KEY_B", "KEY_A", "KEY_C"])
        devices.plug("/dev/input/event901", "Keyboard", ["KEY_A"], refusal: .permissionDenied)
        devices.add(chip: "/dev/gpiochip0", label: "pinctrl-bcm2835", lines: 54)
        devices.name(
            [GPIOLine(number: 0, name: "ID_SDA", user: "i2c"), GPIOLine(number: 17, name: "GPIO17", user: nil)],
            of: "/dev/gpiochip0")
        try tree.add(2, "adxl345", axes: [0, 0, 16384])
    }

    @Test("keys, chips with their named lines and accelerometers are listed, each with a trigger that reads it")
    func list() throws {
        try fill()
        let text = InputReport(survey: survey).text
        for part in [
            "keys of FootSwitch\n  node      /dev/input/event3\n  keys      KEY_A KEY_C KEY_B\n"
                + "  trigger   --on 'key:FootSwitch:KEY_A'",
            "GPIO chip gpiochip0 (pinctrl-bcm2835)\n  node      /dev/gpiochip0\n  lines     0 to 53\n"
                + "  named     0 ID_SDA (in use by i2c), 17 GPIO17\n  trigger   --on 'gpio:gpiochip0:1'",
            "accelerometer adxl345\n  device    iio:device2\n  trigger   --on 'blow:adxl345>2.5g'",
            "keys of Keyboard\n  node      /dev/input/event901\n  trouble   /dev/input/event901: only root may read",
        ] {
            #expect(text.contains(part), "\(part) is missing in:\n\(text)")
        }
        #expect(!text.contains("Lid Switch"))
        for trigger in text.matches(of: /--on '([^']*)'/) {
            #expect(throws: Never.self) { try TriggerArgument(String(trigger.1)) }
        }
        #expect(devices.readers(of: "/dev/input/event3") == 0, "nothing stays open")
    }

    @Test("the document has what the text has, for programs")
    func document() throws {
        try fill()
        let document = InputReport(survey: survey).document.line
        for part in [
            #"{"name": "FootSwitch", "device": "/dev/input/event3", "keys": ["KEY_A", "KEY_C", "KEY_B"], "#
                + #""trigger": "key:FootSwitch:KEY_A", "trouble": null}"#,
            #""label": "pinctrl-bcm2835", "lines": 54, "named": [{"line": 0, "name": "ID_SDA", "user": "i2c"}, "#
                + #"{"line": 17, "name": "GPIO17", "user": null}]"#,
            #"{"name": "adxl345", "device": "iio:device2", "trigger": "blow:adxl345>2.5g", "trouble": null}"#,
            #""keys": [], "trigger": null, "trouble": "/dev/input/event901: only root may read"#,
        ] {
            #expect(document.contains(part), "\(part) is missing in:\n\(document)")
        }
        let empty = InputReport(survey: InputSurvey(FakeInputs()))
        #expect(empty.document.line == #"{"keys": [], "gpio": [], "accelerometers": [], "buses": []}"#)
        #expect(empty.text.contains("docker run --device /dev/input"))
    }

    @Test("the doctor counts what triggers can read, and names the group or the rule for what they cannot")
    func doctor() throws {
        #expect(findings == [])
        try fill()
        #expect(findings.map(\.severity) == [.ok, .note] && findings.allSatisfy { $0.subject == "triggers" })
        #expect(findings[0].detail.contains("keys: 1, GPIO chips: 1, accelerometers: 1; pip-compose devices --inputs"))
        #expect(findings[1].detail.contains("/dev/input/event901: only root may read the input device"))
        #expect(findings[1].detail.contains(#"SUBSYSTEM=="input", GROUP="input""#))
        devices.plug("/dev/input/event902", "Second", ["KEY_A"], refusal: .permissionDenied)
        #expect(findings[1].detail.contains("holds for 1 more"))
        try tree.write("gone\n", to: 2, "in_accel_x_raw")
        #expect(findings.count == 3 && findings[2].detail.contains("is no number"))
    }

    @Test("two lists at once are refused")
    func two() {
        #expect(throws: (any Error).self) { try DevicesCommand.parse(["--audio", "--inputs"]) }
        #expect(throws: Never.self) { try DevicesCommand.parse(["--inputs", "--json"]) }
    }
}
