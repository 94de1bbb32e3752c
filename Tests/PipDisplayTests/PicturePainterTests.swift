import PipFrames
import PipGraph
import PipPixels
import PipTestSupport
import Testing

@Suite("Pictures that are painted for displays")
struct PicturePainterTests {
    /// Paints a frame onto a grey area, and returns the area's pixels as `0xRRGGBB`, row by row.
    private func paint(_ frame: Frame, _ size: PixelSize, fit: FitMode = .fit, turns: Int = 0) -> [Int] {
        let painter = PicturePainter(turns: Orientation(quarterTurns: turns), fit: fit)
        // The rows have padding, which must not change.
        let stride = size.width * 4 + 8
        var area = [UInt8](repeating: 77, count: stride * size.height)
        unsafe area.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            for _ in 0..<2 { unsafe painter.paint(frame, onto: start, stride: stride, size: size) }
        }
        for row in 0..<size.height {
            #expect(area[row * stride + size.width * 4..<(row + 1) * stride].allSatisfy { $0 == 77 })
        }
        return (0..<size.height).flatMap { y in
            (0..<size.width).map { x in
                let place = y * stride + 4 * x
                return Int(area[place + 2]) << 16 | Int(area[place + 1]) << 8 | Int(area[place])
            }
        }
    }

    /// A frame with one row of pixels.
    private func row(_ colours: [Int]) -> Frame {
        let layout = FrameLayout(.rgba, PixelSize(colours.count, 1))
        let buffer = FrameBuffer(layout)
        buffer.withMutablePlane(0, of: layout) { bytes, _ in
            for (x, colour) in colours.enumerated() {
                let word = UInt32(colour >> 16 & 255 | colour & 0xff00 | (colour & 255) << 16)
                bytes.storeBytes(of: word, toByteOffset: 4 * x, as: UInt32.self)
            }
        }
        return Frame(info: FrameInfo(layout: layout, colorimetry: .srgb), buffer: buffer)
    }

    @Test("a picture of the area's size keeps each pixel, also when rotated")
    func same() {
        let colours = [0x102030, 0x405060, 0x708090]
        #expect(paint(row(colours), PixelSize(3, 1)) == colours)
        #expect(paint(row(colours), PixelSize(1, 3), turns: 1) == colours)
        #expect(paint(row(colours), PixelSize(3, 1), turns: 2) == colours.reversed())
        #expect(paint(row(colours), PixelSize(1, 3), turns: 3) == colours.reversed())
    }

    @Test("a picture that does not cover the area leaves black")
    func black() {
        #expect(paint(row([0xabcdef, 0xabcdef]), PixelSize(2, 3)) == [0, 0, 0xabcdef, 0xabcdef, 0, 0])
        #expect(paint(row([0xabcdef]), PixelSize(3, 1)) == [0, 0xabcdef, 0])
    }

    @Test("a picture that fills the area shows its middle")
    func fill() { #expect(paint(row([1, 2, 3, 4, 5]), PixelSize(1, 1), fit: .fill) == [3]) }

    @Test("a uniform picture stays uniform at every size", arguments: [1, 2, 3, 5, 7, 16, 99])
    func even(_ width: Int) {
        for colour in [0xffffff, 0x010101, 0x80ff00] {
            let shown = paint(row(Array(repeating: colour, count: 16)), PixelSize(width, 3), fit: .stretch)
            #expect(shown.allSatisfy { $0 == colour }, "\(shown)")
        }
    }

    @Test("a picture is scaled by a triangle filter", arguments: [3, 4, 5, 8, 13, 40])
    func scaled(_ width: Int) {
        let values = [10, 200, 30, 255, 0, 90, 120, 60]
        let shown = paint(row(values), PixelSize(width, 1), fit: .stretch)
        let ratio = Double(values.count) / Double(width)
        let reach = max(1, ratio)
        for (index, value) in shown.enumerated() {
            let centre = (Double(index) + 0.5) * ratio - 0.5
            var (sum, weight) = (0.0, 0.0)
            for place in -20..<values.count + 20 {
                let share = max(0, 1 - abs(Double(place) - centre) / reach)
                sum += share * Double(values[min(max(place, 0), values.count - 1)])
                weight += share
            }
            // The painter rounds weights to 1/256.
            #expect(abs(Double(value) - sum / weight) <= 2, "\(index) of \(width): \(value), \(sum / weight)")
        }
    }
}
