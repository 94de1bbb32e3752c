package import PipFrames

/// How a window is opened: on Wayland, or on X.
package struct WindowOpening: Sendable {
    private let title: String
    private let isFullscreen: Bool
    private let display: String?
    private let environment: @Sendable (String) -> String?

    /// - Parameters:
    ///   - title: The window's title.
    ///   - isFullscreen: Whether it takes the whole screen, without a pointer.
    ///   - display: `:0` or `host:0` for an X server, `wayland-1` or a socket's path for a Wayland compositor; nil for
    ///     what the environment names, Wayland before X.
    ///   - environment: Gives the value of a variable.
    package init(
        title: String, isFullscreen: Bool, display: String?, environment: @escaping @Sendable (String) -> String?
    ) {
        self.title = title
        self.isFullscreen = isFullscreen
        self.display = display
        self.environment = environment
    }

    /// Opens the window.
    ///
    /// - Parameter size: Its size, unless the display gives it another.
    /// - Returns: The window, in which nothing is shown yet.
    /// - Throws: ``DisplayError`` when there is no display for it.
    package func open(_ size: PixelSize) throws(DisplayError) -> sending any DisplaySurface {
        try first { (display) throws(DisplayError) -> any DisplaySurface in
            if Self.isX(display) {
                return try XWindow(
                    display: display, title: title, size: size, isFullscreen: isFullscreen, environment: environment)
            }
            return try WaylandWindow(
                display: display, title: title, size: size, isFullscreen: isFullscreen, environment: environment)
        }
    }

    /// Finds the display that a window would be opened on, and opens none.
    ///
    /// - Returns: Its name.
    /// - Throws: ``DisplayError`` when there is none.
    func find() throws(DisplayError) -> String {
        try first { (display) throws(DisplayError) in
            if Self.isX(display) {
                _ = try XWindow.connect(to: display, environment)
                return "the X server at \(display)"
            }
            _ = try WaylandAddress(display, environment).connect()
            return "the Wayland compositor at \(display)"
        }
    }

    private static func isX(_ display: String) -> Bool { !display.hasPrefix("/") && display.contains(":") }

    /// The result of the first display that gives one.
    private func first<R>(_ body: (String) throws(DisplayError) -> R) throws(DisplayError) -> R {
        let named = display.map { [$0] } ?? ["WAYLAND_DISPLAY", "DISPLAY"].compactMap(environment)
        var reasons: [String] = []
        for display in named where !display.isEmpty {
            do throws(DisplayError) { return try body(display) } catch { reasons.append(error.reason) }
        }
        guard reasons.isEmpty else { throw DisplayError(reasons.joined(separator: "; ")) }
        throw DisplayError(
            "neither WAYLAND_DISPLAY nor DISPLAY is set: in a terminal of the desktop they are; by ssh or in a service, "
                + "add ?display=:0 or ?display=wayland-0; without a desktop, kms: shows the picture on the whole screen"
        )
    }
}
