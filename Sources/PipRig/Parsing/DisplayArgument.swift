package import PipCompose

/// A parsed window or screen: `window:Both cameras?fullscreen`, `kms:HDMI-A-1?rotate=90`.
package struct DisplayArgument: Sendable, Equatable {
    private enum Place: Equatable {
        case window(title: String?, isFullscreen: Bool, display: String?)
        case screen(String)
    }

    private let place: Place
    private let turns: Orientation
    private let fit: FitMode

    private static let windowPrefix = "window:"
    private static let screenPrefix = "kms:"

    /// Parses an output; nil when the output is neither a window nor a screen.
    ///
    /// - Throws: ``UsageError`` for a mistake in the options.
    package init?(_ query: OptionQuery) throws(UsageError) {
        let common = ["size", "fps", "rotate", "fit"]
        if query.name.hasPrefix(Self.windowPrefix) {
            try query.allow(common + ["fullscreen", "display"], for: "a window")
            let title = String(query.name.dropFirst(Self.windowPrefix.count))
            place = .window(
                title: title.isEmpty ? nil : title, isFullscreen: try query.flag("fullscreen") ?? false,
                display: query["display"])
        } else if query.name.hasPrefix(Self.screenPrefix) {
            try query.allow(common, for: "a screen")
            place = .screen(String(query.name.dropFirst(Self.screenPrefix.count)))
        } else {
            return nil
        }
        turns = try query.rotation() ?? .identity
        fit = try query.choice("fit") ?? .fit
    }

    /// True for a window, false for a screen.
    package var isWindow: Bool { if case .window = place { true } else { false } }

    package var sink: any Sink {
        switch place {
        case .window(let title, let isFullscreen, let display):
            Window(title ?? "pip-compose", isFullscreen: isFullscreen, fit: fit, turns: turns, display: display)
        case .screen(let name): Screen(name, fit: fit, turns: turns)
        }
    }
}
