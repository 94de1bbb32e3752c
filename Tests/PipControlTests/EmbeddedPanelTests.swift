import PipCompose
import PipRig
import Testing

@testable import PipControl

/// Tests the interface for apps that run a configuration with its panel.
@Suite("A panel in an app", .timeLimit(.minutes(1)))
struct EmbeddedPanelTests {
    private static let text = """
        canvas: {size: 320x180, fps: 30}
        cameras:
          road: {source: pattern:bars}
          driver: {source: pattern:ramp}
        scenes:
          drive: {main: road, insets: [{of: driver, at: top-right, width: 25%}]}
          talk: {main: driver}
        pressure: {policy: "off"}

        """

    @Test("a panel in an app runs a configuration, shows its scenes, loads another one, and ends with the app")
    func embedded() async throws {
        let panel = Panel(try PanelOptions(PanelAddress("127.0.0.1:0")), program: "kiosk 1.0")
        let rig = try await LiveRig(try RigFile(Self.text, path: "rig.yaml")) { panel.attach(to: $0) }
        #expect(Set(rig.layers.keys) == ["road", "driver"] && rig.sources.count == 2)
        let (addresses, told) = AsyncStream.makeStream(of: String.self)
        let serving = Task { try await panel.run(rig) { told.yield($0) } }
        async let run: Void = rig.session.run()
        var iterator = addresses.makeAsyncIterator()
        let address = try #require(await iterator.next())
        #expect(address.hasPrefix("127.0.0.1:") && !address.hasSuffix(":0"))

        try await rig.show(scene: "talk", by: LiveRig.Motion(.milliseconds(100)))
        #expect(rig.layers["road"]?.record?.isEnabled == false)
        await #expect(throws: RigError.self) { try await rig.show(scene: "tall") }
        try await rig.reload(RigFile(Self.text + "effects: {output: [sepia]}\n", path: "rig.yaml"))
        // The plan is that of the latest frame, so the effect appears some frames after the reload.
        while !rig.session.plan.description(of: rig.session.graph).contains("sepia") {
            try await Task.sleep(for: .milliseconds(5))
        }
        await #expect(throws: RigError.self) {
            try await rig.reload(
                RigFile(Self.text.replacing("320x180, fps: 30", with: "640x360, fps: 30"), path: "rig.yaml"))
        }
        try await rig.reload(
            RigFile(Self.text.replacing(#""off""#, with: "keep-fps, pin: fair"), path: "rig.yaml"))
        let facts = PanelFacts(program: "kiosk 1.0", preview: "mjpeg", root: nil, recordings: "none")
        let pressure = StateDocument(rig, facts).json["pressure"]
        #expect(pressure?["policy"]?.line == #""keep-fps""# && pressure?["pinned"]?.line == #""fair""#)
        #expect(throws: ConfigurationError.self) { try RigFile("cameras: {road: {sauce: 1}}", path: "rig.yaml") }

        serving.cancel()
        try await serving.value
        rig.session.stop()
        try await run
    }
}
