internal import CV4L2
internal import PipFrames
internal import SystemPackage

/// A buffer that the driver has filled and returned.
struct FilledBuffer {
    /// The payload of one memory plane: `byteCount` bytes from `offset` on.
    struct Plane: Equatable {
        var offset = 0
        var byteCount = 0
    }

    var index: Int
    var flags: UInt32
    var sequence: UInt32
    /// The driver's timestamp; nil when the driver uses another clock than `CLOCK_MONOTONIC`.
    var timestamp: Timestamp?
    var planes: InlineArray<3, Plane>

    /// True when the driver flags the data as damaged.
    var hasError: Bool { flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0 }

    /// True when the timestamp marks the end of the frame, rather than the beginning of its exposure.
    var isStampedAtEnd: Bool { flags & UInt32(V4L2_BUF_FLAG_TSTAMP_SRC_MASK) == UInt32(V4L2_BUF_FLAG_TSTAMP_SRC_EOF) }

    /// Interprets the driver's answer to `VIDIOC_DQBUF`.
    init(_ buffer: v4l2_buffer) {
        unsafe index = Int(buffer.index)
        unsafe flags = buffer.flags
        unsafe sequence = buffer.sequence
        planes = InlineArray(repeating: Plane())
        unsafe planes[0].byteCount = Int(buffer.bytesused)
        guard flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK) == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC) else { return }
        // The arithmetic wraps, because the driver's time may be invalid; ``TimestampPolicy`` rejects an invalid time
        // later.
        let time = unsafe buffer.timestamp
        timestamp = Timestamp(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_usec) &* 1000)
    }
}

/// The result of `VIDIOC_DQBUF`.
enum DequeueResult {
    case filled(FilledBuffer)
    /// No filled buffer is ready.
    case empty
    case failed(Errno)
    /// The driver returned a buffer that was not queued, or more bytes than the buffer can hold.
    case nonsense
}
