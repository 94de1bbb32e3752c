import CV4L2
import Foundation
import PipCapture
import PipFrames
import PipPanelSupport
import PipTestSupport
import PipText
import Testing

@testable import PipRig

@Suite(
    "The page's cameras", .timeLimit(.minutes(4)), .serialized, .enabled(if: Chromium.program != nil, "needs Chromium"))
struct PageCameraTests {
    private static let path = "/dev/video0"

    private static func rig(_ pictures: String) -> String {
        """
        canvas: {size: 320x180, fps: 30}
        cameras: {\(pictures)}
        """
    }

    private static let inset = rig(
        "road: {source: \"pattern:ramp\", size: 320x180}, driver: {source: /dev/video0, when-missing: slate}")
    private static let alone = rig("driver: {source: /dev/video0, when-missing: slate}")

    static var camera: FakeCamera {
        var camera = FakeCamera(formats: [
            FakeCamera.Format("NV12", sizes: .discrete([PixelSize(320, 180), PixelSize(160, 90)]))
        ])
        camera.controls = [
            FakeCamera.Control(UInt32(V4L2_CID_BRIGHTNESS), "Brightness", V4L2_CTRL_TYPE_INTEGER, 0...255, value: 128)
        ]
        return camera
    }

    /// Opens the page of a composition whose camera delivers thirty frames a second while it is plugged in.
    private static func run(
        _ text: String, isThere: Bool = true, _ body: @Sendable @escaping (PageRig, FakeKernel) async throws -> Void
    ) async throws {
        try await FakeKernel.delivering(path, isThere ? camera : nil) { kernel in
            try await PageRig.run(text, cameras: CameraDirectory(calls: kernel)) { try await body($0, kernel) }
        }
    }

    private static func mark(_ word: String) -> String {
        "document.querySelector('[data-camera=driver] .mark')?.textContent === '\(word)'"
    }

    private static let why = "document.querySelector('[data-camera=driver] .why')"

    @Test("the page shows the values of sensors and programs, and strikes an old one out")
    func values() async throws {
        try await Self.run(Self.alone) { page, _ in
            try await page.open("cameras")
            #expect(try await page.browser.evaluate("document.querySelector('#values').hidden") == .bool(true))
            let telemetry = page.panel.live.telemetry
            telemetry.set("speed", to: 87.5)
            telemetry.set("driver", to: "<b>Anna</b>", lasting: .milliseconds(1))
            let shown =
                "[...document.querySelectorAll('#valueList > div')].map((each) => each.innerText.replace('\\n', '='))"
            let stale = "document.querySelector('#valueList .stale dt').innerText === 'driver'"
            try await page.browser.wait(for: "\(shown).join() === 'driver=<b>Anna</b>,speed=87.5' && \(stale)")
            telemetry.set("speed", to: 90)
            try await page.browser.wait(for: "\(shown).join().endsWith('speed=90')")
            try await PageRig.keep(page.browser, "values")
        }
    }

    @Test("the page shows why an unplugged camera is missing, and that the camera is back")
    func unplugged() async throws {
        try await Self.run(Self.inset) { page, kernel in
            try await page.open("cameras")
            try await page.browser.wait(for: "\(Self.mark("live")) && \(Self.why).hidden")
            kernel.unplug(Self.path)
            try await page.browser.wait(for: "\(Self.mark("not there")) && !\(Self.why).hidden")
            guard case .string(let why) = try await page.browser.evaluate("\(Self.why).innerText") else {
                return #expect(Bool(false), "no reason")
            }
            #expect(why.contains(Self.path), "\(why)")
            #expect(
                try await page.browser.evaluate("document.querySelector('#notice').hidden") == .bool(true),
                "the other one goes on")
            try await PageRig.keep(page.browser, "unplugged")
            kernel.add(Self.path, Self.camera)
            try await page.browser.wait(for: "\(Self.mark("live")) && \(Self.why).hidden")
        }
    }

    @Test("the page says over the picture that all cameras are lost, and why, until one is back")
    func allLost() async throws {
        try await Self.run(Self.alone) { page, kernel in
            try await page.open("cameras")
            try await page.browser.wait(for: Self.mark("live"))
            kernel.unplug(Self.path)
            try await page.browser.wait(for: "!document.querySelector('#notice').hidden")
            guard
                case .string(let notice) = try await page.browser.evaluate(
                    "document.querySelector('#notice').innerText")
            else { return #expect(Bool(false), "no notice") }
            #expect(notice.contains("All cameras are lost") && notice.contains(Self.path), "\(notice)")
            try await PageRig.keep(page.browser, "all-lost")
            kernel.add(Self.path, Self.camera)
            try await page.browser.wait(for: "document.querySelector('#notice').hidden && \(Self.mark("live"))")
        }
    }

    @Test("the page says that a camera that was never there is missing, and shows the camera when it comes")
    func neverThere() async throws {
        try await Self.run(Self.alone, isThere: false) { page, kernel in
            try await page.open("cameras")
            try await page.browser.wait(for: "!document.querySelector('#notice').hidden && !\(Self.why).hidden")
            guard case .string(let why) = try await page.browser.evaluate("\(Self.why).innerText") else {
                return #expect(Bool(false), "no reason")
            }
            #expect(why.contains("there is no \(Self.path): plug it in"), "\(why)")
            let title = try await page.browser.evaluate("document.querySelector('#noticeTitle').textContent")
            #expect(title == .string("No camera is there"))
            try await PageRig.keep(page.browser, "no-camera")
            kernel.add(Self.path, Self.camera)
            try await page.browser.wait(for: "document.querySelector('#notice').hidden && \(Self.mark("live"))")
        }
    }

    @Test("the page sets the driver's controls, and offers the camera's modes")
    func controls() async throws {
        try await Self.run(Self.inset) { page, kernel in
            try await page.open("cameras")
            let more = "[data-camera=driver] [data-action=controls]"
            try await page.browser.wait(for: "document.querySelector('\(more)')?.checkVisibility()")
            try await page.browser.evaluate("document.querySelector('\(more)').open = true")
            let slider = "[data-camera=driver] [data-control=brightness]"
            try await page.browser.wait(for: "document.querySelector('\(slider)')?.value === '128'")
            try await page.browser.slide(slider, to: 200)
            try await page.panel.wait(for: "the driver's brightness") { _ in
                kernel.controlValue(UInt32(V4L2_CID_BRIGHTNESS), of: Self.path) == 200
            }
            let modes = "[...document.querySelectorAll('[data-camera=driver] [data-action=mode] option')]"
            let offered = try await page.browser.evaluate("\(modes).map(option => option.textContent)")
            #expect(offered == .array(["320×180 · 30 fps · NV12", "160×90 · 30 fps · NV12"].map { .string($0) }))
            let source = "document.querySelector('[data-camera=driver] .quiet').textContent"
            #expect(try await page.browser.evaluate(source) == .string(Self.path), "without what was asked of it")
            try await PageRig.keep(page.browser, "controls")
        }
    }
}
