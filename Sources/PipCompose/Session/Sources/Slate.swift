/// Draws the picture for a source without frames: a dark panel with a crossed-out rectangle.
enum Slate {
    private static let panel: [UInt8] = [34, 134, 124]
    private static let line: UInt8 = 70

    /// The luma of the text.
    private static let ink = 190

    /// Draws the panel, in limited-range BT.709.
    ///
    /// - Parameters:
    ///   - size: The panel's size.
    ///   - words: The text as a picture, whose alpha is blended onto the lower half; nil draws no text.
    ///   - sequence: The frame's sequence number.
    /// - Returns: The panel's frame.
    static func frame(_ size: PixelSize, words: Frame? = nil, sequence: UInt64 = 0) -> Frame {
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
            for span in spans(row, size, hasWords: words != nil) {
                unsafe fill(luma, layout.planes[0], row, span, with: line)
            }
        }
        if let words { unsafe lay(words, on: luma, layout.planes[0]) }
        return Frame(info: FrameInfo(layout: layout, colorimetry: .bt709, sequence: sequence), buffer: buffer)
    }

    /// Blends the text onto the panel's lower half, clipped to the panel.
    private static func lay(_ words: Frame, on luma: UnsafeMutableRawBufferPointer, _ plane: PlaneLayout) {
        let size = plane.dimensions
        let left = (size.width - words.size.width) / 2
        let top = size.height / 2 + (size.height / 2 - words.size.height) / 2
        words.withPlane(0) { bytes, words in
            for y in max(0, -top)..<max(0, min(words.dimensions.height, size.height - top)) {
                for x in max(0, -left)..<max(0, min(words.dimensions.width, size.width - left)) {
                    let offset = y * words.strideInBytes + 4 * x + 3
                    let alpha = Int(unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
                    if alpha == 0 { continue }
                    let place = plane.offset + (top + y) * plane.strideInBytes + left + x
                    let below = Int(unsafe luma[place])
                    unsafe luma[place] = UInt8((below * (255 - alpha) + ink * alpha + 127) / 255)
                }
            }
        }
    }

    /// The columns of a row that the crossed-out rectangle covers: its outline and its diagonals.
    private static func spans(_ row: Int, _ size: PixelSize, hasWords: Bool) -> [Range<Int>] {
        let thickness = max(2, min(size.width, size.height) / 90)
        let frame =
            hasWords
            ? PixelRect(
                x: size.width * 3 / 10, y: size.height / 10, width: size.width * 2 / 5, height: size.height * 2 / 5)
            : PixelRect(x: size.width / 4, y: size.height / 4, width: size.width / 2, height: size.height / 2)
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

/// The graph node of a slate or badge, which is drawn for a source without frames.
struct SlateSpecification: SourceSpecification {
    var label: String
}
