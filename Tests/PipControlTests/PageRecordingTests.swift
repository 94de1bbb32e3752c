#if Media
import Foundation
import PipPanelSupport
import PipTestSupport
import Testing

@testable import PipControl
@testable import PipRig

@Suite(
    "The page's recordings", .timeLimit(.minutes(4)), .serialized,
    .enabled(if: Chromium.program != nil, "needs Chromium"))
struct PageRecordingTests {
    /// Opens the section of a folder's recordings, and runs a function with the page.
    private static func run(
        _ recorded: RecordedFolder, _ option: String = "", _ body: @Sendable @escaping (PageRig) async throws -> Void
    ) async throws {
        let recordings = try PanelRecordings(recorded.folder.url.path + option)
        try await PageRig.run(recordings: recordings) { page in
            _ = try await RecordedFolder.listed(page.panel, count: RecordedFolder.names.count)
            try await page.open("recordings")
            try await page.browser.wait(for: Self.count(RecordedFolder.names.count))
            try await body(page)
        }
    }

    private static func count(_ number: Int) -> String {
        "document.querySelectorAll('[data-recording]').length === \(number)"
            + " && document.querySelectorAll('[data-bar]').length === \(number)"
    }

    private static func entry(_ name: String) -> String { "[data-recording=\"\(name)\"]" }

    @Test("a recording is found on the time line, played and sought by ranges, locked and unlocked, and one is deleted")
    func changes() async throws {
        let recorded = try await RecordedFolder()
        try await Self.run(recorded) { page in
            let browser = page.browser
            #expect(try await browser.evaluate("document.querySelectorAll('#recMarks i').length") == .integer(1))
            #expect(
                try await browser.evaluate("document.querySelector('[data-day]').textContent.slice(-1)") == .string("4")
            )
            try await browser.click(Self.entry("drive-00002.mp4"))
            try await browser.wait(for: "document.querySelector('#recVideo').duration > 0.9")
            try await browser.evaluate("document.querySelector('#recVideo').currentTime = 0.5")
            try await browser.wait(
                for: "(({ seeking, readyState, currentTime }) => !seeking && readyState >= 2 && currentTime === 0.5)"
                    + "(document.querySelector('#recVideo'))")
            try await browser.click("#recLock")
            try await browser.wait(for: "document.querySelector('#recLock').textContent === 'Unlock'")
            #expect(FileManager.default.fileExists(atPath: recorded.folder.path("locked/drive-00002.mp4")))
            try await browser.wait(
                for: "document.querySelector('\(Self.entry("locked/drive-00002.mp4"))').textContent.includes('locked')")
            #expect(try await browser.evaluate("document.querySelector('#recDelete').disabled") == .bool(true))
            try await browser.click("#recLock")
            try await browser.wait(for: "document.querySelector('#recLock').textContent === 'Lock'")
            try await browser.click("#recCut")
            while !browser.requests.contains(where: { $0.contains("/api/v1/recordings/export?name=drive-00002.mp4") }) {
                try await Task.sleep(for: .milliseconds(20))
            }
            try await browser.click(Self.entry("clip-00001.mp4"))
            try await browser.wait(for: "document.querySelector('#recPlaces').textContent.includes('brake (0.6 g)')")
            try await browser.click("#recDelete")
            try await browser.wait(for: "document.activeElement.id === 'recKeep'")
            try await browser.click("#recDeleteOK")
            try await browser.wait(for: "\(Self.count(3)) && !document.querySelector('#recChoose').hidden")
            #expect(!FileManager.default.fileExists(atPath: recorded.folder.path("clip-00001.mp4")))
        }
    }

    @Test("arrow keys move along the time line, a search finds moments, and a panel that only reads has no lock")
    func reads() async throws {
        try await Self.run(RecordedFolder(), "?changes=off") { page in
            let browser = page.browser
            let moved = try await browser.evaluate(
                """
                (() => {
                  const bars = [...document.querySelectorAll('[data-bar]')];
                  bars[0].focus();
                  bars[0].dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true, cancelable: true }));
                  return [bars.filter((bar) => bar.tabIndex === 0).length, bars.indexOf(document.activeElement)];
                })()
                """)
            #expect(moved == .array([.integer(1), .integer(3)]))
            try await browser.evaluate(
                "(({ recFind }) => { recFind.value = 'BRAKE'; recFind.dispatchEvent(new Event('input')) })(window)")
            try await browser.wait(
                for: "document.querySelectorAll('[data-recording]').length === 1"
                    + " && document.querySelector('#recLineCard').hidden")
            try await browser.click(Self.entry("clip-00001.mp4"))
            try await browser.wait(for: "document.querySelector('#recVideo').readyState >= 1")
            #expect(
                try await browser.evaluate(
                    "document.querySelector('#recLock').hidden && document.querySelector('#recDelete').hidden")
                    == .bool(true))
        }
    }

    @Test(
        "the section has contrast and names, light and dark, on a desktop and on a phone", arguments: ["light", "dark"])
    func access(_ theme: String) async throws {
        try await Self.run(RecordedFolder()) { page in
            let browser = page.browser
            try await browser.setTheme(theme)
            for (width, height) in [(1280, 900), (390, 844)] {
                try await browser.resize(width, height, isPhone: width < 1000)
                try await PageAccessTests.check(browser, "recordings, \(theme), \(width)")
                try await browser.click(Self.entry("clip-00001.mp4"))
                try await browser.wait(for: "document.querySelector('#recVideo').readyState >= 2")
                try await browser.evaluate("scrollTo(0, 0)")
                try await PageAccessTests.check(browser, "a recording, \(theme), \(width)")
                try await PageRig.keep(browser, "recordings-\(theme)-\(width)")
            }
        }
    }
}
#endif
