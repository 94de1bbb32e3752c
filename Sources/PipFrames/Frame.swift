/// A frame's metadata: layout, colour encoding, orientation, timestamp and sequence number.
public struct FrameInfo: Sendable, Equatable {
    /// Format, size and planes.
    public var layout: FrameLayout
    /// The meaning of the samples.
    package var content = FrameContent.picture
    /// The colour encoding of the samples.
    public var colorimetry: Colorimetry
    /// The transform that shows the picture upright.
    public var orientation: Orientation
    /// The moment of capture (cameras), presentation (files) or composition (outputs).
    public var timestamp: Timestamp
    /// True when the timestamp is the moment of arrival, because the driver's could not be used.
    public var isTimestampEstimated: Bool
    /// The frame's number in its source, from 0, lost frames included.
    public var sequence: UInt64
    /// The source that the frame came from; nil for a frame that was composed, and for one that an app made.
    public var source: NodeID?
    /// The frames of live sources that the frame was composed of; empty for any other frame.
    public var inputs = FrameInputs()

    /// Metadata from its parts.
    ///
    /// - Parameters:
    ///   - layout: Format, size and planes.
    ///   - colorimetry: The colour encoding of the samples.
    ///   - orientation: The transform that shows the picture upright.
    ///   - timestamp: The moment of capture, presentation or composition.
    ///   - isTimestampEstimated: True when the timestamp is the moment of arrival.
    ///   - sequence: The frame's number in its source.
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

/// A picture: metadata and a reference to its pixels.
///
/// Keeping a frame keeps its buffer from being reused, and a camera has few buffers.
public struct Frame: Sendable {
    /// Layout, colour encoding, orientation, timestamp and sequence number.
    public let info: FrameInfo
    package let buffer: FrameBuffer

    /// A frame in `buffer`, whose pixels must not be written while any frame references it.
    public init(info: FrameInfo, buffer: FrameBuffer) {
        self.info = info
        self.buffer = buffer
    }

    /// Format, size and planes.
    public var layout: FrameLayout { info.layout }
    /// The picture's size in luma pixels.
    public var size: PixelSize { info.layout.size }
    /// The moment of capture, presentation or composition.
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

    /// True when the pixels lie in dma-bufs, which a GPU may read in place.
    package var isShareable: Bool { !buffer.descriptors.isEmpty }

    /// Lends a plane's first sample as a pointer, for C libraries and GL.
    @unsafe package func unsafePlane(_ plane: Int) -> UnsafeRawPointer? {
        unsafe buffer.bytes(ofPlane: plane).baseAddress.map { unsafe $0 + info.layout.planes[plane].offset }
    }
}
