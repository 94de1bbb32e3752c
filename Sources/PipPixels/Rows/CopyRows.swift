internal import Glibc

/// Copies rows between memories of different strides, in one go where there is no padding.
///
/// By `memcpy`: libyuv's `CopyPlane` takes as long (0.030 ms for luma of 720p, with padding 0.040).
///
/// - Parameters:
///   - source: The first row's first byte.
///   - sourceStride: Bytes from row to row.
///   - target: Where the first row goes; the two memories do not overlap.
///   - targetStride: Bytes from row to row of the target.
///   - rowBytes: Bytes of a row without padding.
///   - rows: Number of rows.
@unsafe package func copyRows(
    from source: UnsafeRawPointer, stride sourceStride: Int, to target: UnsafeMutableRawPointer,
    stride targetStride: Int, rowBytes: Int, rows: Int
) {
    if sourceStride == rowBytes && targetStride == rowBytes {
        unsafe memcpy(target, source, rowBytes * rows)
        return
    }
    for row in 0..<rows { unsafe memcpy(target + row * targetStride, source + row * sourceStride, rowBytes) }
}
