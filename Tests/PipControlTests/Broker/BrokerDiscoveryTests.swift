#if Control
import Foundation
import PipCompose
import PipRig
import Testing

@testable import PipControl

@Suite("The document by which Home Assistant finds a composition")
struct BrokerDiscoveryTests {
    private static let topics = BrokerTopics(name: "car")
    private static let state = BrokerState(
        JSON(
            reading: Array(
                """
                {"cameras": [{"id": "road", "state": "streaming"}, {"id": "rear view", "state": "lost"}],
                 "scenes": ["drive", "talk"], "scene": {"name": "drive"}, "pressure": {"level": "fair"},
                 "output": {"fps": 29.97}, "outputs": [{"id": "o1", "to": "a.mp4", "state": "running", "error": null}]}
                """.utf8)) ?? .null)

    private func discovery(hasThumbnail: Bool = true, _ state: BrokerState = state) -> BrokerDiscovery {
        BrokerDiscovery(Self.topics, program: "pip-compose 1.2.3", state, hasThumbnail: hasThumbnail)
    }

    private func document(_ json: JSON) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(json.line.utf8)) as? [String: Any])
    }

    /// The members that each platform needs, and those that it may have besides.
    ///
    /// Source: Home Assistant, the pages of the integrations "… MQTT".
    private static let schemas: [String: (needed: Set<String>, allowed: Set<String>)] = [
        "sensor": (
            ["state_topic"],
            ["value_template", "device_class", "options", "unit_of_measurement", "state_class"]
        ),
        "binary_sensor": (["state_topic"], ["value_template", "device_class"]),
        "event": (["state_topic", "event_types"], []), "button": (["command_topic"], ["payload_press"]),
        "image": (["image_topic"], ["content_type"]),
        "select": (["command_topic", "options"], ["state_topic", "value_template"]),
    ]

    @Test("has the device, the origin and the availability that Home Assistant asks for")
    func head() throws {
        let document = try document(discovery().document())
        let device = try #require(document["dev"] as? [String: Any])
        #expect(device["ids"] as? [String] == ["car"] && device["name"] as? String == "car")
        let origin = try #require(document["o"] as? [String: Any])
        #expect(origin["name"] as? String == "pip-compose" && origin["sw"] as? String == "1.2.3")
        #expect(document["availability_topic"] as? String == "car/status")
    }

    @Test("has entities with the members that their platforms need, each with an identifier of its own")
    func components() throws {
        let components = try #require(try document(discovery().document())["cmps"] as? [String: [String: Any]])
        #expect(components.count == 8)
        let common: Set = ["p", "unique_id", "name", "icon", "entity_category"]
        for (key, component) in components {
            let platform = try #require(component["p"] as? String)
            let schema = try #require(Self.schemas[platform], "\(key)")
            let keys = Set(component.keys)
            #expect(keys.isSuperset(of: schema.needed.union(["p", "unique_id", "name"])), "\(key)")
            #expect(keys.isSubset(of: common.union(schema.needed).union(schema.allowed)), "\(key)")
        }
        let identifiers = components.values.compactMap { $0["unique_id"] as? String }
        #expect(Set(identifiers).count == 8 && identifiers.allSatisfy { $0.hasPrefix("car_") })
        #expect(components["pressure"]?["options"] as? [String] == PressureLevel.allCases.map(\.name))
        #expect(components["scene"]?["options"] as? [String] == ["drive", "talk"])
    }

    @Test("names topics and members that the state has")
    func templates() throws {
        let components = try #require(try document(discovery().document())["cmps"] as? [String: [String: Any]])
        let state = try document(Self.state.json)
        for component in components.values {
            guard let template = component["value_template"] as? String else { continue }
            let key = try #require(template.firstMatch(of: /value_json\.([a-z]+)/)?.1)
            #expect(state.keys.contains(String(key)), "\(template)")
            #expect(template.hasPrefix("{{ ") && template.hasSuffix(" }}"))
            #expect(component["state_topic"] as? String == "car/state")
        }
        let camera = components["camera_rear_20view"]?["value_template"] as? String
        #expect(camera?.contains("value_json.cameras['rear view']") == true)
        #expect((state["cameras"] as? [String: String]) == ["road": "streaming", "rear view": "lost"])
        #expect(state["fps"] as? Int == 30 && state["scene"] as? String == "drive")
    }

    @Test("different names of cameras have different identifiers")
    func identifiers() {
        let names = ["a b", "a_20b", "a_b", "a__b", "ä", "a-b", "a.b"]
        let identifiers = names.map(BrokerDiscovery.identifier)
        #expect(Set(identifiers).count == names.count)
        for identifier in identifiers { #expect(identifier.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil) }
    }

    @Test("a composition with one scene and without thumbnails has no entities for them")
    func small() throws {
        let state = BrokerState(.object(["scenes": ["drive"], "cameras": JSON.array([])]))
        let document = try document(discovery(hasThumbnail: false, state).document())
        let components = try #require(document["cmps"] as? [String: Any])
        #expect(Set(components.keys) == ["pressure", "fps", "moment", "mark"])
    }

    @Test("an entity of an earlier document that is gone is named with its platform alone")
    func removed() throws {
        let gone = discovery().document(replacing: ["camera_old": "binary_sensor", "fps": "sensor"])
        let components = try #require(try document(gone)["cmps"] as? [String: [String: Any]])
        #expect(components["camera_old"] as? [String: String] == ["p": "binary_sensor"])
        #expect(components["fps"]?["unique_id"] != nil)
    }
}
#endif
