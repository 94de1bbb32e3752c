import Foundation
import PipCompose
import PipTestSupport
import Testing

@testable import PipRig

@Suite("A broker of MQTT on the command line and in a configuration")
struct BrokerArgumentTests {
    @Test(
        "has a host, a port, a user and a name",
        arguments: [
            ("mqtt://host", "mqtt://host:1883", String?.none, String?.none, "pip-compose"),
            ("mqtts://host", "mqtts://host:8883", nil, nil, "pip-compose"),
            ("MQTT://anna@host:1884/?name=car-2_a", "mqtt://host:1884", "anna", nil, "car-2_a"),
            ("mqtt://anna:s%40crt:x@[::1]:1884", "mqtt://[::1]:1884", "anna", "s@crt:x", "pip-compose"),
        ])
    func read(_ text: String, _ label: String, _ user: String?, _ password: String?, _ name: String) throws {
        let broker = try BrokerArgument(text)
        #expect(broker.label == label && broker.name == name)
        #expect(broker.user == user && broker.password == password)
        #expect(broker.hasDiscovery && broker.thumbnailInterval == nil)
    }

    @Test("takes options, and a password from a file")
    func options() throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("p@ss word\n".utf8), to: "password")
        let broker = try BrokerArgument(
            "mqtts://anna:${file:\(folder.path("password"))}@host?thumbnail=5s&discovery=off&ca=\(folder.path("password"))"
        )
        #expect(broker.password == "p@ss word" && broker.thumbnailInterval == .seconds(5) && !broker.hasDiscovery)
        #expect(broker.authorities == folder.path("password"))
        #expect(try BrokerArgument("mqtt://h?thumbnail=off&discovery=homeassistant").thumbnailInterval == nil)
    }

    @Test(
        "is refused with what to write, and without its password",
        arguments: [
            ("", "mqtt://HOST"), ("host:1883", "mqtt://HOST"), ("mqtt://", "needs a host"),
            ("mqtt://:secret@host", "a user is missing"), ("mqtt://a:secret@b@host", "%40"),
            ("mqtt://a:secret%@host", "%25"), ("mqtt://a:secret@host:0", "below 65536"),
            ("mqtt://a:secret@host:99999", "below 65536"), ("mqtt://a:secret@host/topic", "needs a host"),
            ("mqtt://a:secret@host?nam=car", "name"), ("mqtt://a:secret@host?name=a/b", "letters, digits"),
            ("mqtt://a:secret@host?ca=/etc/hosts", "mqtts://"), ("mqtts://a:secret@host?ca=/none", "can be read"),
            ("mqtt://a:secret@host?discovery=on", "homeassistant"), ("mqtt://a:secret@host?thumbnail=5", "unit"),
            ("mqtt://a:secret@host?thumbnail=1ms", "1s to 10m"), ("mqtt://a:${PIP_NO_SECRET}@host", "PIP_NO_SECRET"),
        ])
    func refused(_ text: String, _ part: String) {
        let error = #expect(throws: UsageError.self) { try BrokerArgument(text) }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("secret") == false)
    }

    private static let cameras = "cameras: {road: {source: \"pattern:bars\"}}\n"

    private func file(_ text: String) throws -> RigFile { try RigFile(Self.cameras + text, path: "rig.yaml") }

    @Test(
        "is a key of a configuration, as an address or with its options",
        arguments: [
            "mqtt: \"mqtt://host?name=car&discovery=off&thumbnail=5s\"",
            "mqtt: {broker: \"mqtt://host\", name: car, discovery: off, thumbnail: 5s}",
        ])
    func key(_ text: String) throws {
        let broker = try #require(try file(text).broker)
        #expect(broker.name == "car" && !broker.hasDiscovery && broker.thumbnailInterval == .seconds(5))
    }

    @Test("is written into a configuration as it was typed, but for a password in plain text")
    func written() throws {
        unsafe setenv("PIP_BROKER_SECRET", "hush", 1)
        for address in ["mqtt://host?name=car", "mqtt://anna:${PIP_BROKER_SECRET}@host?name=car"] {
            let text = RigFileWriter.text(of: try file("mqtt: \"\(address)\""))
            #expect(try RigFile(text, path: "again.yaml").broker?.text == address)
            #expect(!text.contains("hush"))
        }
        let plain = RigFileWriter.text(of: try file("mqtt: \"mqtt://anna:hush@host?name=car\""))
        #expect(!plain.contains("hush") && plain.contains("@host?name=car"))
    }

    @Test("a configuration without a broker's address, and one with an unknown option, are refused")
    func mistakes() {
        #expect(throws: ConfigurationError.self) { try file("mqtt: {name: car}") }
        #expect(throws: ConfigurationError.self) { try file("mqtt: {broker: \"mqtt://host\", topic: car}") }
    }
}
