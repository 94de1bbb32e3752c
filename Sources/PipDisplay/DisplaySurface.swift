package import PipFrames

/// A window or a screen on which pictures are shown.
///
/// Thread: the display's thread only. No call waits for the display.
package protocol DisplaySurface: AnyObject {
    /// The descriptor that becomes readable when ``work()`` must be called.
    var descriptor: Int32 { get }
    /// True while ``work()`` must also be called when the descriptor is writable, because output waits.
    var hasOutput: Bool { get }
    /// The surface's size in pixels; the user may change a window's size at any time.
    var size: PixelSize { get }
    /// True when the surface can take a picture.
    ///
    /// False until a new window is visible, and while the display is not yet done with the previous picture.
    var isReady: Bool { get }
    /// True when the surface needs a picture, because it is new, was uncovered, or has another size.
    var needsPicture: Bool { get }
    /// The time at which ``work()`` must be called even if the descriptor reports nothing; nil for never.
    var nextCheck: Timestamp? { get }

    /// Handles the display's messages, and sends waiting output.
    ///
    /// - Throws: ``DisplayLoss`` when the surface is gone.
    func work() throws(DisplayLoss)

    /// Shows a picture on a surface that is ready.
    ///
    /// - Parameter paint: Paints the picture during the call. Receives the address of the top left pixel, and the row
    ///   stride in bytes. The area has ``size``; a pixel has four bytes: blue, green, red, unused.
    /// - Throws: ``DisplayLoss`` when the surface is gone.
    func show(_ paint: (UnsafeMutableRawPointer, Int) -> Void) throws(DisplayLoss)
}

extension DisplaySurface {
    package var nextCheck: Timestamp? { nil }
}

/// The reason why a surface has ended.
package enum DisplayLoss: Error, Equatable {
    /// The user has closed the window.
    case closed
    /// The display is gone or belongs to another program, and may become available again.
    ///
    /// The text is the reason, as a sentence without its full stop.
    case lost(String)
}

/// The error of a display that cannot be used.
package struct DisplayError: Error, Equatable {
    /// The reason, as a sentence without its full stop, with advice for the user where a remedy is known.
    package let reason: String

    package init(_ reason: String) { self.reason = reason }

    /// Creates the error of a window that ended before it was open.
    ///
    /// - Parameters:
    ///   - loss: The reason for the end.
    ///   - server: The display server's name in messages.
    init(_ loss: DisplayLoss, of server: String) {
        reason = if case .lost(let reason) = loss { reason } else { "\(server) has closed the window" }
    }
}
