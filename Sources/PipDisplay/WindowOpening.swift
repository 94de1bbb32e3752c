package import PipFrames

/// Opens a window on Wayland or X.
///
/// Both protocols are implemented here, because the libraries have these faults. The times are the CPU time of the
/// process for a frame of 1280 × 720, on Debian 12 with two processors and no GPU.
///
/// - SDL 2.26 ends the process when its X server is killed, even with handlers for Xlib's errors: SDL has a second
///   connection, which the handlers do not cover. While an X server hangs, SDL's thread waits in Xlib and cannot be
///   ended.
/// - SDL has one display for each process: a second window opens on the first window's server.
/// - On Wayland, SDL draws with OpenGL, which takes 6.5 ms; ``WaylandWindow`` takes 0.4 ms. SDL crashes if the
///   compositor has neither a keyboard nor a pointer. On X, SDL takes 5.8 ms, or 0.4 ms with
///   `SDL_FRAMEBUFFER_ACCELERATION=0`; ``XWindow`` takes 0.8 ms.
/// - GStreamer's `waylandsink` does not notice the end of its compositor, and its `ximagesink` is built on Xlib.
/// - libwayland would replace ``WaylandMessage`` alone, and needs generated code for each protocol extension.
package struct WindowOpening: Sendable {
    let title: String
    /// True for a window on the whole screen, in which the pointer is hidden.
    let isFullscreen: Bool
    /// The display: `:0` or `host:0` for an X server, `wayland-1` or a socket's path for a Wayland compositor.
    ///
    /// Nil means the displays that the environment names: the Wayland compositor, then the X server. It is nil also for
    /// an empty name.
    private let display: String?
    /// Returns the value of an environment variable; nil when it is not set.
    let environment: @Sendable (String) -> String?

    package init(
        title: String, isFullscreen: Bool, display: String?, environment: @escaping @Sendable (String) -> String?
    ) {
        self.title = title
        self.isFullscreen = isFullscreen
        self.display = display.flatMap { $0.isEmpty ? nil : $0 }
        self.environment = environment
    }

    /// Opens the window, which is empty at first.
    ///
    /// Blocks for some milliseconds, or for some seconds when a display does not answer.
    ///
    /// - Parameter size: The window's size, unless the display chooses another.
    /// - Returns: The window.
    /// - Throws: ``DisplayError`` when no display can show the window.
    package func open(_ size: PixelSize) throws(DisplayError) -> sending any DisplaySurface {
        try first { (display) throws(DisplayError) -> any DisplaySurface in
            if Self.isX(display) { return try XWindow(self, on: display, size) }
            return try WaylandWindow(self, on: display, size)
        }
    }

    /// Finds the display that would show the window.
    ///
    /// - Returns: The display's name in messages.
    /// - Throws: ``DisplayError`` when no display can show windows.
    func find() throws(DisplayError) -> String {
        try first { (display) throws(DisplayError) in
            try Self.isX(display)
                ? XWindow.connect(to: display, environment).0.server
                : WaylandAddress.connect(to: display, environment).server
        }
    }

    private static func isX(_ display: String) -> Bool { !display.hasPrefix("/") && display.contains(":") }

    /// Calls `body` with each display until a call succeeds, and returns its result.
    private func first<R>(_ body: (String) throws(DisplayError) -> R) throws(DisplayError) -> R {
        let named = display.map { [$0] } ?? ["WAYLAND_DISPLAY", "DISPLAY"].compactMap(environment)
        var reasons: [String] = []
        for display in named where !display.isEmpty {
            do throws(DisplayError) { return try body(display) } catch { reasons.append(error.reason) }
        }
        guard reasons.isEmpty else { throw DisplayError(reasons.joined(separator: "; ")) }
        throw DisplayError(
            "neither WAYLAND_DISPLAY nor DISPLAY is set: use a desktop's terminal; by ssh or in a service, "
                + "add ?display=:0 or ?display=wayland-0; without a desktop, kms: shows the picture on the whole screen"
        )
    }
}
