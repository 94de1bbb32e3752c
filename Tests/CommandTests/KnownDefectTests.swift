import Testing

@testable import pip_compose

@Suite("Known defects of installed plug-ins")
struct KnownDefectTests {
    private func findings(_ versions: [String: String]) -> [Finding] {
        KnownDefect.findings { versions[$0] }
    }

    @Test("each affected plug-in has a note with its version, the consequence and the remedy")
    func affected() {
        let libav = Finding(
            subject: "GStreamer", severity: .note,
            detail: "gst-libav 1.22.0 may crash when a movie is rewound or repeated while it is decoded",
            remedy: "update gst-libav to 1.24 or newer")
        let libcamera = Finding(
            subject: "GStreamer", severity: .note,
            detail: "libcamera 0.0.3 may crash when its USB camera is unplugged",
            remedy: "update libcamera to 0.7 or newer, or open USB cameras as /dev/videoN")
        #expect(findings(["libav": "1.22.0", "libcamera": "0.0.3"]) == [libav, libcamera])
        #expect(findings(["libav": "1.24.1", "libcamera": "0.0.3"]) == [libcamera])
        #expect(findings(["libcamera": "0.4.0"]).count == 1)
        #expect(findings(["mpegtsdemux": "1.28.8"]).first?.remedy == "join them by pip-compose join")
    }

    @Test("plug-ins that are not installed, and those without a known defect, have no note")
    func unaffected() {
        #expect(findings([:]) == [])
        #expect(findings(["libcamera": "0.7.0", "pipewire": "1.4.2", "mpegtsdemux": "1.26.2"]) == [])
    }

    @Test(
        "a version is compared number by number, and a text that is no version is not affected",
        arguments: [
            ("1.22", true), ("1.22.12", true), ("1.22.0.1", true), ("1.4.9", true), ("1.24.1", false),
            ("1.220.0", false), ("11.22.0", false), ("1", false), ("x", false), ("", false),
        ] as [(String, Bool)])
    func versions(version: String, isAffected: Bool) {
        #expect(findings(["libav": version]).isEmpty != isAffected)
    }
}
