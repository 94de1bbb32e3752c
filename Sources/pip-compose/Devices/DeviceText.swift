import PipCompose
import PipRig

extension DeviceReport {
    /// The report as the text that `devices` prints; advice if there is no camera.
    var text: String {
        guard !cameras.isEmpty else { return noCameras }
        var blocks = [counted(cameras.count, "camera")]
        blocks += cameras.enumerated().map { index, entry in entry.text(index) }
        if !unusable.isEmpty { blocks.append((["Not usable:"] + unusable.map { "  \($0)" }).joined(separator: "\n")) }
        blocks += sensors + virtualCameras
        let second = cameras.count > 1 ? "camera:1" : "pattern:scene"
        blocks.append("Compose them:\n  pip-compose --main camera:0 --inset \(second) --output out.y4m --duration 10s")
        return blocks.joined(separator: "\n\n")
    }

    /// The section about virtual cameras to which no program writes; empty if there are none.
    private var virtualCameras: [String] {
        guard !idleVirtualCameras.isEmpty else { return [] }
        let lines = idleVirtualCameras.map { "  \($0.path)  \($0.label)  (--output 'virtual-camera:\($0.label)')" }
        return [(["Virtual cameras that nobody writes to:"] + lines).joined(separator: "\n")]
    }

    /// The section about sensors, with libcamera's names for them; empty on a machine without such sensors.
    private var sensors: [String] {
        guard sensorCameras.isNeeded else { return [] }
        let names = sensorCameras.names
        let lines =
            names.isEmpty
            ? ["  libcamera finds none: sudo apt-get install \(SensorCameras.package)"]
            : names.map { "  camera:libcamera:\($0)" }
        return [(["Sensors, as libcamera makes pictures of them:"] + lines).joined(separator: "\n")]
    }

    private var noCameras: String {
        var lines = ["No camera found.", ""]
        if unusable.isEmpty {
            lines += ["Looked for nodes /dev/video0, /dev/video1 … that capture video: there are none."]
        } else {
            lines += ["There are nodes, but none can be used:"] + unusable.map { "  \($0)" }
        }
        lines += [
            "", "What helps:",
            "  Plug a camera in, then look whether the kernel shows it:  ls -l /dev/video*",
            "  If it is there but may not be opened:                     sudo usermod -aG video $USER  (then log in again)",
            "  In a container, hand the device in:                       docker run --device /dev/video0 …",
        ]
        if let note = portalCameras.note { lines += ["  Or: \(note)."] }
        lines += [
            "", "Without a camera, test patterns do:",
            "  pip-compose --main pattern:scene --inset 'pattern:scene?seed=1' --output out.y4m --duration 3s",
        ]
        return ([lines.joined(separator: "\n")] + sensors + virtualCameras).joined(separator: "\n\n")
    }
}

extension DeviceReport.Entry {
    private static let shownSizes = 12
    private static let labelWidth = 10

    /// The position, role and rotation of the camera, as far as known; nil if nothing is known.
    private var mounting: String? {
        let position = camera.position.map { "\($0.rawValue) (camera:\($0.rawValue))" }
        let rotation = camera.rotation.flatMap { $0 == 0 ? nil : "upright when turned by \($0)° counterclockwise" }
        let parts = [position, camera.isUsual ? "the default" : nil, rotation].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    fileprivate func text(_ index: Int) -> String {
        var lines = ["camera:\(index)  \(camera.card)"]
        lines.append("  node      \(camera.path) (driver \(camera.driver), at \(camera.busInfo))")
        lines.append("  lasting   camera:\(camera.stableName)")
        if let mounting { lines += Self.block("position", mounting) }
        if !siblings.isEmpty {
            let names = siblings.map { "camera:\($0.index) (\($0.camera.path))" }.joined(separator: " and ")
            lines += Self.block("device", "the same as that of \(names)")
        }
        if let ambiguity = camera.ambiguity { lines += Self.block("note", ambiguity) }
        if let trouble { lines += Self.block("trouble", trouble.description) }
        for group in formatGroups {
            let names = group.names.joined(separator: " ")
            if names.count < Self.labelWidth {
                lines += Self.block(names, group.text)
            } else {
                lines += Self.block("formats", names) + Self.block("", group.text)
            }
        }
        if let sensor {
            lines += Self.block("sensor", "\(sensor) pixels, of which it reads a part for zoom=2, beyond its lens")
        }
        for (index, word) in AdjustmentSupport(controls).words.enumerated() {
            lines += Self.block(index == 0 ? "adjust" : "", "\(word.key)=\(word.values)")
        }
        let names = controls.filter { !$0.isReadOnly }.map { "\($0.name)\($0.value.map { "=\($0)" } ?? "")" }
        if !names.isEmpty { lines += Self.block("controls", names.joined(separator: "  ")) }
        return lines.joined(separator: "\n")
    }

    /// The formats, grouped by the text of their sizes and rates.
    private var formatGroups: [(names: [String], text: String)] {
        var groups: [(names: [String], text: String)] = []
        for format in formats {
            let modes = text(format)
            if let index = groups.firstIndex(where: { $0.text == modes }) {
                groups[index].names.append(format.format.description)
            } else {
                groups.append(([format.format.description], modes))
            }
        }
        return groups
    }

    private func text(_ format: FormatModes) -> String {
        var parts = format.sizes.prefix(Self.shownSizes).map { size in
            let rates = size.rates.map(\.description).joined(separator: "/")
            return rates.isEmpty ? "\(size.size)" : "\(size.size)@\(rates)"
        }
        let more = format.sizes.count - parts.count
        if more > 0 { parts.append("and \(more) smaller") }
        if !format.isUsable { parts.append("(cannot be decoded here)") }
        if format.isEmulated { parts.append("(converted by a library)") }
        return parts.joined(separator: "  ")
    }

    private static func block(_ label: String, _ text: String) -> [String] {
        wrapped(text, width: 68).enumerated().map { index, line in
            let head = index == 0 ? label : ""
            return "  " + head + String(repeating: " ", count: max(1, labelWidth - head.count)) + line
        }
    }
}
