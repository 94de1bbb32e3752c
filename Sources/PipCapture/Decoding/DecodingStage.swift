internal import PipFrames

/// A frame as the driver delivered it, before decoding.
///
/// While it is held, the driver cannot fill its buffer again.
struct UndecodedFrame: Sendable {
    let buffer: FrameBuffer
    let offset: Int
    let byteCount: Int
    let timestamp: Timestamp
    let isTimestampEstimated: Bool
    let sequence: UInt64
    let period: Int
    /// The number of the stream.
    ///
    /// Frames of two streams do not follow one another, whatever their sequence numbers.
    let stream: Int

    /// The bytes that the driver filled.
    @unsafe var bytes: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: buffer.bytes(ofPlane: 0)[offset..<offset + byteCount])
    }
}

/// The decoding step for cameras whose frames cannot be shown as delivered.
///
/// Thread: capture thread only.
protocol DecodingStage: AnyObject {
    /// True when pictures depend on earlier ones, so that no frame may be skipped.
    var needsEveryFrame: Bool { get }

    /// Offers a frame for decoding.
    func submit(_ frame: UndecodedFrame, now: Timestamp)

    /// Offers a frame that will not be shown, because its camera is not in place yet.
    ///
    /// Later frames may depend on it.
    func prime(_ frame: UndecodedFrame)

    /// Drops the frames whose decoding has not begun.
    func discard(_ reason: DropReason, now: Timestamp)

    /// Stops decoding.
    ///
    /// Blocks until the frame in progress is done.
    func stop()
}

extension DecodingStage {
    func prime(_ frame: UndecodedFrame) {}
}
