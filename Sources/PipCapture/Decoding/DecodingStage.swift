internal import PipFrames

/// A frame as the driver delivered it, before decoding.
///
/// The driver cannot fill the frame's buffer again before the last reference to the frame is released.
struct UndecodedFrame: Sendable {
    let buffer: FrameBuffer
    let offset: Int
    let byteCount: Int
    let timestamp: Timestamp
    let isTimestampEstimated: Bool
    let sequence: UInt64
    let period: Int
    /// The number of the stream, which grows with each start of the stream.
    ///
    /// The first frame of a stream does not continue the previous stream, whatever their sequence numbers.
    let stream: Int

    /// The bytes that the driver filled.
    @unsafe var bytes: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: buffer.bytes(ofPlane: 0)[offset..<offset + byteCount])
    }
}

/// The decoding step of a camera whose frames cannot be drawn as the driver delivers them.
///
/// Thread: capture thread only.
protocol DecodingStage: AnyObject {
    /// True when pictures depend on earlier pictures, so that the caller must submit every frame.
    var needsEveryFrame: Bool { get }

    /// Offers a frame for decoding.
    func submit(_ frame: UndecodedFrame, now: Timestamp)

    /// Offers a frame that is not shown, because its camera is not the slot's present camera.
    ///
    /// Later frames may depend on this frame.
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
