#if Control && Media
import Foundation
import PipPanelSupport
import PipRig

/// Acts on the page like a user, and checks what the page displays.
struct PageVisit: Sendable {
    let browser: Chromium
    private let panel: PanelClient

    /// The longest wait for a step, in seconds.
    ///
    /// The limit is generous, because the machine may be busy.
    private static let patience = 120

    /// Opens the page once the panel answers.
    init(port: Int) async throws {
        panel = PanelClient(.port(UInt16(port)))
        browser = try await Chromium()
        let deadline = ContinuousClock.now.advanced(by: .seconds(Self.patience))
        while await (try? panel.send("GET", "/"))?.status != 200 {
            guard ContinuousClock.now < deadline else { throw FirstDayFailure("no panel responds at port \(port)") }
            try await Task.sleep(for: .milliseconds(100))
        }
        try await browser.resize(1280, 900)
        try await browser.open("http://127.0.0.1:\(port)/")
    }

    /// The exceptions and console messages of the page, except those about a server that cannot be reached.
    var complaints: [String] { browser.console.filter { !$0.contains("ERR_") } }

    // MARK: Displayed pictures

    /// Waits until spots have the expected colours, both in a still and in the live picture of the page.
    func sees(_ step: String, _ expected: [Spot: Shade]) async throws {
        let spots = Array(expected.keys)
        let wanted = spots.map { expected[$0] }
        let deadline = ContinuousClock.now.advanced(by: .seconds(Self.patience))
        var seen: [Shade] = []
        while ContinuousClock.now < deadline {
            // During a restart the panel cannot be reached.
            seen = (try? await shades(of: spots)) ?? []
            if seen == wanted + wanted { return try await keep(step) }
            try await Task.sleep(for: .milliseconds(100))
        }
        try await keep("\(step)-not-seen")
        throw FirstDayFailure("\(step): \(spots) are \(seen) in a still and on the page, not \(wanted)")
    }

    /// The colours of spots, first in a still, then in the live picture.
    private func shades(of spots: [Spot]) async throws -> [Shade] {
        let pictures = """
            const still = new Image();
            still.src = `/api/v1/still.jpg?n=${performance.now()}`;
            await still.decode();
            const video = document.querySelector('#video');
            const pictures = [still, video.hidden ? document.querySelector('#mjpeg') : video];
            """
        return try await shades(of: spots, pictures)
    }

    private func shades(of spots: [Spot], _ pictures: String) async throws -> [Shade] {
        let value = try await browser.evaluate(
            """
            (async () => {
              \(pictures)
              const colours = [];
              for (const picture of pictures) {
                const pen = Object.assign(document.createElement('canvas'), { width: \(Spot.width), height: \(Spot.height) })
                  .getContext('2d', { willReadFrequently: true });
                pen.drawImage(picture, 0, 0, \(Spot.width), \(Spot.height));
                for (const [x, y] of [\(spots.map { "[\($0.x), \($0.y)]" }.joined(separator: ", "))]) {
                  colours.push(...pen.getImageData(x, y, 1, 1).data.slice(0, 3));
                }
              }
              return colours;
            })()
            """)
        guard case .array(let numbers) = value else { return [] }
        return stride(from: 0, to: numbers.count - 2, by: 3).map { start in
            Shade(numbers[start..<start + 3].map { Chromium.number($0) / 255 })
        }
    }

    /// Saves a screenshot in the folder `PIP_SCREENSHOTS`; does nothing without this variable.
    private func keep(_ name: String) async throws {
        guard let folder = ProcessInfo.processInfo.environment["PIP_SCREENSHOTS"] else { return }
        try await browser.screenshot().write(to: URL(filePath: folder).appending(path: "first day, \(name).png"))
    }

    func wait(for expression: String) async throws {
        try await browser.wait(for: expression, seconds: Self.patience)
    }

    // MARK: User actions

    /// Drags the driver's inset to the opposite corner.
    func dragInset() async throws {
        let inset = try await browser.middle(of: "[data-layer=driver]")
        let stage = try await browser.middle(of: "#stage")
        try await browser.drag(from: inset, to: (stage.x * 2 - inset.x, stage.y * 2 - inset.y))
    }

    /// Searches for an effect and adds the effect to a picture's chain.
    func add(_ effect: String, to picture: String) async throws {
        try await open("effects")
        try await wait(for: "document.querySelector('[data-target=\(picture)]')")
        try await browser.click("[data-target=\(picture)]")
        try await wait(for: "document.querySelector('[data-add=\(effect)]')")
        try await type(effect, into: "#effectSearch")
        try await browser.click("[data-add=\(effect)]")
        try await wait(for: "document.querySelector('[data-effect][data-name=\(effect)]')")
    }

    func doubleClick(_ picture: String) async throws { try await browser.doubleClick("[data-layer=\(picture)]") }

    func swap() async throws { try await browser.click("#swap") }

    /// Records at least 20 frames with the page's button.
    func record() async throws {
        try await wait(for: "document.querySelector('#record').ariaPressed !== 'true'")
        try await browser.click("#record")
        try await isSent(20, to: "/recordings/")
        try await wait(for: "document.querySelector('#record').ariaPressed === 'true'")
        try await keep("recording")
        try await browser.click("#record")
        try await wait(for: "document.querySelector('#record').ariaPressed !== 'true'")
    }

    /// Takes a still with the page's button.
    ///
    /// - Returns: The colour of a spot in the still that the page shows.
    /// - Throws: The error of the page.
    func takeStill(_ spot: Spot) async throws -> Shade? {
        try await browser.click("#still")
        let image = "document.querySelector('#stillImage')"
        try await wait(for: "document.querySelector('#stillDialog').open && \(image).naturalWidth > 0")
        try await keep("still")
        let seen = try await shades(of: [spot], "const pictures = [\(image)];").first
        try await browser.click("#stillClose")
        return seen
    }

    /// Streams at least 30 frames to an address.
    func stream(to address: String) async throws {
        try await open("outputs")
        try await type(address, into: "#streamTo")
        try await browser.click("#streamStart")
        try await isSent(30, to: "rtmp://")
        let card =
            "[...document.querySelectorAll('[data-output]')].find((card) => card.textContent.includes('rtmp://'))"
        try await wait(for: card)
        try await keep("stream")
        guard case .string(let name) = try await browser.evaluate("\(card).dataset.output") else {
            throw FirstDayFailure("the card of the stream has no output ID")
        }
        try await browser.click("[data-output=\(name)] [data-action=stop]")
        try await wait(for: "!document.querySelector('[data-output=\(name)]')")
    }

    private func open(_ section: String) async throws {
        try await browser.click("#tab-\(section)")
        try await wait(for: "!document.querySelector('#panel-\(section)').hidden")
    }

    private func type(_ text: String, into field: String) async throws {
        try await wait(for: "document.querySelector('\(field)')")
        try await browser.click(field)
        try await browser.call("Input.insertText", .object(["text": text]))
        try await wait(for: "document.querySelector('\(field)').value === '\(text)'")
    }

    /// Waits until an output has written this number of frames.
    private func isSent(_ frames: Int, to place: String) async throws {
        try await panel.wait(for: "\(frames) frames to \(place)", limit: .seconds(Self.patience)) { state in
            guard case .array(let outputs)? = state["outputs"] else { return false }
            return outputs.contains { output in
                guard case .string(let to)? = output["to"], case .integer(let written)? = output["written"] else {
                    return false
                }
                return to.contains(place) && written >= frames
            }
        }
    }
}
#endif
