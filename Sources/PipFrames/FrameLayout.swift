/// The layout of one plane in memory.
public struct PlaneLayout: Hashable, Sendable {
    /// The number of bytes from the start of the plane's memory to its first sample.
    public var offset: Int
    /// The number of bytes from the start of one row to the start of the next.
    public var strideInBytes: Int
    /// The number of columns (samples, chroma pairs, pixels, or pairs of 4:2:2 pixels), and of rows.
    public var dimensions: PixelSize
    /// The number of bytes in a row's columns, without the padding at its end.
    public var rowBytes: Int

    /// The number of bytes from the first sample to the end of the last row's columns.
    public var byteCount: Int { dimensions.height == 0 ? 0 : strideInBytes * (dimensions.height - 1) + rowBytes }
}

/// The pixel format, size and planes of a frame in memory.
public struct FrameLayout: Hashable, Sendable {
    /// The pixel format, which determines the number and the order of the planes.
    public var format: PixelFormat
    /// The picture's size, in luma pixels.
    public var size: PixelSize
    /// The planes in the format's order: Y, UV (VU for `nv21`); Y, U, V (Y, V, U for `yv12`); or one plane.
    public var planes: [PlaneLayout]

    /// Creates a layout whose planes follow each other in one buffer.
    ///
    /// - Parameters:
    ///   - format: The pixel format.
    ///   - size: The picture's size, in luma pixels.
    ///   - stride: The number of bytes from row to row of the first plane; nil adds no padding. Chroma planes have the
    ///     stride that V4L2 defines for contiguous formats: the same for semi-planar formats, half of it for planar
    ///     formats. A stride below the bytes of a row is raised to them.
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

    /// Creates a layout from descriptions of all planes.
    public init(_ format: PixelFormat, _ size: PixelSize, planes: [PlaneLayout]) {
        self.format = format
        self.size = size
        self.planes = planes
    }

    /// The number of bytes from the start of the memory to the end of the last plane, when all planes share one buffer.
    ///
    /// Includes the padding of each plane's last row.
    public var byteCount: Int {
        planes.reduce(0) { max($0, $1.offset + $1.strideInBytes * $1.dimensions.height) }
    }

    /// The number of bytes of the samples, without padding.
    public var payloadByteCount: Int { planes.reduce(0) { $0 + $1.rowBytes * $1.dimensions.height } }
}
