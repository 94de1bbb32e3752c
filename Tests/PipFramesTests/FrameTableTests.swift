import PipFrames
import Testing

@Suite("Frames that carry tables")
struct FrameTableTests {
    private func frame(_ content: FrameContent) -> Frame {
        let layout = FrameLayout(.rgba, PixelSize(2, 2), stride: 16)
        let buffer = FrameBuffer(layout)
        for (index, number) in [Float(1.5), -2, 0.25, 1e9].enumerated() {
            let at = index / 2 * 16 + index % 2 * 4
            unsafe buffer.mutableBytes(ofPlane: 0).storeBytes(of: number.bitPattern, toByteOffset: at, as: UInt32.self)
        }
        var info = FrameInfo(layout: layout, colorimetry: .bt709)
        info.content = content
        return Frame(info: info, buffer: buffer)
    }

    @Test("tables are read row by row, without the padding")
    func numbers() {
        #expect(FrameTable(frame(.table))?.numbers == [1.5, -2, 0.25, 1e9])
    }

    @Test("tables are not taken for pictures, nor pictures for tables")
    func picture() {
        #expect(FrameTable(frame(.picture)) == nil)
        #expect(FrameInfo(layout: FrameLayout(.rgba, PixelSize(1, 1)), colorimetry: .bt709).content == .picture)
    }
}
