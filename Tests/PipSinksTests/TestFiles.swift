import PipFrames

@testable import PipSinks

/// A frame whose samples count up from a value, and whose padding is 0xee.
func makeFrame(_ layout: FrameLayout, from first: UInt8 = 0, sequence: UInt64 = 0) -> Frame {
    let buffer = FrameBuffer(layout)
    var value = first
    for (index, plane) in layout.planes.enumerated() {
        let bytes = unsafe buffer.mutableBytes(ofPlane: index)
        for row in 0..<plane.dimensions.height {
            for byte in 0..<plane.strideInBytes {
                unsafe bytes[plane.offset + row * plane.strideInBytes + byte] = byte < plane.rowBytes ? value : 0xee
                if byte < plane.rowBytes { value &+= 1 }
            }
        }
    }
    return Frame(info: FrameInfo(layout: layout, colorimetry: .bt709, sequence: sequence), buffer: buffer)
}

/// The contents of a frame of `makeFrame`, without padding.
func counted(_ layout: FrameLayout, from first: UInt8 = 0) -> [UInt8] {
    (0..<layout.payloadByteCount).map { first &+ UInt8(truncatingIfNeeded: $0) }
}
