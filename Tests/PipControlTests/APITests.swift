import Foundation
import PipCompose
import PipPanelSupport
import PipTestSupport
import Testing

@testable import PipControl
@testable import PipRig

@Suite("The API", .timeLimit(.minutes(3)), .serialized)
struct APITests {
    @Test("the API changes layers and chains")
    func layersAndChains() async throws {
        try await RunningPanel.run { panel in
            var answer = try await panel.send("PATCH", "/api/v1/layers/driver", #"{"at": "10:20", "opacity": 0.5}"#)
            #expect(answer.status == 200 && answer.json["at"] == .string("10:20"))
            #expect(panel.live.rig.layers[1].look.opacity == 0.5)
            answer = try await panel.send("PATCH", "/api/v1/layers/driver", #"{"opacity": null}"#)
            #expect(panel.live.rig.layers[1].look.opacity == 1)
            answer = try await panel.send(
                "PATCH", "/api/v1/scene", #"{"layers": {"road": {"z": 1}, "driver": {"z": 2}}}"#)
            #expect(answer.status == 200 && panel.live.rig.layers.map(\.z) == [1, 2])
            answer = try await panel.send("POST", "/api/v1/chains/driver/effects", #"{"effect": "sepia"}"#)
            #expect(answer.status == 201)
            let id = try #require(panel.live.rig.chains["driver"]?.first?.id)
            #expect(answer.headers["location"] == "/api/v1/chains/driver/effects/\(id)")
            answer = try await panel.send(
                "PATCH", "/api/v1/chains/driver/effects/\(id)", #"{"values": {"intensity": 0.5}, "muted": true}"#)
            #expect(answer.json["values"]?["intensity"] == .number(0.5) && answer.json["muted"] == .bool(true))
            answer = try await panel.send(
                "PUT", "/api/v1/chains/driver", #"[{"effect": "mirror"}, {"id": "\#(id)", "effect": "sepia"}]"#)
            #expect(panel.live.rig.chains["driver"]?.map(\.effect.catalogueName) == ["mirror", "sepia"])
            #expect(panel.live.rig.chains["driver"]?[1].isMuted == true, "an effect that stays keeps its state")
            #expect(try await panel.send("DELETE", "/api/v1/chains/driver/effects/\(id)").status == 204)
        }
    }

    @Test("a moment is marked for the recordings of clips, and refused without one")
    func moments() async throws {
        try await RunningPanel.run { panel in
            let refused = try await panel.send("POST", "/api/v1/moments", #"{"name": "brake"}"#)
            #expect(refused.status == 409 && refused.text.contains("?event=15s+10s"))
            _ = try await panel.send("POST", "/api/v1/outputs", #"{"to": "a.mp4?event=1s+0s"}"#)
            let state = try await panel.send("GET", "/api/v1/state")
            #expect(state.text.contains(#""has_clips": true"#))
            let answer = try await panel.send("POST", "/api/v1/moments", #"{"name": "brake", "reason": "0.6 g"}"#)
            #expect(answer.status == 201 && answer.text.contains(#""recordings": 1"#), "\(answer.text)")
            #expect(try await panel.send("POST", "/api/v1/moments", #"{"name": ""}"#).status == 422)
        }
    }

    @Test("values are set for texts and triggers, read again, and counted in the metrics")
    func telemetry() async throws {
        try await RunningPanel.run { panel in
            let path = "/api/v1/telemetry"
            let body = #"{"values": {"speed": 87.5, "engine": {"on": true}, "driver": "Anna"}, "valid": "1ms"}"#
            #expect(try await panel.send("POST", path, body).json["values"] == .integer(3))
            #expect(try await panel.send("POST", path, #"{"values": {"bus": 12}}"#).status == 200)
            try await Task.sleep(for: .milliseconds(10))
            guard case .array(let values)? = try await panel.send("GET", path).json["values"] else {
                throw CancellationError()
            }
            #expect(values.map { $0["name"] } == ["bus", "driver", "engine.on", "speed"].map { .string($0) })
            #expect(values.map { $0["present"] } == [true, false, false, false].map { .bool($0) })
            #expect(values[1]["value"] == .string("Anna") && values[3]["value"] == .number(87.5))
            let metrics = try await panel.send("GET", "/metrics").text
            #expect(metrics.contains("pip_compose_telemetry{name=\"bus\"} 12"))
            #expect(!metrics.contains("name=\"speed\""))
            for wrong in [#"{"values": 7}"#, "{}", #"{"values": {"a b": 1}}"#, #"{"values": {"": 1}}"#] {
                #expect(try await panel.send("POST", path, wrong).status == 422, "\(wrong)")
            }
        }
    }

    @Test("the API changes scenes and outputs, and describes the composition")
    func scenesAndOutputs() async throws {
        try await RunningPanel.run { panel in
            #expect(try await panel.send("PUT", "/api/v1/scenes/mine", "{}").status == 200)
            var answer = try await panel.send(
                "POST", "/api/v1/scenes/talk/activate", #"{"transition": "fade", "duration": "100ms"}"#)
            #expect(answer.status == 200 && panel.live.rig.scene == "talk")
            answer = try await panel.send("POST", "/api/v1/outputs", #"{"to": "a/b/out.y4m"}"#)
            let output = try #require(panel.live.rig.outputs.first)
            #expect(
                answer.status == 201
                    && output.sink.path?.hasPrefix(panel.folder.url.resolvingSymlinksInPath().path) == true)
            #expect(
                try await panel.send("PATCH", "/api/v1/outputs/\(output.id)", #"{"state": "paused"}"#).status == 200)
            #expect(try await panel.send("DELETE", "/api/v1/outputs/\(output.id)").status == 204)
            let state = try await panel.send("GET", "/api/v1/state")
            #expect(state.json["scene"]?["name"] == .string("talk") && state.json["outputs"] == .array([]))
            let still = try await panel.send("GET", "/api/v1/still.jpg")
            #expect(still.status == 200 && still.body.prefix(2) == [0xff, 0xd8])
            #expect(try await panel.send("GET", "/healthz").status == 200)
            let metrics = try await panel.send("GET", "/metrics").text
            #expect(metrics.contains("pip_compose_frames_total{source=\"road\"}"))
            let configuration = try await panel.send("GET", "/api/v1/config").text
            #expect(try RigFile(configuration, path: "config").rig.layers == panel.live.rig.layers)
        }
    }

    @Test("a still that is requested before the cameras are open waits for its picture")
    func earlyStill() async throws {
        try await RunningPanel.run(isStarted: false) { panel in
            async let still = panel.send("GET", "/api/v1/still.jpg")
            _ = try await panel.send("GET", "/api/v1/state")
            async let run: Void = panel.live.session.run()
            #expect(try await still.status == 200)
            panel.live.session.stop()
            try await run
        }
    }

    @Test("a change whose If-Match differs from the state's ETag is refused")
    func tags() async throws {
        try await RunningPanel.run { panel in
            let state = try await panel.send("GET", "/api/v1/state")
            let tag = try #require(state.headers["etag"])
            let body = #"{"z": 3}"#
            #expect(
                try await panel.send("PATCH", "/api/v1/layers/road", body, headers: ["If-Match": tag]).status == 200)
            #expect(
                try await panel.send("PATCH", "/api/v1/layers/road", body, headers: ["If-Match": tag]).status == 412)
            #expect(
                try await panel.send("PATCH", "/api/v1/layers/road", body, headers: ["If-Match": "x"]).status == 412)
        }
    }

    @Test(
        "invalid requests are refused with an error message, and change nothing",
        arguments: [
            ("PATCH", "/api/v1/layers/driver", #"{"opacty": 1}"#, 422), ("PATCH", "/api/v1/layers/driver", "[1]", 422),
            ("PATCH", "/api/v1/layers/driver", "{", 400), ("PATCH", "/api/v1/layers/nobody", "{}", 404),
            ("PATCH", "/api/v1/layers/driver", #"{"duration": "1h"}"#, 422),
            ("POST", "/api/v1/chains/road/effects", #"{"effect": "sepa"}"#, 422),
            ("POST", "/api/v1/chains/road/effects", #"{"effect": "./tint.glsl"}"#, 422),
            ("POST", "/api/v1/chains/road/effects", #"{"effect": "lookup", "values": {"file": "/etc/passwd"}}"#, 422),
            ("PATCH", "/api/v1/chains/road/effects/e99", "{}", 404),
            ("POST", "/api/v1/scenes/nothing/activate", "{}", 404),
            ("POST", "/api/v1/outputs", #"{"to": "../out.mp4"}"#, 422),
            ("POST", "/api/v1/outputs", #"{"to": "/tmp/out.mp4"}"#, 422),
            ("POST", "/api/v1/outputs", #"{"to": "gst:filesink location=x"}"#, 422),
            ("POST", "/api/v1/outputs", #"{"to": "window:"}"#, 422),
            ("POST", "/api/v1/outputs", #"{"to": "kms:?fps=5"}"#, 422),
            ("POST", "/api/v1/outputs", #"{"to": "rtmp://host/${HOME}"}"#, 422),
            ("POST", "/api/v1/outputs", #"{"to": "out.mp4", "of": "rear"}"#, 404),
            ("PATCH", "/api/v1/cameras/road", #"{"enabled": false}"#, 409),
            ("PATCH", "/api/v1/pressure", #"{"pinned": "hot"}"#, 422),
            ("PATCH", "/api/v1/pressure", #"{"pinned": "shutdown"}"#, 422),
            ("PATCH", "/api/v1/layers/driver", #"{"visible": 0}"#, 422),
            ("PATCH", "/api/v1/layers/driver", #"{"opacity": "1"}"#, 422),
            ("PATCH", "/api/v1/layers/driver", #"{"width": 8193}"#, 422),
            ("PATCH", "/api/v1/layers/driver", #"{"height": "8193"}"#, 422),
            ("PUT", "/api/v1/scenes/..", "{}", 422), ("PUT", "/api/v1/scenes/a%C2%80b", "{}", 422),
            ("POST", "/api/v1/config", "{}", 409),
            ("DELETE", "/api/v1/state", "{}", 405), ("GET", "/api/v1/nothing", "", 404),
            ("GET", "/../../etc/passwd", "", 404), ("GET", "/%2e%2e/etc/passwd", "", 404),
        ])
    func refuses(_ method: String, _ path: String, _ body: String, _ status: Int) async throws {
        try await RunningPanel.run { panel in
            let answer = try await panel.send(method, path, body.isEmpty ? nil : body)
            #expect(answer.status == status, "\(answer.text)")
            #expect(answer.headers["content-type"] == "application/problem+json")
            guard case .string(let detail)? = answer.json["detail"] else { return #expect(Bool(false), "no sentence") }
            #expect(!detail.isEmpty && answer.json["status"] == .integer(status))
            #expect(panel.live.snapshot.revision == 1)
        }
    }

    @Test("an event stream begins with the state, sends differences, and resumes where a client left off")
    func events() async throws {
        let feed = StateFeed()
        await feed.update(.object(["a": 1, "b": [1, 2]]), revision: 1)
        let first = await feed.events(after: nil)
        #expect(first.map(\.name) == ["state"])
        await feed.update(.object(["a": 2, "b": [1, 3]]), revision: 2)
        await feed.tell("camera-lost", "warning", "it is gone")
        let next = await feed.events(after: first.last?.id)
        #expect(next.map(\.name) == ["patch", "message"])
        #expect(next[0].data.contains(#"{"op": "replace", "path": "/a", "value": 2}"#) && next[0].data.contains("/b/1"))
        for index in 0..<2000 { await feed.tell("x", "info", "\(index)") }
        #expect(await feed.events(after: first.last?.id).map(\.name) == ["state"], "too old: everything again")
    }

    @Test("an event connection gets the state and then each change, and HEAD requests take no slot")
    func connection() async throws {
        try await RunningPanel.run { panel in
            for _ in 0..<60 {
                #expect(try await panel.send("HEAD", "/api/v1/events").status == 200)
                #expect(try await panel.send("HEAD", "/preview.mjpeg").status == 200)
            }
            let connection = try OpenConnection(panel.port)
            connection.send("GET /api/v1/events HTTP/1.1\r\nHost: \(panel.host)\r\n\r\n")
            #expect(await connection.answer(until: "event: state") != nil)
            for value in [11, 12, 13] {
                #expect(try await panel.send("PATCH", "/api/v1/layers/road", "{\"z\": \(value)}").status == 200)
                let change = await connection.answer(until: "\"path\": \"/layers/0/z\", \"value\": \(value)")
                #expect(change != nil, "a change of \(value)")
            }
        }
    }

    @Test("the description names more than twenty paths, and each GET endpoint succeeds")
    func description() async throws {
        try await RunningPanel.run { panel in
            let document = try await panel.send("GET", "/api/openapi.json").json
            guard case .object(let paths)? = document["paths"] else { return #expect(Bool(false)) }
            #expect(paths.count > 20 && document["openapi"] == .string("3.1.0"))
            for path in paths {
                guard case .object(let operations) = path.value else { continue }
                for operation in operations where operation.key == "get" && !path.key.contains("{") {
                    if ["/api/v1/events", "/preview.mjpeg"].contains(path.key) { continue }
                    // A panel without recordings says so.
                    let status = path.key.hasPrefix("/api/v1/recordings") ? 404 : 200
                    #expect(try await panel.send("GET", path.key).status == status, "\(path.key)")
                }
            }
        }
    }
}
