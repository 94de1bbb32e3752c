package import PipFrames

/// A window or a screen, on which pictures are shown.
///
/// Thread: the display's thread only. No call waits for the display.
package protocol DisplaySurface: AnyObject {
    /// The descriptor that becomes readable when ``work()`` has something to do.
    var descriptor: Int32 { get }
    /// True while ``work()`` also has to be called when the descriptor is writable.
    var hasOutput: Bool { get }
    /// The surface's size in pixels, which a user may change.
    var size: PixelSize { get }
    /// True when the surface takes a picture: the picture before is on display.
    var isReady: Bool { get }
    /// True when the surface has lost its picture: the window was uncovered, or has another size.
    var needsPicture: Bool { get }

    /// Receives the display's messages, and sends what waits.
    ///
    /// - Throws: ``DisplayLoss`` when the surface is gone.
    func work() throws(DisplayLoss)

    /// Shows a picture on a surface that is ready.
    ///
    /// - Parameter paint: Paints the picture before the call returns. Gets the address of the upper left pixel, and
    ///   the bytes from a row to the next. The area has ``size``; a pixel has 32 bits: blue, green, red, unused.
    /// - Throws: ``DisplayLoss`` when the surface is gone.
    func show(_ paint: (UnsafeMutableRawPointer, Int) -> Void) throws(DisplayLoss)
}

/// The end of a surface.
package enum DisplayLoss: Error, Equatable {
    /// The user has closed the window.
    case closed
    /// The display is gone or belongs to another program, and may come back. The reason is a sentence without its full
    /// stop.
    case lost(String)
}

/// The reason why a display cannot be used, and the user's way out.
package struct DisplayError: Error, Equatable {
    /// A sentence without its full stop.
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}
