import PipCodecs
import PipFrames

/// A buffer with a file's bytes, as decoders take it.
func content(_ bytes: [UInt8]) -> ByteBuffer {
    let content = ByteBuffer()
    unsafe bytes.withUnsafeBytes { unsafe content.append($0) }
    return content
}

/// The pixels of an animation's pictures, at most `count` pictures.
func decoded(
    _ decoder: any AnimationDecoder, _ size: PixelSize, atMost count: Int = .max
) throws(CodecError) -> [[UInt8]] {
    let layout = FrameLayout(.rgba, size)
    var pictures: [[UInt8]] = []
    while pictures.count < count {
        let buffer = FrameBuffer(layout)
        guard try decoder.next(into: buffer, layout) else { break }
        pictures.append(unsafe Array(buffer.mutableBytes(ofPlane: 0)[..<(size.area * 4)]))
    }
    return pictures
}
