#if Control
internal import PipCodecs
internal import PipCompose
internal import PipFrames

/// Encodes frames of a tap as JPEG pictures.
final class PictureEncoder {
    private let encoder: JPEGEncoder
    private let buffer = ByteBuffer()

    init() throws { encoder = try JPEGEncoder(quality: 80) }

    /// Makes a tap whose frames have JPEG's colorimetry; nil for `size` keeps the size of the picture.
    static func tap(
        size: PixelSize?, buffering: FrameStream.Buffering = .newest(1), name: String
    ) -> FrameTap {
        var tap = FrameTap(.i420, size: size, buffering: buffering, name: name)
        tap.colorimetry = .jpeg
        return tap
    }

    /// Encodes a frame that a ``tap(size:buffering:name:)`` delivered.
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
