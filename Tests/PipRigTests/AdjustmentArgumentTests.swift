import PipCompose
import Testing

@testable import PipRig

@Suite("Text of camera adjustments")
struct AdjustmentArgumentTests {
    private func adjustments(_ text: String) throws -> CameraAdjustments {
        guard case .camera(_, let wish) = try SourceArgument("camera:0?\(text)").kind else {
            throw UsageError("no camera")
        }
        return wish.adjustments
    }

    @Test("adjustments are parsed after a source, and written in a form that is parsed to the same")
    func reads() throws {
        let text =
            "exposure=1/50s&iso=200&bias=-0.7&metering=spot&focus=0.25&white-balance=4500K&zoom=2&power-line=50&hdr=on&stabilization=off&torch=auto"
        let read = try adjustments(text)
        #expect(read.exposure == .time(.milliseconds(20)) && read.sensitivity == .iso(200) && read.bias == -0.7)
        #expect(read.metering == .spot && read.focus == .position(0.25) && read.whiteBalance == .temperature(4500))
        #expect(read.zoom == 2 && read.powerLine == .hertz50)
        #expect(read.hasWideDynamicRange == true && read.isStabilized == false)
        #expect(read.words.map { "\($0.key)=\($0.value)" }.joined(separator: "&") == text)
        let source = try SourceArgument("camera:0?preset=high&size=1280x720&color-space=p3&\(text)&control.sharpness=3")
        #expect(source.requesting(try #require(RigPicture("road", source).camera?.wish)).text == source.text)
    }

    @Test(
        "adjustments have automatic modes, and alternative spellings",
        arguments: [
            ("exposure=auto&gain=auto&focus=auto&white-balance=auto&power-line=auto", ""),
            ("exposure=manual&focus=locked", "exposure=locked&focus=locked"),
            ("exposure=once&focus=once&white-balance=once", "exposure=once&focus=once&white-balance=once"),
            ("exposure=20ms", "exposure=1/50s"), ("exposure=1/60", "exposure=1/60s"), ("exposure=2s", "exposure=2s"),
            ("white-balance=120,80", "white-balance=120,80"), ("white-balance=3200", "white-balance=3200K"),
            ("gain=12", "gain=12"),
        ])
    func forms(_ text: String, _ written: String) throws {
        let read = try adjustments(text)
        let words = read.words.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
        #expect(written.isEmpty || words == written)
        #expect(try adjustments(words) == read)
    }

    @Test(
        "invalid adjustments are refused with an error message",
        arguments: [
            ("exposure=fast", "exposure is fast, but must be auto, once, locked, or a time as in 1/50s and 20ms"),
            ("exposure=1/0s", "exposure is 1/0s"), ("exposure=0s", "exposure is 0s"),
            ("iso=200&gain=3", "iso and gain exclude each other: give one"),
            ("iso=high", "iso is high, but must be a speed from 1, as in iso=200, or auto"),
            ("focus=-1", "focus is -1"), ("zoom=0.5", "zoom is 0.5, but must be a factor from 1"),
            ("metering=middle", "metering is middle, but must be average, center, spot or matrix"),
            ("white-balance=warm", "white-balance is warm"), ("hdr=maybe", "hdr is maybe, but must be on or off"),
            ("expsure=auto", "did you mean exposure?"), ("zoom=nan", "zoom is nan"),
        ])
    func mistakes(_ text: String, _ sentence: String) throws {
        let error = try #require(throws: UsageError.self) { try adjustments(text) }
        #expect(error.description.contains(sentence), "\(error)")
    }

    @Test("adjustments can also be in a configuration's controls and in --camera")
    func elsewhere() throws {
        let file = try RigFile(
            "cameras: {road: {source: camera:0, controls: {exposure: 1/50s, focus: auto, sharpness: 3}}}",
            path: "r.yaml")
        let wish = try #require(file.rig.pictures[0].camera?.wish)
        #expect(wish.adjustments.exposure == .time(.milliseconds(20)) && wish.adjustments.focus == .continuous)
        #expect(wish.controls.map(\.name) == ["sharpness"])
        let error = try #require(throws: ConfigurationError.self) {
            try RigFile("cameras: {road: {source: camera:0, controls: {focus: near}}}", path: "r.yaml")
        }
        #expect(
            error.description == "r.yaml, line 1: focus is near, but must be auto, once, locked, or 0 (near) to 1 (far)"
        )

        let argument = try CameraArgument("inset:exposure=1/50s:white-balance=4500K")
        #expect(argument.target == .inset(0))
        #expect(
            try argument.applied(to: SourceArgument("camera:1?fps=30")).text
                == "camera:1?fps=30&exposure=1/50s&white-balance=4500K")
        #expect(throws: UsageError.self) { try argument.applied(to: SourceArgument("pattern:bars")) }
        #expect(throws: UsageError.self) { try argument.applied(to: SourceArgument("camera:1?exposure=auto")) }
        #expect(throws: UsageError.self) { try CameraArgument("main:exposure") }
        #expect(throws: UsageError.self) { try CameraArgument("output:zoom=2") }
    }
}
