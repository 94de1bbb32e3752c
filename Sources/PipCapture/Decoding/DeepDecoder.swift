internal import CYUV
internal import PipFrames

/// Reduces samples of 9 to 16 bits to their upper 8 bits.
final class DeepDecoder: FrameDecoder {
    /// The factor by which libyuv multiplies a sample before it drops the lower 16 of 32 bits.
    private let scale: CInt
    private let strideInBytes: Int

    /// - Parameters:
    ///   - samples: The samples' format and depth.
    ///   - stride: The driver's row stride. Units: bytes.
    init(_ samples: DeviceFormat.DeepSamples, stride: Int) {
        scale = 1 << (24 - samples.bits)
        strideInBytes = stride
    }

    @unsafe func decode(_ bytes: UnsafeRawBufferPointer, into frame: FrameBuffer, _ layout: FrameLayout) -> Bool {
        var source = 0
        for (index, plane) in layout.planes.enumerated() {
            let rows = plane.dimensions.height
            // A sample takes one byte in the plane, and two in the driver's memory.
            guard strideInBytes % 2 == 0, strideInBytes >= 2 * plane.rowBytes,
                bytes.count >= source + strideInBytes * rows,
                let samples = unsafe bytes.baseAddress?.advanced(by: source), Int(bitPattern: samples) % 2 == 0,
                let target = unsafe frame.mutableBytes(ofPlane: index).baseAddress?.advanced(by: plane.offset)
            else { return false }
            unsafe Convert16To8Plane(
                samples.assumingMemoryBound(to: UInt16.self), CInt(strideInBytes / 2),
                target.assumingMemoryBound(to: UInt8.self), CInt(plane.strideInBytes), scale, CInt(plane.rowBytes),
                CInt(rows))
            source += strideInBytes * rows
        }
        return true
    }
}
