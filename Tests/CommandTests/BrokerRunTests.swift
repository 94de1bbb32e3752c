#if Control
import Foundation
import PipCompose
import PipTestSupport
import Testing

@Suite(
    "A broker of MQTT", .timeLimit(.minutes(5)),
    .enabled(if: MosquittoBroker.isInstalled, "needs mosquitto and mosquitto-clients: `make test-setup` installs them"))
struct BrokerRunTests {
    private static let pictures = [
        "--main", "pattern:ramp?size=160x96&fps=30", "--inset", "pattern:bars?size=64x48", "--output", "out.i420",
    ]
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func compose(
        _ arguments: [String], environment: [String: String] = [:],
        _ meanwhile: @escaping @Sendable (RunningCommand) async throws -> Void
    ) async throws -> CommandProcess {
        try? FileManager.default.removeItem(atPath: folder.path("out.i420"))
        return try await CommandProcess(
            Self.pictures + arguments, in: folder.url, environment: environment, seconds: 200
        ) { command in
            do { try await meanwhile(command) } catch {
                command.send(SIGKILL)
                throw error
            }
        }
    }

    private func status(_ broker: MosquittoBroker, _ topic: String = "car/status") async throws -> String? {
        try await broker.retained(topic).map { String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .newlines) }
    }

    private func isStreaming(_ broker: MosquittoBroker) async throws -> Bool {
        let state = try await broker.object("car/state")
        return (state?["cameras"] as? [String: String]) == ["main": "streaming", "inset": "streaming"]
    }

    /// Waits until the picture has gone on for another second.
    private func goesOn() async throws {
        let now = folder.size("out.i420")
        try await waitUntil { folder.size("out.i420") > now + 30 * 160 * 96 * 3 / 2 }
    }

    @Test(
        "has the state and the document for Home Assistant, and says when the program is gone",
        arguments: [SIGTERM, SIGKILL])
    func state(_ signal: Int32) async throws {
        let broker = try await MosquittoBroker(in: folder)
        let run = try await compose(["--mqtt", "mqtt://127.0.0.1:\(broker.port)?name=car"]) { command in
            try await waitUntil { try await isStreaming(broker) }
            #expect(try await status(broker) == "online")
            let state = try #require(try await broker.object("car/state"))
            #expect(PressureLevel.allCases.map(\.name).contains(state["pressure"] as? String ?? ""))
            let outputs = state["outputs"] as? [[String: Any]]
            #expect(outputs?.first?["to"] as? String == "out.i420")
            command.send(signal)
        }
        #expect(run.status == (signal == SIGTERM ? 0 : -SIGKILL), "\(run.errors)")
        try await waitUntil { try await status(broker) == "offline" }
        let document = try #require(try await broker.object("homeassistant/device/car/config"))
        let components = try #require(document["cmps"] as? [String: [String: Any]])
        #expect(components["camera_main"]?["device_class"] as? String == "connectivity")
        #expect(document["availability_topic"] as? String == "car/status")
        let arguments = [
            "--main", "pattern:ramp", "--output", "null:", "--mqtt", "mqtt://127.0.0.1:\(broker.port)?name=car",
        ]
        let next = try await CommandProcess(arguments, in: folder.url) { command in
            defer { command.send(SIGTERM) }
            try await waitUntil {
                let document = try await broker.object("homeassistant/device/car/config")
                let components = document?["cmps"] as? [String: [String: Any]]
                return components?["camera_inset"] as? [String: String] == ["p": "binary_sensor"]
            }
        }
        #expect(next.status == 0, "\(next.errors)")
    }

    @Test("is killed and started again: one warning, the picture goes on, and all states are right again")
    func restarted() async throws {
        let broker = try await MosquittoBroker(in: folder)
        let run = try await compose(["--mqtt", "mqtt://127.0.0.1:\(broker.port)?name=car"]) { command in
            try await waitUntil { try await isStreaming(broker) }
            broker.server.kill()
            try await waitUntil { command.errors.contains("the connection is tried again") }
            try await goesOn()
            // It keeps nothing on a disk.
            try await broker.start()
            try await waitUntil { try await isStreaming(broker) }
            #expect(try await status(broker) == "online")
            #expect(try await broker.object("homeassistant/device/car/config") != nil)
            try await waitUntil { command.errors.contains("connected again") }
            command.send(SIGTERM)
        }
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.ranges(of: "the connection is tried again").count == 1, "\(run.errors)")
    }

    @Test(
        "refuses a wrong password, or is not there: one warning without the password, and the picture goes on",
        arguments: [(true, "the password is wrong or missing"), (false, "Connection refused")])
    func refused(_ isThere: Bool, _ reason: String) async throws {
        let password = "wrong-4712"
        let broker = try await MosquittoBroker(in: folder, hasUser: true)
        if !isThere { broker.server.kill() }
        let address = "mqtt://\(MosquittoBroker.user.name):${PIP_PASSWORD}@127.0.0.1:\(broker.port)"
        let run = try await compose(["--mqtt", address], environment: ["PIP_PASSWORD": password]) { command in
            try await waitUntil { command.errors.contains(reason) }
            for _ in 0..<3 { try await goesOn() }
            command.send(SIGTERM)
        }
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.ranges(of: reason).count == 1 && !run.errors.contains(password), "\(run.errors)")
    }

    @Test("takes moments, tells of them once each, and ignores nonsense with one warning")
    func moments() async throws {
        let broker = try await MosquittoBroker(in: folder)
        let follower = try broker.follow("car/moment", into: "moments")
        let run = try await compose(["--mqtt", "mqtt://127.0.0.1:\(broker.port)?name=car"]) { command in
            try await waitUntil { try await isStreaming(broker) }
            for _ in 0..<3 { try await broker.publish(String(repeating: "x", count: 257), to: "car/set/moment") }
            try await broker.publish("brake", to: "car/set/moment")
            try await waitUntil {
                let moment = try await broker.object("car/state")?["moment"] as? [String: Any]
                return moment?["name"] as? String == "brake"
            }
            try await waitUntil { folder.size("moments") > 0 }
            command.send(SIGTERM)
        }
        follower.kill()
        #expect(run.status == 0 && run.errors.contains("brake (MQTT): marked"), "\(run.errors)")
        #expect(run.errors.ranges(of: "at most 256 bytes").count == 1, "\(run.errors)")
        let lines = String(decoding: try folder.read("moments"), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 1)
        let moment = try folder.object("moments")
        #expect(moment["name"] as? String == "brake" && moment["event_type"] as? String == "marked")
        let time = try #require(moment["time"] as? String)
        #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d/) != nil)
    }

    @Test("is reached by TLS with its authority, and not with another one")
    func secure() async throws {
        let broker = try await MosquittoBroker(in: folder, hasUser: true, isSecure: true)
        let user = "\(MosquittoBroker.user.name):${PIP_PASSWORD}"
        let environment = ["PIP_PASSWORD": MosquittoBroker.user.password]
        for (scheme, options, problem) in [
            ("mqtts", "&ca=ca.pem", String?.none), ("mqtts", "&ca=other.pem", "certificate is not trusted"),
            ("mqtts", "", "certificate is not trusted"), ("mqtt", "", "one that needs TLS is written mqtts://"),
        ] {
            let address = "\(scheme)://\(user)@127.0.0.1:\(broker.port)?name=car\(options)"
            let run = try await compose(["--mqtt", address], environment: environment) { command in
                if let problem {
                    try await waitUntil { command.errors.contains(problem) }
                } else {
                    try await waitUntil { try await isStreaming(broker) }
                }
                try await goesOn()
                command.send(SIGTERM)
            }
            #expect(run.status == 0 && (problem != nil || run.errors.contains("mqtt") == false), "\(run.errors)")
            try await waitUntil { try await status(broker) == "offline" }
        }
    }

    @Test("shows scenes, tells of them, and has a thumbnail; Home Assistant gets its document again when it starts")
    func scenes() async throws {
        let broker = try await MosquittoBroker(in: folder)
        let text = """
            canvas: {size: 640x360, fps: 30}
            cameras: {road: {source: "pattern:bars"}, driver: {source: "pattern:ramp"}}
            scenes: {drive: {main: road, insets: [driver]}, talk: {main: driver}}
            mqtt: {broker: "mqtt://127.0.0.1:\(broker.port)", name: car, thumbnail: 1s}
            outputs: ["null:"]
            """
        try folder.write(Array(text.utf8), to: "rig.yaml")
        let follower = try broker.follow("homeassistant/device/car/config", into: "documents")
        let run = try await CommandProcess(["run", "rig.yaml"], in: folder.url, seconds: 200) { command in
            defer { command.send(SIGTERM) }
            try await waitUntil { try await broker.object("car/state")?["scene"] as? String == "drive" }
            try await broker.publish("talk", to: "car/set/scene")
            try await waitUntil { try await broker.object("car/state")?["scene"] as? String == "talk" }
            try await broker.publish("walk", to: "car/set/scene")
            try await waitUntil { command.errors.contains("there is no scene walk") }
            try await waitUntil { try await broker.retained("car/thumbnail") != nil }
            try await waitUntil { folder.size("documents") > 0 }
            let size = folder.size("documents")
            try await broker.publish("online", to: "homeassistant/status")
            try await waitUntil { folder.size("documents") == 2 * size }
        }
        follower.kill()
        #expect(run.status == 0, "\(run.errors)")
        let picture = try #require(try await broker.retained("car/thumbnail"))
        #expect(picture.starts(with: [0xff, 0xd8, 0xff]) && picture.count < 100_000)
        try picture.write(to: folder.url.appending(path: "thumbnail.jpg"))
        let probe = try await CommandProcess(
            ["ffprobe", "-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", "thumbnail.jpg"],
            of: URL(filePath: "/usr/bin/env"), in: folder.url)
        #expect(probe.text == "320,180\n", "\(probe.errors)")
    }
}
#endif
