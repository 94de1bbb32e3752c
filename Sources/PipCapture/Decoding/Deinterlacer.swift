internal import PipFrames

/// Deinterlaces frames: keeps the rows of the field that was captured first, and interpolates the other rows.
///
/// The second fields of the previous and of the present frame contain each row to interpolate as the row was just
/// before and just after the kept field. Where these two rows agree and the kept field does not change, their
/// mean is used. Elsewhere a filter estimates the value, within bounds that follow from the differences. The filter
/// reads 14 rows of three fields, but only four rows of the kept field where the picture changes more over time than
/// over rows. Later frames are not read, because that would add a frame of latency. After a gap, and at the start, a
/// row is interpolated from the kept field alone.
///
/// Source: the filter is M. Weston's of BBC Research ("w3fdif"), its bounds are YADIF's; BWDIF combines both.
final class Deinterlacer: FrameDecoder {
    private let source: FrameLayout
    private let interlacing: Interlacing
    /// The rows of the previous frame, without padding, plane after plane.
    private var before: [UInt8]
    private var hasBefore = false

    /// - Parameters:
    ///   - source: The layout of the driver's planes.
    ///   - interlacing: The arrangement of the fields.
    init(_ source: FrameLayout, _ interlacing: Interlacing) {
        self.source = source
        self.interlacing = interlacing
        before = [UInt8](repeating: 0, count: source.payloadByteCount)
    }

    func skip() { hasBefore = false }

    @unsafe func decode(_ bytes: UnsafeRawBufferPointer, into frame: FrameBuffer, _ layout: FrameLayout) -> Bool {
        guard let start = bytes.baseAddress, source.byteCount <= bytes.count else { return false }
        return unsafe before.withUnsafeMutableBytes { before in
            guard var earlier = before.baseAddress else { return false }
            for (index, plane) in layout.planes.enumerated() {
                let (width, count) = (plane.rowBytes, plane.dimensions.height)
                let memory = unsafe frame.mutableBytes(ofPlane: index)
                guard let target = unsafe memory.baseAddress?.advanced(by: plane.offset) else { return false }
                let own = source.planes[index]
                let now = unsafe FieldRows(start + own.offset, stride: own.strideInBytes, count, interlacing)
                let past = unsafe FieldRows(UnsafeRawPointer(earlier), stride: width, count, nil)
                let filter = FieldFilter(now: now, before: hasBefore ? past : nil, width: width)
                unsafe filter.write(to: target, stride: plane.strideInBytes, keeping: interlacing.isTopFirst ? 0 : 1)
                for row in 0..<count {
                    unsafe earlier.copyMemory(from: now[row], byteCount: width)
                    unsafe earlier += width
                }
            }
            hasBefore = true
            return true
        }
    }
}
