#if Control
internal import PipCodecs
internal import PipFrames

/// Makes JPEG pictures of frames.
final class PictureEncoder {
    private let encoder: JPEGEncoder
    private let buffer = ByteBuffer()

    init() throws { encoder = try JPEGEncoder(quality: 80) }

    /// A frame of I420 as a file.
    func jpeg(of frame: Frame) throws -> [UInt8] {
        buffer.removeAll()
        try encoder.encode(frame, into: buffer, subject: "preview")
        return buffer.withBytes { span in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(span.byteCount)
            for index in 0..<span.byteCount {
                bytes.append(unsafe span.unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self))
            }
            return bytes
        }
    }
}
#endif
