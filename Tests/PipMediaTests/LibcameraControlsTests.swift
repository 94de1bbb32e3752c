#if Media
import PipCapture
import PipCompose
import PipFrames
import Testing

@testable import PipMedia

@Suite("Libcamera's own controls", .timeLimit(.minutes(1)))
struct LibcameraControlsTests {
    /// The properties of libcamera 0.5 that ``LibcameraControls`` uses; version 0.3 lacks some, and 0.0.3 has none.
    private static let newest: Set<String> = [
        "ae-enable", "exposure-time-mode", "exposure-time", "analogue-gain-mode", "analogue-gain", "exposure-value",
        "ae-metering-mode", "af-mode", "af-trigger", "lens-position", "awb-enable", "colour-temperature",
        "colour-gains", "ae-flicker-mode", "ae-flicker-period", "hdr-mode",
    ]
    private static let older = newest.subtracting(["exposure-time-mode", "analogue-gain-mode", "colour-temperature"])

    private func text(
        _ properties: Set<String>, _ change: (inout CameraAdjustments) -> Void
    ) throws(MediaError) -> String {
        var wish = CameraAdjustments()
        change(&wish)
        let controls = try LibcameraControls(wish) { properties.contains($0) }
        return controls.settings.map { "\($0.property)=\($0.value)" }.joined(separator: " ")
    }

    @Test("exposure and gain have separate modes, or share a switch that is off if either is manual")
    func exposure() throws {
        func both(_ properties: Set<String>) throws -> String {
            try text(properties) { ($0.exposure, $0.sensitivity) = (.time(.milliseconds(20)), .continuous) }
        }
        #expect(try both(Self.newest) == "exposure-time-mode=1 exposure-time=20000 analogue-gain-mode=0")
        #expect(try both(Self.older) == "ae-enable=false exposure-time=20000")
        #expect(try text(Self.newest) { $0.exposure = .continuous } == "exposure-time-mode=0")
        #expect(try text(Self.older) { $0.exposure = .locked } == "ae-enable=false")
        #expect(try text(Self.newest) { $0.sensitivity = .gain(4) } == "analogue-gain-mode=1 analogue-gain=4")
        #expect(try text(Self.older) { $0.sensitivity = .gain(4) } == "analogue-gain=4")
        #expect(
            try text(Self.newest) { ($0.bias, $0.metering) = (-0.5, .spot) } == "exposure-value=-0.5 ae-metering-mode=1"
        )
    }

    @Test("focus, white balance and the mains frequency are properties with libcamera's enumeration values")
    func others() throws {
        #expect(try text(Self.newest) { $0.focus = .continuous } == "af-mode=2")
        #expect(try text(["auto-focus-mode"]) { $0.focus = .continuous } == "auto-focus-mode=2")
        #expect(try text(Self.newest) { $0.focus = .once } == "af-mode=1 af-trigger=0")
        #expect(try text(Self.newest) { $0.focus = .position(1) } == "af-mode=0 lens-position=0")
        #expect(
            try text(Self.newest) { $0.whiteBalance = .temperature(4500) } == "awb-enable=false colour-temperature=4500"
        )
        #expect(
            try text(Self.newest) { $0.whiteBalance = .gains(red: 2, blue: 1) }
                == "awb-enable=false colour-gains=<2.0,1.0>")
        #expect(
            try text(Self.newest) { $0.powerLine = .hertz50 } == "ae-flicker-mode=1 ae-flicker-period=10000")
    }

    @Test("nothing is set without a wish, nor for values that hold anyway")
    func nothing() throws {
        #expect(try text([]) { _ in }.isEmpty)
        #expect(try text([]) { ($0.zoom, $0.isStabilized, $0.torch) = (1, false, .off) }.isEmpty)
    }

    @Test("an adjustment that this version of libcamera has no property for is refused by name")
    func missing() {
        let error = #expect(throws: MediaError.self) {
            try text(Self.older) { $0.whiteBalance = .temperature(4500) }
        }
        #expect(
            error?.reason == "the white balance cannot be set: this version of libcamera's element has no "
                + "colour-temperature; leave the white balance to libcamera, or update libcamera")
        #expect(error?.kind == .missing)
    }

    @Test("an adjustment that libcamera cannot make is refused with the possible ones")
    func impossible() {
        for change: (inout CameraAdjustments) -> Void in [
            { $0.exposure = .once }, { $0.sensitivity = .iso(200) }, { $0.metering = .average },
            { $0.focus = .position(0.5) }, { $0.whiteBalance = .once }, { $0.zoom = 2 }, { $0.isStabilized = true },
            { $0.torch = .on },
        ] {
            let error = #expect(throws: MediaError.self) { try text(Self.newest, change) }
            #expect(error?.reason.hasPrefix("libcamera cannot ") == true)
        }
    }

    @Test(
        "a session is not opened with a control that this machine's element does not have",
        .enabled(if: LibcameraCamera.isInstalled, "it needs gstreamer1.0-libcamera"))
    func session() async throws {
        let element = try Pipeline("\(LibcameraTarget.elements) ! fakesink")
        try #require(element.has("camera-name", of: "camera"))
        guard !element.has("exposure-time", of: "camera") else { return }
        var wish = CameraAdjustments()
        wish.exposure = .time(.milliseconds(10))
        let source = LibcameraSource("first", adjustments: wish)
        source --> NullSink(.i420)
        let error = await #expect(throws: SessionError.self) { try await Session(source) }
        #expect(error?.description.contains("the exposure cannot be set: this version of libcamera's element") == true)
    }
}
#endif
