/// The kind of a frame's samples: colours or numbers.
package enum FrameContent: Sendable, Hashable {
    /// The samples are colours.
    case picture
    /// The samples are 32-bit floats, row by row, each in the four bytes of an RGBA pixel. ``FrameTable`` reads them.
    case table
}

/// The numbers of a frame that contains a table in place of a picture, such as a histogram.
package struct FrameTable: Sendable, Hashable {
    /// The numbers of the table, row by row.
    package let numbers: [Float]

    /// Reads a frame's table; nil for a frame that contains a picture.
    ///
    /// - Parameter frame: The frame with the table.
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
