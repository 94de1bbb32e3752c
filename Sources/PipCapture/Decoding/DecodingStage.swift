internal import PipFrames

/// A frame as the driver delivered it, still to be decoded.
///
/// Keeping it keeps its buffer from being queued again.
struct UndecodedFrame: Sendable {
    let buffer: FrameBuffer
    let offset: Int
    let byteCount: Int
    let timestamp: Timestamp
    let isTimestampEstimated: Bool
    let sequence: UInt64
    let period: Int
    /// The number of the stream: frames of two are not one after the other, whatever their numbers are.
    let stream: Int

    /// The bytes that the driver filled.
    @unsafe var bytes: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: buffer.bytes(ofPlane: 0)[offset..<offset + byteCount])
    }
}

/// The way of a camera's frames that cannot be shown as the driver delivers them.
///
/// Used by the capture thread alone.
protocol DecodingStage: AnyObject {
    /// True where pictures need those before them: none may be left out.
    var needsEveryFrame: Bool { get }

    /// Offers a frame for decoding.
    func submit(_ frame: UndecodedFrame, now: Timestamp)

    /// Offers a frame that nobody is to see, of a camera that does not count yet: later ones may need it.
    func prime(_ frame: UndecodedFrame)

    /// Drops what was not begun.
    func discard(_ reason: DropReason, now: Timestamp)

    /// Ends it, and waits for what it is decoding.
    func stop()
}

extension DecodingStage {
    func prime(_ frame: UndecodedFrame) {}
}
