import Foundation
import PipCompose
import PipPanelSupport
import PipTestSupport
import Testing

@testable import PipRig

@Suite("The page in a browser", .timeLimit(.minutes(4)), .serialized)
struct PageTests {
    @Test(
        "the page shows the live picture and moves and swaps layers, and the composed picture follows",
        .enabled(if: Chromium.program != nil, "needs Chromium"))
    func picture() async throws {
        try await RunningPanel.run { panel in
            let browser = try await Chromium()
            defer { browser.quit() }
            try await browser.resize(1280, 900)
            try await browser.open(panel.address)
            try await browser.wait(for: PageRig.isLive)
            #expect(try await browser.evaluate("document.querySelector('#live').dataset.kind") == .string("webrtc"))
            try await PageRig.keep(browser, "desktop")
            // Drags the inset to the lower left corner.
            let before = panel.live.rig.layers[1].placement
            let inset = try await browser.middle(of: "[data-layer=driver]")
            let stage = try await browser.middle(of: "#stage")
            try await browser.drag(from: inset, to: (stage.x * 2 - inset.x, stage.y * 2 - inset.y))
            try await panel.wait(for: "the inset at the lower left") { state in
                guard case .array(let layers)? = state["layers"] else { return false }
                return layers[1]["at"] == .string("bottom-left")
            }
            #expect(panel.live.rig.layers[1].placement != before)
            try await PageRig.keep(browser, "dragged")
            try await browser.press("s")
            try await panel.wait(for: "the pictures swapped") { state in
                guard case .array(let layers)? = state["layers"] else { return false }
                return layers[0]["id"] == .string("driver")
            }
            try await browser.press("1")
            try await panel.wait(for: "the first scene") { $0["scene"]?["changed"] == .bool(false) }
            #expect(browser.console.isEmpty, "\(browser.console)")
        }
    }

    @Test(
        "the page records a file that plays, and takes a still",
        .enabled(if: Chromium.program != nil, "needs Chromium"))
    func records() async throws {
        try await RunningPanel.run { panel in
            let browser = try await Chromium()
            defer { browser.quit() }
            try await browser.resize(1280, 900)
            try await browser.open(panel.address)
            try await browser.wait(for: PageRig.isLive)
            try await browser.click("#record")
            try await panel.wait(for: "a recording") { state in
                guard case .array(let outputs)? = state["outputs"],
                    case .integer(let written)? = outputs.first?["written"]
                else { return false }
                return outputs[0]["state"] == .string("running") && written > 30
            }
            try await browser.wait(for: "document.querySelector('#record').getAttribute('aria-pressed') === 'true'")
            try await PageRig.keep(browser, "recording")
            try await browser.click("#record")
            try await panel.wait(for: "its end") { state in
                guard case .array(let outputs)? = state["outputs"] else { return false }
                return !outputs.contains { $0["state"] == .string("running") }
            }
            let files =
                FileManager.default.enumerator(atPath: panel.folder.url.path)?.compactMap { $0 as? String } ?? []
            let movie = try #require(files.first { $0.hasSuffix(".mp4") })
            let size = try FileManager.default.attributesOfItem(atPath: panel.folder.path(movie))[.size] as? Int
            #expect(size ?? 0 > 1000)
            try await browser.click("#still")
            try await browser.wait(
                for:
                    "document.querySelector('#stillDialog').open && document.querySelector('#stillImage').naturalWidth > 0"
            )
            try await PageRig.keep(browser, "still")
        }
    }

    @Test("the page survives a restart of the server", .enabled(if: Chromium.program != nil, "needs Chromium"))
    func restart() async throws {
        let browser = try await Chromium()
        defer { browser.quit() }
        let port = Int.random(in: 20_000..<30_000)
        try await RunningPanel.run(port: port) { panel in
            try await browser.resize(390, 844, isPhone: true)
            try await browser.open(panel.address)
            try await browser.wait(for: PageRig.isLive)
            #expect(
                try await browser.evaluate("document.documentElement.scrollWidth <= innerWidth") == .bool(true),
                "nothing goes beyond the phone's screen")
            try await PageRig.keep(browser, "phone")
        }
        try await browser.wait(for: "!document.querySelector('#gone').hidden")
        try await PageRig.keep(browser, "gone")
        try await RunningPanel.run(port: port) { _ in
            try await browser.wait(for: "document.querySelector('#gone').hidden && \(PageRig.isLive)")
        }
    }

    @Test("the page asks for the token", .enabled(if: Chromium.program != nil, "needs Chromium"))
    func signIn() async throws {
        try await RunningPanel.run(token: "open sesame 1") { panel in
            let browser = try await Chromium()
            defer { browser.quit() }
            try await browser.resize(820, 1180)
            try await browser.open(panel.address)
            try await browser.wait(for: "document.querySelector('#signIn').offsetParent")
            try await PageRig.keep(browser, "sign-in")
            try await browser.evaluate("document.querySelector('#token').value = 'open sesame 1'")
            try await browser.click("#signInButton")
            try await browser.wait(for: PageRig.isLive)
            try await PageRig.keep(browser, "tablet")
        }
    }
}
