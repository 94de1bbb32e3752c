import Foundation
import PipCapture
import PipControl
import PipPanelSupport
import PipTestSupport
import Testing

@testable import PipRig

/// A running panel, and a browser that shows its page.
struct PageRig: Sendable {
    let panel: RunningPanel
    let browser: Chromium

    static let isLive =
        "!document.querySelector('#app').hidden && "
        + "(document.querySelector('#video').videoWidth > 0 || document.querySelector('#mjpeg').naturalWidth > 0)"

    /// Opens the page of a composition, and runs a function with it.
    ///
    /// Afterwards, the page must have sent no request to another origin, and reported no exception or console message.
    static func run(
        _ text: String = RunningPanel.rig, cameras: CameraDirectory = CameraDirectory(),
        recordings: PanelRecordings? = nil, before script: String = "",
        _ body: @Sendable @escaping (PageRig) async throws -> Void
    ) async throws {
        try await RunningPanel.run(text, cameras: cameras, recordings: recordings) { panel in
            let browser = try await Chromium()
            defer { browser.quit() }
            try await browser.runBefore(script)
            try await browser.resize(1280, 900)
            try await browser.open(panel.address)
            try await browser.wait(for: Self.isLive)
            try await body(PageRig(panel: panel, browser: browser))
            // Chromium's own buttons of a movie are pictures in addresses of the scheme data.
            let own = ["\(panel.address)/", "blob:\(panel.address)/", "data:image/svg+xml;"]
            let strangers = browser.requests.filter { request in
                request != "about:blank" && !own.contains { request.hasPrefix($0) }
            }
            #expect(strangers == [], "nothing is asked of another origin")
            #expect(browser.console == [])
        }
    }

    /// Opens a section of the page.
    func open(_ section: String) async throws {
        try await browser.evaluate("document.querySelector('#tab-\(section)').click()")
        try await browser.wait(for: "!document.querySelector('#panel-\(section)').hidden")
    }

    /// Saves a screenshot in the folder `PIP_SCREENSHOTS`; does nothing without this variable.
    static func keep(_ browser: Chromium, _ name: String) async throws {
        guard let folder = ProcessInfo.processInfo.environment["PIP_SCREENSHOTS"] else { return }
        try await browser.screenshot().write(to: URL(filePath: folder).appending(path: "\(name).png"))
    }

    /// Compares the live picture with a still of the composition in blocks of pixels.
    ///
    /// - Returns: The mean and the greatest difference of the blocks, in steps of 1/255.
    func differenceFromStill() async throws -> (mean: Double, greatest: Double) {
        let value = try await browser.evaluate(
            """
            (async () => {
              const still = new Image();
              still.src = `/api/v1/still.jpg?n=${performance.now()}`;
              const video = document.querySelector('#video');
              const live = video.hidden ? document.querySelector('#mjpeg') : video;
              await still.decode();
              const blocks = (picture) => {
                const pen = Object.assign(document.createElement('canvas'), { width: 32, height: 18 }).getContext('2d');
                pen.imageSmoothingQuality = 'high';
                pen.drawImage(picture, 0, 0, 32, 18);
                return pen.getImageData(0, 0, 32, 18).data;
              };
              const [one, two] = [blocks(live), blocks(still)];
              const differences = [...one].map((value, index) => Math.abs(value - two[index]));
              return [differences.reduce((sum, each) => sum + each, 0) / (one.length * 0.75), Math.max(...differences)];
            })()
            """)
        guard case .array(let numbers) = value, numbers.count == 2 else {
            throw Chromium.Failure("the page has returned no pictures but \(value.line)")
        }
        return (Chromium.number(numbers[0]), Chromium.number(numbers[1]))
    }

    /// A script that returns the mean of the live picture's red, green and blue, as the page displays it.
    ///
    /// Units: 1/255.
    static let brightness = """
        (() => {
          const video = document.querySelector('#video');
          const pen = Object.assign(document.createElement('canvas'), { width: 32, height: 18 }).getContext('2d');
          pen.drawImage(video.hidden ? document.querySelector('#mjpeg') : video, 0, 0, 32, 18);
          const data = [...pen.getImageData(0, 0, 32, 18).data];
          return data.filter((value, index) => index % 4 < 3).reduce((sum, value) => sum + value, 0) / (32 * 18 * 3);
        })()
        """
}
