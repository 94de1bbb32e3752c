internal import CFreeType
internal import PipSources

/// Computes the pixels that a path covers, with FreeType's rasterizer of letters.
///
/// Thread: one at a time.
///
/// Source: FreeType API Reference, "Outline Processing".
@safe final class PathRasterizer {
    /// The largest number of corners of an outline.
    private static let mostCorners = Int(Int16.max)

    private let library: FT_Library

    /// - Throws: ``SourceError`` when the library is missing, or memory is exhausted.
    init(label: String) throws(SourceError) {
        unsafe library = try unsafe ShapingLibraries.startFreeType(for: label)
    }

    deinit { unsafe FT_Done_FreeType(library) }

    /// The coverage of a path's pixels, in the rectangle that has them.
    ///
    /// - Parameter path: The path; nothing is covered by one of more than 32,767 corners, or far beyond a picture.
    /// - Returns: The shape; its `top` is the negative number of its first row.
    func coverage(of path: VectorPath) -> Glyph.Shape {
        let corners = path.contours.joined()
        guard let first = corners.first, corners.count <= Self.mostCorners else { return Glyph.Shape() }
        var (least, most) = (first, first)
        for corner in corners {
            least = pointwiseMin(least, corner)
            most = pointwiseMax(most, corner)
        }
        // Also false for corners that are no numbers.
        guard least.min() > -8192, most.max() < 8192 else { return Glyph.Shape() }
        let (left, top) = (Int(least.x.rounded(.down)), Int(least.y.rounded(.down)))
        let (width, height) = (Int(most.x.rounded(.up)) - left, Int(most.y.rounded(.up)) - top)
        guard width > 0, height > 0 else { return Glyph.Shape() }
        var outline = unsafe FT_Outline()
        guard unsafe FT_Outline_New(library, FT_UInt(corners.count), FT_Int(path.contours.count), &outline) == 0 else {
            return Glyph.Shape()
        }
        defer { unsafe FT_Outline_Done(library, &outline) }
        var index = 0
        for (number, contour) in path.contours.enumerated() {
            for corner in contour {
                // FreeType counts upwards, in 64ths of a pixel.
                let x = ((corner.x - Double(left)) * 64).rounded()
                let y = ((Double(top + height) - corner.y) * 64).rounded()
                unsafe outline.points[index] = FT_Vector(x: FT_Pos(x), y: FT_Pos(y))
                unsafe outline.tags[index] = 1
                index += 1
            }
            unsafe outline.contours[number] = .init(index - 1)
        }
        return unsafe rendered(&outline, Glyph.Shape(left: left, top: -top, width: width, height: height))
    }

    private func rendered(_ outline: inout FT_Outline, _ shape: Glyph.Shape) -> Glyph.Shape {
        var shape = shape
        shape.coverage = [UInt8](repeating: 0, count: shape.width * shape.height)
        unsafe shape.coverage.withUnsafeMutableBufferPointer { pixels in
            var bitmap = unsafe FT_Bitmap()
            unsafe bitmap.buffer = pixels.baseAddress
            unsafe bitmap.width = UInt32(shape.width)
            unsafe bitmap.rows = UInt32(shape.height)
            unsafe bitmap.pitch = Int32(shape.width)
            unsafe bitmap.num_grays = 256
            unsafe bitmap.pixel_mode = UInt8(FT_PIXEL_MODE_GRAY.rawValue)
            _ = unsafe FT_Outline_Get_Bitmap(library, &outline, &bitmap)
        }
        return shape
    }
}
