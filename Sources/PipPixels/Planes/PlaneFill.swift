internal import Glibc
package import PipFrames

extension FrameBuffer {
    /// Fills all planes with one colour.
    ///
    /// - Parameters:
    ///   - samples: The values of Y' and both chroma samples, in the order of the planes; or of Y' alone.
    ///   - layout: The layout of the planes in the buffer: planar, semiplanar or grey.
    package func fill(with samples: [UInt8], _ layout: FrameLayout) {
        for plane in layout.planes.indices {
            let bytes = unsafe mutableBytes(ofPlane: plane)
            guard let start = bytes.baseAddress else { continue }
            let own = layout.planes[plane]
            let count = own.strideInBytes * own.dimensions.height
            if plane > 0 && layout.format.family == .semiplanar && samples[1] != samples[2] {
                let pair = UInt16(littleEndian: UInt16(samples[1]) | UInt16(samples[2]) << 8)
                unsafe (start + own.offset).initializeMemory(as: UInt16.self, repeating: pair, count: count / 2)
            } else {
                unsafe memset(start + own.offset, Int32(samples[plane]), count)
            }
        }
    }
}
