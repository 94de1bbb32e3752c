import PipCompose
import PipInputs
import PipRig

/// The keys, GPIO lines and accelerometers of this machine that triggers can read, and its CAN buses.
struct InputReport {
    private static let shownKeys = 8
    private static let labelWidth = 10

    let survey: InputSurvey

    /// The report as the text that `devices --inputs` prints; advice if there is no device.
    var text: String {
        let blocks = keys + chips + accelerometers + buses
        guard !blocks.isEmpty else { return Self.nothing }
        return blocks.joined(separator: "\n\n")
    }

    private static let nothing = """
        No device for triggers found: no input device with keys, no GPIO chip, no accelerometer and no CAN bus.

        What helps:
          Plug a keyboard, a pedal or a button in, then look whether the kernel shows it:  ls -l /dev/input
          In a container, hand the devices in:  docker run --device /dev/input --device /dev/gpiochip0 …
          Triggers without a device: lost, motion:main>0.05, sound>-20dB, line
        """

    private var keys: [String] {
        survey.keyDevices.map { device in
            let names = device.keys.map(\.description)
            let more = names.count - Self.shownKeys
            let shown = names.prefix(Self.shownKeys).joined(separator: " ") + (more > 0 ? " and \(more) more" : "")
            return Self.block(
                "keys of \(device.name.isEmpty ? device.path : device.name)",
                [
                    ("node", device.path), ("keys", device.keys.isEmpty ? nil : shown),
                    ("trigger", device.trigger.map { "--on '\($0)'" }), ("trouble", device.problem?.description),
                ])
        }
    }

    private var chips: [String] {
        survey.chips.map { chip in
            let lines = chip.lines.map { line in
                (line.name.isEmpty ? "\(line.number)" : "\(line.number) \(line.name)")
                    + (line.user.map { " (in use by \($0))" } ?? "")
            }
            return Self.block(
                "GPIO chip \(chip.name)\(chip.label.isEmpty ? "" : " (\(chip.label))")",
                [
                    ("node", chip.path), ("lines", chip.problem == nil ? "0 to \(Int(chip.lineCount) - 1)" : nil),
                    ("named", lines.isEmpty ? nil : lines.joined(separator: ", ")),
                    ("trigger", chip.trigger.map { "--on '\($0)'" }), ("trouble", chip.problem?.description),
                ])
        }
    }

    private var accelerometers: [String] {
        survey.accelerometers.map { sensor in
            Self.block(
                "accelerometer \(sensor.name)",
                [
                    ("device", sensor.device),
                    ("trigger", sensor.problem == nil ? "--on '\(sensor.trigger)'" : nil),
                    ("trouble", sensor.problem?.description),
                ])
        }
    }

    private var buses: [String] {
        survey.buses.map { bus in
            Self.block(
                "CAN bus \(bus.interface)",
                [
                    ("values", bus.problem == nil ? "--telemetry can:\(bus.interface),dbc=FILE" : nil),
                    ("trouble", bus.problem?.description),
                ])
        }
    }

    private static func block(_ title: String, _ rows: [(label: String, text: String?)]) -> String {
        var lines = [title]
        for (label, text) in rows {
            guard let text else { continue }
            for (index, line) in wrapped(text, width: 68).enumerated() {
                let head = index == 0 ? label : ""
                lines.append("  \(head)\(String(repeating: " ", count: labelWidth - head.count))\(line)")
            }
        }
        return lines.joined(separator: "\n")
    }

    /// The report as the JSON document that `devices --inputs --json` prints.
    var document: JSON {
        .object([
            "keys": JSON.array(
                survey.keyDevices.map { device in
                    .object([
                        "name": device.name, "device": device.path, "keys": device.keys.map(\.description),
                        "trigger": device.trigger, "trouble": device.problem?.description,
                    ])
                }),
            "gpio": JSON.array(
                survey.chips.map { chip in
                    .object([
                        "name": chip.name, "device": chip.path, "label": chip.label, "lines": Int(chip.lineCount),
                        "named": JSON.array(
                            chip.lines.map { .object(["line": Int($0.number), "name": $0.name, "user": $0.user]) }),
                        "trigger": chip.trigger, "trouble": chip.problem?.description,
                    ])
                }),
            "accelerometers": JSON.array(
                survey.accelerometers.map { sensor in
                    .object([
                        "name": sensor.name, "device": sensor.device, "trigger": sensor.trigger,
                        "trouble": sensor.problem?.description,
                    ])
                }),
            "buses": JSON.array(
                survey.buses.map { .object(["interface": $0.interface, "trouble": $0.problem?.description]) }),
        ])
    }
}

extension InputSurvey.KeyDevice {
    /// A trigger by the device's first key; nil for a device whose keys are unknown.
    fileprivate var trigger: String? {
        // A comma would end the cause, and a path stays within one start of the machine only.
        let isNamed = !name.isEmpty && !name.contains { ",'".contains($0) }
        return keys.first.map { "key:\(isNamed ? name : path):\($0)" }
    }
}

extension InputSurvey.Chip {
    /// The chip's name: `gpiochip0`.
    fileprivate var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// A trigger by the first free line; nil for a chip that may not be read or has no free line.
    fileprivate var trigger: String? {
        let used = Set(lines.filter { $0.user != nil }.map(\.number))
        guard problem == nil, let line = (0..<lineCount).first(where: { !used.contains($0) }) else { return nil }
        return "gpio:\(name):\(line)"
    }
}

extension InputSurvey.Sensor {
    fileprivate var trigger: String { "blow:\(name.contains(",") ? device : name)>2.5g" }
}
