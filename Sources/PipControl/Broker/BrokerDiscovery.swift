#if Control
internal import PipCompose
internal import PipRig

/// The document by which Home Assistant finds the composition: one device with its entities.
///
/// Source: Home Assistant, integration MQTT, "MQTT discovery", "Device discovery payload".
struct BrokerDiscovery: Sendable, Equatable {
    /// The type of the event of a marked moment.
    static let momentType = "marked"

    let topics: BrokerTopics
    /// The name and version of the program.
    let program: String
    let cameras: [String]
    let scenes: [String]
    let hasThumbnail: Bool

    init(_ topics: BrokerTopics, program: String, _ state: BrokerState, hasThumbnail: Bool) {
        (self.topics, self.program, self.hasThumbnail) = (topics, program, hasThumbnail)
        (cameras, scenes) = (state.cameras.map(\.name), state.scenes)
    }

    /// The platforms of all entities, keyed by the entities' identifiers in the document.
    var platforms: [String: String] {
        Dictionary(components.map { ($0.key, $0.platform) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the document.
    ///
    /// - Parameter gone: The platforms of entities that an earlier document had, keyed by their identifiers. Home
    ///   Assistant removes those that this document no longer has.
    /// - Returns: The document as JSON.
    func document(replacing gone: [String: String] = [:]) -> JSON {
        let present = platforms
        let removed = gone.filter { present[$0.key] == nil }.sorted { $0.key < $1.key }
        let version = program.split(separator: " ").last.map(String.init) ?? program
        return .object([
            "dev": JSON.object([
                "ids": [topics.name], "name": topics.name, "mf": "pip-compose", "mdl": "Composition of cameras",
                "sw": version,
            ]),
            "o": JSON.object(["name": "pip-compose", "sw": version]),
            "availability_topic": topics.status,
            "cmps": JSON.object(
                components.map { JSON.Member($0.key, $0.json(of: topics)) }
                    + removed.map { JSON.Member($0.key, JSON.object(["p": $0.value])) }),
        ])
    }

    /// An entity of Home Assistant.
    private struct Component {
        let key: String
        let platform: String
        let name: String
        let members: KeyValuePairs<String, any JSONConvertible>

        func json(of topics: BrokerTopics) -> JSON {
            var json = JSON.object(["p": platform, "unique_id": "\(topics.name)_\(key)", "name": name])
            for (key, value) in members { json.add(key, value) }
            return json
        }
    }

    private var components: [Component] {
        var components = [pressure, frameRate, moment, button] + cameras.map(camera)
        if scenes.count > 1 { components.append(scene) }
        if hasThumbnail { components.append(thumbnail) }
        return components
    }

    private var pressure: Component {
        Component(
            key: "pressure", platform: "sensor", name: "Pressure",
            members: [
                "state_topic": topics.state, "value_template": "{{ value_json.pressure }}", "device_class": "enum",
                "options": PressureLevel.allCases.map(\.name), "icon": "mdi:thermometer",
                "entity_category": "diagnostic",
            ])
    }

    private var frameRate: Component {
        Component(
            key: "fps", platform: "sensor", name: "Frame rate",
            members: [
                "state_topic": topics.state, "value_template": "{{ value_json.fps }}",
                "unit_of_measurement": "fps", "state_class": "measurement", "icon": "mdi:filmstrip",
                "entity_category": "diagnostic",
            ])
    }

    private var moment: Component {
        Component(
            key: "moment", platform: "event", name: "Moment",
            members: [
                "state_topic": topics.moment, "event_types": [Self.momentType], "icon": "mdi:flag",
            ])
    }

    private var button: Component {
        Component(
            key: "mark", platform: "button", name: "Mark a moment",
            members: [
                "command_topic": topics.setMoment, "payload_press": "Home Assistant", "icon": "mdi:flag-plus",
            ])
    }

    private func camera(_ name: String) -> Component {
        // Names of pictures have no quotation marks and no backslashes.
        let condition = "value_json.cameras['\(name)'] == 'streaming'"
        return Component(
            key: "camera_\(Self.identifier(name))", platform: "binary_sensor", name: name,
            members: [
                "state_topic": topics.state, "value_template": "{{ 'ON' if \(condition) else 'OFF' }}",
                "device_class": "connectivity",
            ])
    }

    private var scene: Component {
        Component(
            key: "scene", platform: "select", name: "Scene",
            members: [
                "state_topic": topics.state, "value_template": "{{ value_json.scene }}",
                "command_topic": topics.setScene, "options": scenes, "icon": "mdi:view-dashboard",
            ])
    }

    private var thumbnail: Component {
        Component(
            key: "thumbnail", platform: "image", name: "Picture",
            members: ["image_topic": topics.thumbnail, "content_type": "image/jpeg"])
    }

    /// A name as a part of an identifier, which differs for different names.
    ///
    /// Letters and digits of ASCII and `-` stay, `_` becomes `__`, and any other byte an underscore with two digits.
    static func identifier(_ name: String) -> String {
        name.utf8.reduce(into: "") { result, byte in
            let scalar = Unicode.Scalar(byte)
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-": result.unicodeScalars.append(scalar)
            case "_": result += "__"
            default: result += (byte < 16 ? "_0" : "_") + String(byte, radix: 16)
            }
        }
    }
}
#endif
