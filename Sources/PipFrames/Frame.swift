/// What the samples of a frame stand for.
public enum FrameContent: Sendable, Hashable {
    /// Colours.
    case picture
    /// 32-bit floats, row by row, each over the four bytes of an RGBA pixel: ``FrameTable`` reads them.
    case table
}

/// What is known of a frame beside its pixels.
public struct FrameInfo: Sendable, Equatable {
    public var layout: FrameLayout
    /// What the samples stand for.
    public var content = FrameContent.picture
    public var colorimetry: Colorimetry
    /// How to show it upright.
    public var orientation: Orientation
    /// When it was captured (cameras), is due (files), or was composed (outputs).
    public var timestamp: Timestamp
    /// Whether the timestamp is the moment of arrival, because the driver gave none that can be used.
    public var isTimestampEstimated: Bool
    /// Counts the source's frames from 0, lost ones included.
    public var sequence: UInt64

    public init(
        layout: FrameLayout, colorimetry: Colorimetry, orientation: Orientation = .identity,
        timestamp: Timestamp = .zero, isTimestampEstimated: Bool = false, sequence: UInt64 = 0
    ) {
        self.layout = layout
        self.colorimetry = colorimetry
        self.orientation = orientation
        self.timestamp = timestamp
        self.isTimestampEstimated = isTimestampEstimated
        self.sequence = sequence
    }
}

/// A picture: borrowed memory and what is known of it.
///
/// Keeping it keeps its memory from being used again.
public struct Frame: Sendable {
    public let info: FrameInfo
    package let buffer: FrameBuffer

    public init(info: FrameInfo, buffer: FrameBuffer) {
        self.info = info
        self.buffer = buffer
    }

    public var layout: FrameLayout { info.layout }
    public var size: PixelSize { info.layout.size }
    public var timestamp: Timestamp { info.timestamp }

    /// Lends a plane's bytes: `dimensions.height` rows of `strideInBytes`, the first of them the top one.
    ///
    /// The last row may end after `rowBytes`.
    public func withPlane<R, E: Error>(_ plane: Int, _ body: (RawSpan, PlaneLayout) throws(E) -> R) throws(E) -> R {
        let layout = info.layout.planes[plane]
        let bytes = unsafe buffer.bytes(ofPlane: plane)
        let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[layout.offset..<layout.offset + layout.byteCount])
        return try unsafe body(part.bytes, layout)
    }

    /// Whether its memory is of dma-bufs, which a GPU may read in place.
    public var isShareable: Bool { !buffer.descriptors.isEmpty }

    /// Lends a plane's first sample as a pointer, for C libraries and GL.
    @unsafe package func unsafePlane(_ plane: Int) -> UnsafeRawPointer? {
        unsafe buffer.bytes(ofPlane: plane).baseAddress.map { unsafe $0 + info.layout.planes[plane].offset }
    }
}
