/// A frame's metadata: layout, colour encoding, orientation, timestamp and sequence number.
public struct FrameInfo: Sendable, Equatable {
    /// The pixel format, size and planes.
    public var layout: FrameLayout
    /// The meaning of the samples: colours, or a table of numbers.
    package var content = FrameContent.picture
    /// The colour encoding of the samples.
    public var colorimetry: Colorimetry
    /// The rotation and mirroring that show the picture upright.
    public var orientation: Orientation
    /// The time of capture (cameras), arrival (streams), presentation (files) or composition (outputs).
    ///
    /// A file's times count from the source's start.
    public var timestamp: Timestamp
    /// True when the timestamp is the time of arrival, because the source gave no usable timestamp.
    public var isTimestampEstimated: Bool
    /// The frame's number within its source, from 0; a camera's lost frames are counted, too.
    public var sequence: UInt64
    /// The cameras' frames that a composed frame shows; empty for any other frame.
    public var inputs = FrameInputs()

    /// Creates the metadata of a frame.
    ///
    /// - Parameters:
    ///   - layout: The pixel format, size and planes.
    ///   - colorimetry: The colour encoding of the samples.
    ///   - orientation: The rotation and mirroring that show the picture upright.
    ///   - timestamp: The time of capture, arrival, presentation or composition.
    ///   - isTimestampEstimated: True when the timestamp is the time of arrival.
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

/// A picture: its metadata, and a reference to its pixels.
///
/// While a frame is kept, its buffer cannot be reused, and a camera has few buffers.
public struct Frame: Sendable {
    /// The layout, colour encoding, orientation, timestamp and sequence number.
    public let info: FrameInfo
    package let buffer: FrameBuffer

    /// Creates a frame whose pixels are in `buffer`.
    ///
    /// The pixels must not be written while any frame references the buffer.
    public init(info: FrameInfo, buffer: FrameBuffer) {
        self.info = info
        self.buffer = buffer
    }

    /// The pixel format, size and planes.
    public var layout: FrameLayout { info.layout }
    /// The picture's size, in luma pixels.
    public var size: PixelSize { info.layout.size }
    /// The time of capture, arrival, presentation or composition.
    public var timestamp: Timestamp { info.timestamp }

    /// Calls `body` with a plane's bytes and their layout.
    ///
    /// The bytes are `dimensions.height` rows, `strideInBytes` apart, from the top row down. The last row ends after
    /// `rowBytes`.
    public func withPlane<R, E: Error>(_ plane: Int, _ body: (RawSpan, PlaneLayout) throws(E) -> R) throws(E) -> R {
        let layout = info.layout.planes[plane]
        let bytes = unsafe buffer.bytes(ofPlane: plane)
        let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[layout.offset..<layout.offset + layout.byteCount])
        return try unsafe body(part.bytes, layout)
    }

    /// True when the pixels lie in dma-bufs, which a GPU may read in place.
    package var isShareable: Bool { !buffer.descriptors.isEmpty }

    /// A pointer to a plane's first sample, for C libraries and GL; nil for a buffer without memory.
    ///
    /// The pointer is valid while the frame is kept.
    @unsafe package func unsafePlane(_ plane: Int) -> UnsafeRawPointer? {
        unsafe buffer.bytes(ofPlane: plane).baseAddress.map { unsafe $0 + info.layout.planes[plane].offset }
    }
}
