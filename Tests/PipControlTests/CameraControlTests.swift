import CV4L2
import PipCapture
import PipPanelSupport
import PipTestSupport
import Testing

@testable import PipRig

@Suite("A camera's controls over the API", .timeLimit(.minutes(2)), .serialized)
struct CameraControlTests {
    private static let path = "/dev/video0"

    private static var camera: FakeCamera {
        var camera = PageCameraTests.camera
        var exposure = FakeCamera.Control(
            UInt32(V4L2_CID_EXPOSURE_AUTO), "Auto Exposure", V4L2_CTRL_TYPE_MENU, 0...3, value: 3)
        exposure.menu = [1: "Manual Mode", 3: "Aperture Priority Mode"]
        camera.controls += [
            exposure,
            .init(
                UInt32(V4L2_CID_EXPOSURE_ABSOLUTE), "Exposure Time, Absolute", V4L2_CTRL_TYPE_INTEGER, 3...2047,
                value: 250),
        ]
        return camera
    }

    @Test("controls are set by meaning and by the driver's names, and unsupported values change nothing")
    func meaning() async throws {
        try await FakeKernel.delivering(Self.path, Self.camera) { kernel in
            let text = """
                canvas: {size: 320x180, fps: 30}
                cameras: {road: {source: "pattern:ramp"}, driver: {source: /dev/video0, controls: {exposure: auto}}}
                """
            try await RunningPanel.run(text, cameras: CameraDirectory(calls: kernel)) { panel in
                func patch(_ controls: String) async throws -> PanelClient.Answer {
                    try await panel.send("PATCH", "/api/v1/cameras/driver", #"{"controls": \#(controls)}"#)
                }
                try await panel.wait(for: "the camera") { state in
                    guard case .array(let cameras)? = state["cameras"] else { return false }
                    return cameras.contains {
                        $0["state"] == .string("streaming") && $0["device"] == .string(Self.path)
                    }
                }
                func value(_ id: Int32) -> Int? { kernel.controlValue(UInt32(id), of: Self.path) }
                #expect(value(V4L2_CID_EXPOSURE_AUTO) == 3)

                let told = try await patch(#"{"exposure": "1/50s", "brightness": 40}"#)
                #expect(told.status == 200, "\(told.text)")
                #expect(told.json["adjustments"]?["exposure"] == .string("1/50s"))
                #expect(value(V4L2_CID_EXPOSURE_AUTO) == 1 && value(V4L2_CID_EXPOSURE_ABSOLUTE) == 200)
                #expect(value(V4L2_CID_BRIGHTNESS) == 40)

                for (controls, sentence) in [
                    (#"{"exposure": "fast"}"#, "exposure is fast, but must be auto"),
                    (#"{"exposure": "2s"}"#, "it must be 0.3 ms to 204.7 ms"),
                    (#"{"focus": "auto", "exposure": "1/100s"}"#, "the camera has no automatic mode for this setting"),
                ] {
                    let refused = try await patch(controls)
                    #expect([409, 422].contains(refused.status) && refused.text.contains(sentence), "\(refused)")
                }
                #expect(value(V4L2_CID_EXPOSURE_ABSOLUTE) == 200)
                let state = try await panel.send("GET", "/api/v1/config").text
                #expect(state.contains("exposure=1/50s"), "\(state)")
            }
        }
    }

    /// Waits until the camera streams with a rotation, and with or without a rate limit.
    private static func wait(for panel: RunningPanel, turn: String, isLimited: Bool) async throws {
        try await panel.wait(for: "\(turn), limited: \(isLimited)") { state in
            guard case .array(let cameras)? = state["cameras"],
                let camera = cameras.first(where: { $0["device"] == .string(Self.path) })
            else { return false }
            return camera["state"] == .string("streaming") && camera["rotation"] == .string(turn)
                && (camera["rate_limit"] != .null) == isLimited
        }
    }

    @Test("rotation and rate limit apply without a call to the device")
    func treatment() async throws {
        try await FakeKernel.delivering(Self.path, Self.camera) { kernel in
            let text = """
                canvas: {size: 320x180, fps: 30}
                cameras: {road: {source: "pattern:ramp"}, driver: {source: /dev/video0, limit: 15, rotate: 180}}
                """
            try await RunningPanel.run(text, cameras: CameraDirectory(calls: kernel)) { panel in
                func patch(_ body: String, _ camera: String = "driver") async throws -> PanelClient.Answer {
                    try await panel.send("PATCH", "/api/v1/cameras/\(camera)", body)
                }
                try await Self.wait(for: panel, turn: "180", isLimited: true)
                _ = kernel.takeTrace(of: Self.path)

                let told = try await patch(#"{"rotation": "90", "rate_limit": null}"#)
                #expect(told.status == 200, "\(told.text)")
                #expect(told.json["rotation"] == .string("90") && told.json["rate_limit"] == .null, "\(told.text)")
                try await Self.wait(for: panel, turn: "90", isLimited: false)
                #expect(try await patch(#"{"rate_limit": 10}"#).json["rate_limit"] == .integer(10))
                #expect(try await patch(#"{"paused": true}"#).json["paused"] == .bool(true))
                let config = try await panel.send("GET", "/api/v1/config").text
                #expect(config.contains("rotate=90") && config.contains("limit=10"), "\(config)")
                #expect(config.contains("paused=on"), "\(config)")
                #expect(try await patch(#"{"paused": false}"#).json["paused"] == .bool(false))

                for (body, camera, status) in [
                    (#"{"rotation": "45"}"#, "driver", 422), (#"{"rotation": "upright"}"#, "driver", 422),
                    (#"{"rate_limit": 0}"#, "driver", 422), (#"{"rate_limit": "fast"}"#, "driver", 422),
                    (#"{"rotation": "90"}"#, "road", 409), (#"{"rate_limit": 10}"#, "road", 409),
                    (#"{"paused": true}"#, "road", 409), (#"{"paused": 1}"#, "driver", 422),
                ] {
                    #expect(try await patch(body, camera).status == status, "\(body)")
                }
                #expect(
                    !kernel.takeTrace(of: Self.path).contains {
                        $0.hasPrefix("VIDIOC_S_") || $0.hasPrefix("VIDIOC_STREAM")
                    })
            }
        }
    }
}
