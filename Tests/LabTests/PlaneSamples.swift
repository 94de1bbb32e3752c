import PipCompose
import PipTestSupport

/// A plane of an NV12 picture.
///
/// A luma sample has one byte, and a chroma sample has two.
struct PlaneSamples {
    let width: Int
    let height: Int
    /// The number of bytes in a sample, which is also the number of pixels that a sample covers in each direction: 1 or
    /// 2.
    private let step: Int
    private let bytes: [UInt8]

    init(_ frame: Frame, _ plane: Int) {
        step = plane + 1
        bytes = samples(frame, plane: plane)
        width = frame.size.width / step
        height = frame.size.height / step
    }

    /// Takes a plane from the bytes of an NV12 picture without padding.
    init(_ picture: [UInt8], _ size: PixelSize, _ plane: Int) {
        step = plane + 1
        width = size.width / step
        height = size.height / step
        bytes = Array(plane == 0 ? picture[..<size.area] : picture[size.area...])
    }

    /// The number of bytes that differ from another plane's, outside of a rectangle.
    ///
    /// Units of the rectangle: pixels.
    func differences(
        from other: PlaneSamples, outside hole: PixelRect = PixelRect(x: 0, y: 0, width: 0, height: 0)
    ) -> Int {
        let columns = hole.x / step..<hole.maxX / step
        let rows = hole.y / step..<hole.maxY / step
        var count = 0
        for index in bytes.indices where bytes[index] != other.bytes[index] {
            let (x, y) = (index / step % width, index / step / width)
            if !columns.contains(x) || !rows.contains(y) { count += 1 }
        }
        return count
    }

    /// The largest difference between a sample of the inset and the mean of the original samples that it represents.
    func worstMean(
        of original: PlaneSamples, in rect: PixelRect, scale: Int,
        _ stored: (_ x: Int, _ y: Int, _ size: PixelSize) -> (Int, Int)
    ) -> Double {
        let size = PixelSize(original.width, original.height)
        var worst = 0.0
        for y in 0..<rect.height / step {
            for x in 0..<rect.width / step {
                for component in 0..<step {
                    var sum = 0
                    for block in 0..<scale * scale {
                        let place = stored(x * scale + block % scale, y * scale + block / scale, size)
                        sum += Int(original.bytes[(place.1 * original.width + place.0) * step + component])
                    }
                    let place = (y + rect.y / step) * width + x + rect.x / step
                    let mean = Double(sum) / Double(scale * scale)
                    worst = max(worst, abs(Double(bytes[place * step + component]) - mean))
                }
            }
        }
        return worst
    }
}
