/// The layout of one plane within its memory.
public struct PlaneLayout: Hashable, Sendable {
    /// Bytes from the start of the plane's memory to its first sample.
    public var offset: Int
    /// Bytes from the start of one row to the start of the next.
    public var strideInBytes: Int
    /// Columns (samples, chroma pairs, pixels, or pairs of 4:2:2 pixels) and rows.
    public var dimensions: PixelSize
    /// Bytes of a row's columns, without the padding at its end.
    public var rowBytes: Int

    /// Bytes from the first sample to the end of the last row's columns.
    public var byteCount: Int { dimensions.height == 0 ? 0 : strideInBytes * (dimensions.height - 1) + rowBytes }
}

/// The format, size and planes of a frame in memory.
public struct FrameLayout: Hashable, Sendable {
    /// The pixel format, which fixes number and order of the planes.
    public var format: PixelFormat
    /// The picture's size in luma pixels.
    public var size: PixelSize
    /// One plane after the other, in the format's order: Y, UV; Y, U, V (Y, V, U for `yv12`); or one packed plane.
    public var planes: [PlaneLayout]

    /// A layout with all planes contiguous in one buffer.
    ///
    /// - Parameters:
    ///   - format: The pixel format.
    ///   - size: The picture's size in luma pixels.
    ///   - stride: Bytes from row to row of the first plane; nil adds no padding. Chroma planes have the stride that
    ///     V4L2 defines for contiguous formats: the same for semi-planar formats, half of it for planar ones.
    public init(_ format: PixelFormat, _ size: PixelSize, stride: Int? = nil) {
        self.format = format
        self.size = size
        planes = []
        var offset = 0
        for plane in 0..<format.planeCount {
            let dimensions = format.dimensions(ofPlane: plane, for: size)
            let rowBytes = dimensions.width * format.bytesPerColumn(ofPlane: plane)
            var strideInBytes = rowBytes
            if let stride {
                strideInBytes = max(rowBytes, format.family == .planar && plane > 0 ? stride / 2 : stride)
            }
            planes.append(
                PlaneLayout(
                    offset: offset, strideInBytes: strideInBytes, dimensions: dimensions, rowBytes: rowBytes))
            offset += strideInBytes * dimensions.height
        }
    }

    /// A layout whose planes are described one by one.
    public init(_ format: PixelFormat, _ size: PixelSize, planes: [PlaneLayout]) {
        self.format = format
        self.size = size
        self.planes = planes
    }

    /// Bytes from the start of the memory to the end of the last plane, when all planes share one buffer.
    public var byteCount: Int {
        planes.reduce(0) { max($0, $1.offset + $1.strideInBytes * $1.dimensions.height) }
    }

    /// Bytes of the samples alone, without padding.
    public var payloadByteCount: Int { planes.reduce(0) { $0 + $1.rowBytes * $1.dimensions.height } }
}
