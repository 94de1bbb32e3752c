import PipTestSupport
import Testing

@testable import PipPixels

@Suite("Packing YUYV")
struct YUYVRowsTests {
    @Test("luma stays as it is, chroma is interpolated between its rows", arguments: [(2, 2), (6, 4), (38, 10)])
    func packs(width: Int, height: Int) {
        let luma = Plane(width, height, seed: 2)
        let chroma = Plane(width / 2, height / 2, parts: 2, seed: 3)
        var packed = Plane(width / 2, height, parts: 4) { _, _, _ in 0 }
        let stride = packed.stride
        unsafe luma.bytes.withUnsafeBytes { lumaBytes in
            unsafe chroma.bytes.withUnsafeBytes { chromaBytes in
                unsafe packed.bytes.withUnsafeMutableBytes { target in
                    guard let target = target.baseAddress, let luma0 = lumaBytes.baseAddress,
                        let chroma0 = chromaBytes.baseAddress
                    else { return }
                    unsafe packYUYV(
                        luma: InputRows(luma0, stride: luma.stride), chroma: InputRows(chroma0, stride: chroma.stride),
                        to: OutputRows(target, stride: stride), width: width, height: height)
                }
            }
        }
        let difference = packed.difference { x, y, part in
            guard part % 2 == 1 else { return luma[2 * x + part / 2, y, 0] }
            // A luma row lies a quarter of a chroma row above or below the centre of its chroma row.
            let place = (Double(y) + 0.5) / 2 - 0.5
            let above = place.rounded(.down)
            func row(_ row: Double) -> Int { min(max(Int(row), 0), height / 2 - 1) }
            let weight = place - above
            return (1 - weight) * chroma[x, row(above), part / 2] + weight * chroma[x, row(above + 1), part / 2]
        }
        #expect(difference.steps <= 0.5001, "\(difference.place)")
        #expect(packed.isPaddingIntact)
    }
}
