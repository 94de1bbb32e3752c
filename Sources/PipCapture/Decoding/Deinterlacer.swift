internal import PipFrames

/// Deinterlaces frames: the field taken first stays, and its missing rows are interpolated.
///
/// A missing row lies between two rows of its own field. The other fields of the previous and the present frame contain
/// that row just before and just after. Where they agree, their value is used. Where they differ, a filter over twelve
/// rows of three fields estimates it, bounded by their differences. Later frames are not read, because that would add a
/// frame of latency. After a gap, and at the start, a row is interpolated from its own field alone.
///
/// Source: filter by M. Weston, BBC Research ("w3fdif"); its bounds by YADIF; both joined in BWDIF.
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
