/// The meaning of a frame's samples.
package enum FrameContent: Sendable, Hashable {
    /// Colours.
    case picture
    /// 32-bit floats, row by row, each over the four bytes of an RGBA pixel: ``FrameTable`` reads them.
    case table
}

/// The numbers of a frame that carries a table in place of a picture, such as a histogram.
package struct FrameTable: Sendable, Hashable {
    /// The numbers, row by row.
    package let numbers: [Float]

    /// Reads a frame's table.
    ///
    /// - Parameter frame: A frame with a table; nil is the result for a frame with a picture.
    package init?(_ frame: Frame) {
        guard frame.info.content == .table, frame.layout.format == .rgba else { return nil }
        numbers = frame.withPlane(0) { span, plane in
            (0..<plane.dimensions.height).flatMap { row in
                (0..<plane.dimensions.width).map { column in
                    let at = row * plane.strideInBytes + column * 4
                    return unsafe Float(bitPattern: span.unsafeLoadUnaligned(fromByteOffset: at, as: UInt32.self))
                }
            }
        }
    }
}
