package import PipFrames

/// The properties of a source's frames, which are known before the first frame.
package struct SourceDescription: Sendable, Equatable {
    /// The number of frames.
    package enum Length: Sendable, Equatable {
        case frames(Int)
        /// The source, such as a pipe, has an end that is known only once it is reached.
        case unknown
        /// The source never ends, such as a test pattern without a number of frames, a loop or a still picture.
        case endless

        /// The number of frames; nil when it is unknown or infinite.
        package var count: Int? { if case .frames(let count) = self { count } else { nil } }
    }

    /// The path of the file, or the name of the source.
    package var name: String
    package var layout: FrameLayout
    package var colorimetry: Colorimetry
    package var orientation: Orientation
    package var rate: FrameRate
    package var length: Length
    /// True for a picture that is shown without end: a still, of which a single frame is read, or a ``LivePicture``.
    package var isStill: Bool
    /// True when each frame has its own due time, as in a movie, and the rate is approximate.
    package var isTimed = false
    /// The duration of the played part of a movie, as far as the file states it; nil for other sources.
    ///
    /// The duration of a movie that loops is that of one round.
    package var movieDuration: Duration?
    /// A caveat for the user, without a full stop: `interlaced, shown without deinterlacing`.
    package var note: String?

    package init(
        name: String, layout: FrameLayout, colorimetry: Colorimetry, orientation: Orientation = .identity,
        rate: FrameRate, length: Length, isStill: Bool = false, note: String? = nil
    ) {
        self.name = name
        self.layout = layout
        self.colorimetry = colorimetry
        self.orientation = orientation
        self.rate = rate
        self.length = length
        self.isStill = isStill
        self.note = note
    }

    /// The number of frames; nil when it is unknown or infinite.
    package var frameCount: Int? { length.count }

    /// The time from the beginning of the first frame to the end of the last; nil when it is unknown or infinite.
    ///
    /// The time is approximate for movies and animations.
    package var duration: Duration? {
        length == .endless ? nil : movieDuration ?? frameCount.map { rate.offset(ofFrame: $0) }
    }

    /// The metadata of frame `index`; its timestamp is the offset from the source's start.
    package func info(ofFrame index: Int) -> FrameInfo {
        FrameInfo(
            layout: layout, colorimetry: colorimetry, orientation: orientation,
            timestamp: Timestamp(nanoseconds: rate.offset(ofFrame: index).nanoseconds), sequence: UInt64(index))
    }
}

extension Colorimetry {
    /// The colour encoding that is assumed for unlabelled pixels, as in players: sRGB for RGB; for Y'CbCr BT.709 above
    /// 576 rows, and BT.601 otherwise.
    package static func assumed(for format: PixelFormat, _ size: PixelSize) -> Colorimetry {
        format.isYUV ? (size.height > 576 ? .bt709 : .bt601) : .srgb
    }
}
