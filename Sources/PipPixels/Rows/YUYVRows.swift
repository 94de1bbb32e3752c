/// Converts an NV12 picture to YUYV.
///
/// A 4:2:0 chroma sample lies between two rows of luma. Each luma row gets three quarters of the nearer chroma row and
/// a quarter of the chroma row on its other side. libyuv does not interpolate, but repeats each row of chroma.
///
/// - Parameters:
///   - luma: The rows of the luma plane.
///   - chroma: The rows of the plane of chroma pairs.
///   - target: The rows of macropixels.
///   - width: The number of pixels in a row; even.
///   - height: The number of rows; even.
@unsafe package func packYUYV(
    luma: InputRows, chroma: InputRows, to target: OutputRows, width: Int, height: Int
) {
    for row in 0..<height {
        let near = row / 2
        let next = row % 2 == 0 ? max(near - 1, 0) : min(near + 1, height / 2 - 1)
        unsafe packRow(luma.row(row), chroma.row(near), chroma.row(next), to: target.row(row), width / 2)
    }
}

private func packRow(
    _ luma: UnsafePointer<UInt8>, _ near: UnsafePointer<UInt8>, _ next: UnsafePointer<UInt8>,
    to out: UnsafeMutablePointer<UInt8>, _ count: Int
) {
    func mean(_ index: Int) -> UInt8 {
        let sum = unsafe 3 &* UInt16(near[index]) &+ UInt16(next[index]) &+ 2
        return UInt8(truncatingIfNeeded: sum &>> 2)
    }
    for index in 0..<count {
        unsafe out[4 * index] = luma[2 * index]
        unsafe out[4 * index + 1] = mean(2 * index)
        unsafe out[4 * index + 2] = luma[2 * index + 1]
        unsafe out[4 * index + 3] = mean(2 * index + 1)
    }
}
