internal import PipFrames

/// Makes one picture of two fields: the field that was taken first stays, and its missing rows are interpolated.
///
/// A row that is missing is between two of its own field. Just before and just after, the other fields of the frame
/// before and of this one have taken it: where these agree, it is theirs; where they differ, a filter of twelve rows of
/// three fields estimates it, within what the differences allow. The field after the next is not looked at: that would
/// cost a frame's time. After a gap, or at the start, a row comes from its own field alone.
///
/// Source: filter by M. Weston, BBC Research ("w3fdif"); its bounds by YADIF; both joined in BWDIF.
final class Deinterlacer: FrameDecoder {
    private let source: FrameLayout
    private let interlacing: Interlacing
    /// The rows of the frame before, without padding, plane after plane.
    private var before: [UInt8]
    private var hasBefore = false

    /// - Parameters:
    ///   - source: Where the driver writes the planes.
    ///   - interlacing: How the fields lie there.
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
