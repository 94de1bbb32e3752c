import Foundation
import PipControl
import PipPanelSupport
import PipTestSupport
import Testing

@testable import PipRig

/// Tests the page against criteria of WCAG 2.2 AA that a program can judge.
@Suite(
    "The page is for everybody", .timeLimit(.minutes(4)), .serialized,
    .enabled(if: Chromium.program != nil, "needs Chromium"))
struct PageAccessTests {
    private static let sections = ["cameras", "effects", "outputs", "scenes", "pressure"]

    /// Expects that the page has contrast, names and unique identifiers, and fits the screen.
    static func check(_ browser: Chromium, _ what: String) async throws {
        // A colour that changes fades for a moment, so the check waits for the end of all animations.
        try await browser.evaluate("Promise.allSettled(document.getAnimations().map(each => each.finished))")
        let (faint, nameless) = (try await browser.faintTexts(), try await browser.nameless())
        #expect(faint == [], "\(what)")
        #expect(nameless == [], "\(what)")
        let twice = try await browser.evaluate(
            "[...document.querySelectorAll('[id]')].map(node => node.id).filter((id, at, all) => all.indexOf(id) !== at)"
        )
        #expect(twice == .array([]), "\(what): ids that are there twice")
        #expect(
            try await browser.evaluate("document.documentElement.scrollWidth <= innerWidth") == .bool(true),
            "\(what): nothing goes beyond the screen")
    }

    @Test(
        "texts have contrast and controls have names in every section, light and dark, from a phone to a desktop",
        arguments: ["light", "dark"], [(1280, 900), (768, 1024), (390, 844)])
    func sections(_ theme: String, _ size: (width: Int, height: Int)) async throws {
        try await PageRig.run { page in
            let browser = page.browser
            try await browser.setTheme(theme)
            try await browser.resize(size.width, size.height, isPhone: size.width < 1000)
            try await browser.wait(for: PageRig.isLive)
            for section in Self.sections + (size.width < 1000 ? ["layers"] : []) {
                try await page.open(section)
                if section == "effects" {
                    try await browser.wait(for: "document.querySelector('[data-add=sepia]')")
                }
                try await Self.check(browser, "\(section), \(theme), \(size.width)")
                try await PageRig.keep(browser, "\(section)-\(theme)-\(size.width)")
            }
        }
    }

    @Test(
        "help, a still, a recording and a message have contrast and names, light and dark",
        arguments: ["light", "dark"])
    func dialogs(_ theme: String) async throws {
        try await PageRig.run { page in
            let browser = page.browser
            try await browser.setTheme(theme)
            try await browser.click("#help")
            try await browser.wait(for: "document.querySelector('#helpDialog').open")
            try await Self.check(browser, "help, \(theme)")
            try await PageRig.keep(browser, "help-\(theme)")
            try await browser.click("#helpClose")
            try await browser.click("#still")
            try await browser.wait(for: "document.querySelector('#stillDialog').open")
            try await Self.check(browser, "still, \(theme)")
            try await browser.click("#stillClose")
            try await page.open("outputs")
            try await browser.evaluate("document.querySelector('#recordName').value = 'a.mp4'")
            try await browser.click("#recordBig")
            try await browser.wait(for: "document.querySelector('[data-output]')")
            await page.panel.panel.tell("camera-lost", "error", "/dev/video9: it was unplugged")
            try await browser.wait(for: "document.querySelector('#toasts .toast')")
            try await Self.check(browser, "recording and message, \(theme)")
            try await PageRig.keep(browser, "message-\(theme)")
        }
    }

    @Test("the form for the token and the server's absence have contrast and names", arguments: ["light", "dark"])
    func covers(_ theme: String) async throws {
        let browser = try await Chromium()
        defer { browser.quit() }
        try await browser.setTheme(theme)
        try await browser.resize(390, 844, isPhone: true)
        try await RunningPanel.run(token: "open sesame 1") { panel in
            try await browser.open(panel.address)
            try await browser.wait(for: "document.querySelector('#signIn').checkVisibility()")
            try await Self.check(browser, "sign in, \(theme)")
            try await PageRig.keep(browser, "sign-in-\(theme)")
            try await browser.evaluate("document.querySelector('#token').value = 'a wrong one'")
            try await browser.click("#signInButton")
            try await browser.wait(for: "document.querySelector('#signInError').textContent")
            try await Self.check(browser, "a wrong token, \(theme)")
            try await browser.evaluate("document.querySelector('#token').value = 'open sesame 1'")
            try await browser.click("#signInButton")
            try await browser.wait(for: PageRig.isLive)
        }
        try await browser.wait(for: "!document.querySelector('#gone').hidden")
        try await Self.check(browser, "server gone, \(theme)")
        try await PageRig.keep(browser, "gone-\(theme)")
    }

    @Test("the Tab key reaches every control, and the focus is visible")
    func focus() async throws {
        try await PageRig.run { page in
            let browser = page.browser
            try await page.open("outputs")
            var reached: Set<String> = []
            for _ in 0..<60 {
                try await browser.pressTab()
                let here = try await browser.evaluate(
                    """
                    (() => {
                      const node = document.activeElement;
                      if (node === document.body) return null;
                      const style = getComputedStyle(node);
                      const isSeen = (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2)
                        || style.boxShadow !== 'none' || node.type === 'checkbox';
                      const { look, layer, pick, sceneChip, action } = node.dataset;
                      return [look || layer || pick || sceneChip || node.id || action || node.className, isSeen];
                    })()
                    """)
                guard case .array(let parts) = here, case .string(let name) = parts[0] else { continue }
                #expect(parts[1] == .bool(true), "\(name) does not show that it has the focus")
                reached.insert(name)
            }
            let wanted: Set = [
                "theme", "help", "record", "still", "swap", "driver", "recordName", "recordBig", "streamTo",
                "streamStart", "stillOf", "stillTake", "stillKeep", "tab-outputs", "opacity",
            ]
            #expect(wanted.subtracting(reached) == [], "reached: \(reached.sorted())")
        }
    }
}
