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

    @Test("are set by meaning and by the driver's names, and what the camera cannot do changes nothing")
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
                    (#"{"exposure": "2s"}"#, "it takes 0.3 ms to 204.7 ms"),
                    (#"{"focus": "auto", "exposure": "1/100s"}"#, "it has no automatic for it"),
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
}
