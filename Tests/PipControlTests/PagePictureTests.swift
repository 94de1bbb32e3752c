import Foundation
import PipPanelSupport
import PipTestSupport
import Testing

@testable import PipRig

@Suite(
    "The page's picture", .timeLimit(.minutes(4)), .serialized, .enabled(if: Chromium.program != nil, "needs Chromium"))
struct PagePictureTests {
    /// A configuration with two still pictures, because the test compares frames of different times.
    static let still = """
        canvas: {size: 320x180, fps: 30}
        cameras:
          road: {source: pattern:ramp, size: 320x180}
          driver: {source: pattern:ramp, size: 320x180}
        scenes:
          drive: {main: road, insets: [{of: driver, at: top-right, width: 25%, margin: 8}]}
        effects: {road: [{brightness: 0}], driver: [invert]}
        """

    @Test(
        "the page shows the composed picture, with WebRTC and without",
        arguments: [("webrtc", ""), ("mjpeg", "delete window.RTCPeerConnection")])
    func isComposed(_ kind: String, _ script: String) async throws {
        try await PageRig.run(Self.still, before: script) { page in
            #expect(try await page.browser.evaluate("document.querySelector('#live').dataset.kind") == .string(kind))
            let difference = try await page.differenceFromStill()
            #expect(difference.mean < 3 && difference.greatest < 16, "\(kind): \(difference)")
        }
    }

    @Test("the page's picture follows an effect's slider")
    func slider() async throws {
        try await PageRig.run(Self.still) { page in
            try await page.open("effects")
            try await page.browser.evaluate("document.querySelector('[data-target=road]').click()")
            let slider = "[data-effect] [data-parameter=brightness]"
            try await page.browser.wait(for: "document.querySelector('\(slider)')")
            let before = try await page.browser.evaluate(PageRig.brightness)
            try await page.browser.slide(slider, to: 0.5)
            try await page.browser.wait(for: "\(PageRig.brightness) > \(before.line) + 40")
            let difference = try await page.differenceFromStill()
            #expect(difference.mean < 4, "the composed picture is the same: \(difference)")
            guard
                case .number(0.5)? = page.panel.live.rig.chains["road"]?.first?.effect.presentSettings.first?.value.json
            else { return #expect(Bool(false), "the composition has another value") }
            try await PageRig.keep(page.browser, "slider")
        }
    }
}
