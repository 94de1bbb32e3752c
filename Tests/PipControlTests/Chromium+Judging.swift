import Foundation
import PipPanelSupport
import PipRig

/// Checks of a page by Chromium, for accessibility and contrast.
extension Chromium {
    /// Emulates the system's light or dark colour scheme.
    func setTheme(_ theme: String) async throws {
        let feature = JSON.object(["name": "prefers-color-scheme", "value": theme])
        try await call("Emulation.setEmulatedMedia", .object(["features": [feature]]))
    }

    /// Runs a script in each new page before the page's own scripts.
    func runBefore(_ script: String) async throws {
        try await call("Page.addScriptToEvaluateOnNewDocument", .object(["source": script]))
    }

    /// Presses Tab, which moves the focus to the next control.
    func pressTab() async throws {
        for type in ["keyDown", "keyUp"] {
            try await call(
                "Input.dispatchKeyEvent",
                .object(["type": type, "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9]))
        }
    }

    /// Sets a slider's value, and sends the event `input`, as a user's drag does.
    func slide(_ selector: String, to value: Double) async throws {
        try await evaluate(
            "(() => { const slider = document.querySelector('\(selector)'); slider.value = \(value);"
                + " slider.dispatchEvent(new Event('input', {bubbles: true})) })()")
    }

    /// The controls and pictures without an accessible name, as JSON of their nodes in the accessibility tree.
    func nameless() async throws -> [String] {
        let roles: Set = [
            "button", "link", "textbox", "searchbox", "spinbutton", "slider", "switch", "checkbox", "combobox",
            "tab", "tablist", "tabpanel", "dialog", "image", "img", "region", "ColorWell", "DisclosureTriangle",
        ]
        let tree = try await call("Accessibility.getFullAXTree")
        guard case .array(let nodes)? = tree["nodes"] else { throw Failure("Chromium has sent no accessibility tree") }
        return nodes.compactMap { node in
            guard node["ignored"] != .bool(true), case .string(let role)? = node["role"]?["value"],
                roles.contains(role), case .string(let name)? = node["name"]?["value"], name.isEmpty
            else { return nil }
            return node.line
        }
    }

    /// The texts and fields whose contrast is below the minimum of WCAG 2.2, level AA.
    ///
    /// The minimum is 4.5, or 3 for large text outside of fields (1.4.3).
    func faintTexts() async throws -> [String] {
        guard case .array(let texts) = try await evaluate(Self.contrastScript) else {
            throw Failure("the page has returned no contrasts")
        }
        return texts.map(\.line)
    }

    // A text over moving pictures must be readable on black and on white.
    private static let contrastScript = """
        (() => {
          const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
          const color = (text) => {
            pen.clearRect(0, 0, 1, 1);
            pen.fillStyle = text;
            pen.fillRect(0, 0, 1, 1);
            const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
            return { rgb: [r, g, b], a: a / 255 };
          };
          const over = (front, a, back) => front.map((value, index) => value * a + back[index] * (1 - a));
          const linear = (value) => (value <= 10.31475 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
          const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
          const ratio = (one, two) => {
            const [low, high] = [luminance(one), luminance(two)].sort((a, b) => a - b);
            return (high + 0.05) / (low + 0.05);
          };
          const isOnPicture = (node) => node.id === 'stage';
          const backs = (node) => {
            const layers = [];
            for (let at = node; at; at = at.parentElement) {
              const { rgb, a } = color(getComputedStyle(at).backgroundColor);
              if (isOnPicture(at)) return [[0, 0, 0], [255, 255, 255]].map((back) => paint(layers, back));
              if (a > 0) layers.push({ rgb, a });
              if (a === 1) break;
            }
            return [paint(layers, [255, 255, 255])];
          };
          const paint = (layers, back) => layers.reduceRight((below, { rgb, a }) => over(rgb, a, below), back);
          const isAway = (node) => !node.checkVisibility({ opacityProperty: true, visibilityProperty: true })
            || node.closest(':disabled, [inert], .unseen, option') !== null;
          const faint = [];
          const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) {
            const node = walker.currentNode.parentElement;
            const words = walker.currentNode.data.trim();
            if (!words || isAway(node) || node.closest('style, script')) continue;
            const style = getComputedStyle(node);
            const { rgb, a } = color(style.color);
            const size = parseFloat(style.fontSize);
            const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
            for (const back of backs(node)) {
              const found = ratio(over(rgb, a, back), back);
              if (found < (isLarge ? 3 : 4.5)) faint.push(`${words.slice(0, 40)}: ${found.toFixed(2)}`);
            }
          }
          for (const node of document.querySelectorAll('input, select')) {
            if (isAway(node) || ['range', 'checkbox', 'color'].includes(node.type)) continue;
            const { rgb, a } = color(getComputedStyle(node).color);
            for (const back of backs(node)) {
              const found = ratio(over(rgb, a, back), back);
              if (found < 4.5) faint.push(`field ${node.id || node.ariaLabel}: ${found.toFixed(2)}`);
            }
          }
          return faint;
        })()
        """
}
