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
            // A picture cannot be made while its file gets another name.
            try await browser.wait(
                for: "document.querySelector('\(Self.entry("drive-00002.mp4")) img').naturalWidth > 0")
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
            // The browser asks for the file and its picture under the new name before the name changes again.
            try await browser.wait(
                for: "document.querySelector('#recVideo').readyState >= 2 && "
                    + "document.querySelector('\(Self.entry("locked/drive-00002.mp4")) img').naturalWidth > 0")
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

    @Test("recordings have pictures in the list, and on the time line when they are pointed at")
    func thumbnails() async throws {
        try await Self.run(RecordedFolder()) { page in
            let browser = page.browser
            for name in RecordedFolder.names {
                try await browser.wait(for: "document.querySelector('\(Self.entry(name)) img').naturalWidth === 192")
            }
            #expect(try await browser.evaluate("document.querySelector('#recPeek').hidden") == .bool(true))
            let bar = "document.querySelector('[data-bar=\"drive-00003.mp4\"]')"
            try await browser.evaluate("\(bar).dispatchEvent(new PointerEvent('pointerenter'))")
            try await browser.wait(for: "document.querySelector('#recPeek').naturalWidth === 192")
            let inside =
                "(({ left, right }, { left: first, right: last }) => left >= first && right <= last)"
                + "(document.querySelector('#recPeek').getBoundingClientRect(), "
                + "document.querySelector('.timeline').getBoundingClientRect())"
            #expect(try await browser.evaluate(inside) == .bool(true))
            try await PageRig.keep(browser, "recordings-peek")
            try await browser.evaluate("\(bar).dispatchEvent(new PointerEvent('pointerleave'))")
            #expect(try await browser.evaluate("document.querySelector('#recPeek').hidden") == .bool(true))
        }
    }

    @Test("the times of a day on which clocks go back are right, in the list and in a span to download")
    func clocks() async throws {
        // Berlin on 2026-10-25: at 1:00 UTC, clocks go from 3:00 back to 2:00.
        let script = """
            (() => {
              const day = 1792879200, real = window.fetch;
              const recording = (name, start) => ({ name, start, duration: 60, bytes: 1, cameras: [], moments: [],
                state: 'complete', locked: false });
              const answers = {
                'recordings/days': { days: [{ date: '2026-10-25', from: day, to: day + 90000, count: 3, bytes: 3, clips: 0,
                  offsets: [{ from: day, seconds: 7200 }, { from: day + 10800, seconds: 3600 }] }] },
                'recordings?': { recordings: [recording('drive-00003.mp4', day + 86430),
                  recording('drive-00002.mp4', day + 12600), recording('drive-00001.mp4', day + 9000)] },
              };
              window.fetch = (path, ...more) => {
                if (`${path}`.includes('export?')) {
                  (window.asked ??= []).push(`${path}`);
                  return Promise.resolve(Response.json({}, { status: 409 }));
                }
                const known = Object.keys(answers).find((key) => `${path}`.includes(key));
                return known ? Promise.resolve(Response.json(answers[known])) : real(path, ...more);
              };
            })()
            """
        let recorded = try await RecordedFolder()
        let recordings = try PanelRecordings(recorded.folder.url.path)
        try await PageRig.run(recordings: recordings, before: script) { page in
            let browser = page.browser
            _ = try await RecordedFolder.listed(page.panel, count: RecordedFolder.names.count)
            try await page.open("recordings")
            try await browser.wait(for: "document.querySelectorAll('[data-recording]').length === 3")
            let times = "[...document.querySelectorAll('[data-recording] b')].map((each) => each.textContent).join(' ')"
            #expect(try await browser.evaluate(times) == .string("23:00:30 02:30:00 02:30:00"))
            let axis = "[...document.querySelectorAll('#recAxis span')].map((each) => each.textContent).join(' ')"
            #expect(try await browser.evaluate(axis) == .string("02:00 06:45 12:30 18:15 24:00"))
            for (name, start) in [("drive-00001.mp4", 9000), ("drive-00002.mp4", 12600), ("drive-00003.mp4", 86430)] {
                try await browser.click(Self.entry(name))
                try await browser.click("#recCut")
                let span = "name=\(name)&from=\(1_792_879_200 + start)&to=\(1_792_879_200 + start + 60)"
                try await browser.wait(for: "window.asked?.at(-1).endsWith('export?\(span)')")
            }
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
