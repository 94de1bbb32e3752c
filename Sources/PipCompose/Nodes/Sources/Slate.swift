/// A dark panel with a crossed-out camera's frame: what a layer shows whose source has no frames.
enum Slate {
    private static let panel: [UInt8] = [34, 134, 124]
    private static let line: UInt8 = 70

    /// The panel's picture, in limited-range BT.709.
    static func frame(_ size: PixelSize) -> Frame {
        let layout = FrameLayout(.i420, size)
        let buffer = FrameBuffer(layout)
        for (index, plane) in layout.planes.enumerated() {
            let bytes = unsafe buffer.mutableBytes(ofPlane: index)
            for row in 0..<plane.dimensions.height {
                unsafe fill(bytes, plane, row, 0..<plane.dimensions.width, with: panel[index])
            }
        }
        let luma = unsafe buffer.mutableBytes(ofPlane: 0)
        for row in 0..<size.height {
            for span in spans(row, size) { unsafe fill(luma, layout.planes[0], row, span, with: line) }
        }
        return Frame(info: FrameInfo(layout: layout, colorimetry: .bt709), buffer: buffer)
    }

    /// The columns of a row that lie on the frame in the middle, or on its diagonals.
    private static func spans(_ row: Int, _ size: PixelSize) -> [Range<Int>] {
        let thickness = max(2, min(size.width, size.height) / 90)
        let frame = PixelRect(x: size.width / 4, y: size.height / 4, width: size.width / 2, height: size.height / 2)
        let down = row - frame.y
        guard down >= 0, down < frame.height else { return [] }
        if down < thickness || down >= frame.height - thickness { return [frame.x..<frame.maxX] }
        let reach = thickness * (frame.width + frame.height) / (2 * frame.height)
        let across = down * frame.width / frame.height
        let middles = [frame.x + across, frame.maxX - across]
        let diagonals = middles.map { max(frame.x, $0 - reach)..<min(frame.maxX, $0 + reach) }
        return diagonals + [frame.x..<frame.x + thickness, frame.maxX - thickness..<frame.maxX]
    }

    private static func fill(
        _ bytes: UnsafeMutableRawBufferPointer, _ plane: PlaneLayout, _ row: Int, _ columns: Range<Int>,
        with value: UInt8
    ) {
        let start = plane.offset + row * plane.strideInBytes
        unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start + columns.lowerBound..<start + columns.upperBound])
            .initializeMemory(as: UInt8.self, repeating: value)
    }
}

/// The panel that stands for a source without frames.
struct SlateSpecification: SourceSpecification {
    var label: String
}
