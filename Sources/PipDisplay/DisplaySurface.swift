package import PipFrames

/// The place on a display where pictures are shown: a window, or a screen.
///
/// Belongs to the thread that shows pictures. None of its calls waits for the display.
package protocol DisplaySurface: AnyObject {
    /// Becomes readable when there is something to do for ``work()``.
    var descriptor: Int32 { get }
    /// True while something waits until the descriptor is writable.
    var hasOutput: Bool { get }
    /// Its size in pixels, which a user may change.
    var size: PixelSize { get }
    /// True when it takes a picture: the one before is shown.
    var isReady: Bool { get }
    /// True when it has lost what it showed: it was uncovered, or has another size.
    var needsPicture: Bool { get }

    /// Reads what the display says, and sends what waits.
    ///
    /// - Throws: ``DisplayLoss`` when there is nothing to show pictures on any more.
    func work() throws(DisplayLoss)

    /// Shows a picture, which is painted meanwhile; for one that is ready.
    ///
    /// - Parameter paint: Gets the upper left pixel of ``size`` pixels of 32 bits each (blue, green, red, unused), and
    ///   the bytes from a row to the next.
    /// - Throws: ``DisplayLoss`` when there is nothing to show it on any more.
    func show(_ paint: (UnsafeMutableRawPointer, Int) -> Void) throws(DisplayLoss)
}

/// The end of a place for pictures.
package enum DisplayLoss: Error, Equatable {
    /// The user has closed the window.
    case closed
    /// The display is gone, or given to another program: it may come back. A sentence without its full stop.
    case lost(String)
}

/// A display that cannot be used, and what to do about it.
package struct DisplayError: Error, Equatable {
    /// A sentence without its full stop.
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}
