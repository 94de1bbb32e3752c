package import PipFrames

/// Makes a frame whose samples a function returns, and whose padding bytes are 0xee.
package func makeFrame(
    _ layout: FrameLayout, colorimetry: Colorimetry = .jpeg, sample: (_ plane: Int, _ byte: Int, _ row: Int) -> UInt8
) -> Frame {
    let buffer = FrameBuffer(layout)
    for (index, plane) in layout.planes.enumerated() {
        let bytes = unsafe buffer.mutableBytes(ofPlane: index)
        for row in 0..<plane.dimensions.height {
            for byte in 0..<plane.strideInBytes {
                unsafe bytes[plane.offset + row * plane.strideInBytes + byte] =
                    byte < plane.rowBytes ? sample(index, byte, row) : 0xee
            }
        }
    }
    return Frame(info: FrameInfo(layout: layout, colorimetry: colorimetry), buffer: buffer)
}

/// Makes a frame whose bytes count up from `first`, and whose padding bytes are 0xee.
package func countingFrame(_ info: FrameInfo, from first: UInt8 = 0) -> Frame {
    var value = first &- 1
    let frame = makeFrame(info.layout) { _, _, _ in
        value &+= 1
        return value
    }
    return Frame(info: info, buffer: frame.buffer)
}

/// The bytes of a plane, without padding.
package func samples(_ frame: Frame, plane: Int = 0) -> [UInt8] {
    frame.withPlane(plane) { bytes, layout in
        unsafe bytes.withUnsafeBytes { bytes in
            var samples: [UInt8] = []
            for row in 0..<layout.dimensions.height {
                let start = row * layout.strideInBytes
                unsafe samples.append(contentsOf: bytes[start..<start + layout.rowBytes])
            }
            return samples
        }
    }
}

/// True if the padding bytes of all rows but each plane's last still have the value 0xee, which `makeFrame` wrote.
package func hasCleanPadding(_ frame: Frame) -> Bool {
    frame.layout.planes.indices.allSatisfy { index in
        frame.withPlane(index) { bytes, layout in
            (0..<layout.dimensions.height - 1).allSatisfy { row in
                (layout.rowBytes..<layout.strideInBytes).allSatisfy {
                    unsafe bytes.unsafeLoad(fromByteOffset: row * layout.strideInBytes + $0, as: UInt8.self) == 0xee
                }
            }
        }
    }
}
