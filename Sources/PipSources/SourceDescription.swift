package import PipFrames

/// The properties of a source's frames, known before the first one.
package struct SourceDescription: Sendable, Equatable {
    /// The number of frames.
    package enum Length: Sendable, Equatable {
        case frames(Int)
        /// The source ends at a point that only reading reveals, such as a pipe.
        case unknown
        /// The source never ends: a pattern, a loop, a still.
        case endless

        /// The number of frames; nil when it is unknown or infinite.
        package var count: Int? { if case .frames(let count) = self { count } else { nil } }
    }

    /// The file's path, or the pattern's name.
    package var name: String
    package var layout: FrameLayout
    package var colorimetry: Colorimetry
    package var orientation: Orientation
    package var rate: FrameRate
    package var length: Length
    /// True when all frames are equal, or nearly all.
    ///
    /// A reader then delivers one, to be shown for ever.
    package var isStill: Bool
    /// True when frames have due times of their own, and the rate is approximate: a movie.
    package var isTimed = false
    /// The length that a movie's file claims; nil for other sources.
    package var movieDuration: Duration?
    /// A caveat for the user, as a sentence without its full stop: `interlaced, shown without deinterlacing`.
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

    /// The time from the first frame's beginning to the last one's end, approximate for a movie; nil when it is unknown
    /// or infinite.
    package var duration: Duration? { movieDuration ?? frameCount.map { rate.offset(ofFrame: $0) } }

    /// The metadata of frame `index`, stamped with its offset from the source's start.
    package func info(ofFrame index: Int) -> FrameInfo {
        FrameInfo(
            layout: layout, colorimetry: colorimetry, orientation: orientation,
            timestamp: Timestamp(nanoseconds: rate.offset(ofFrame: index).nanoseconds), sequence: UInt64(index))
    }
}

extension Colorimetry {
    /// The colour encoding assumed for unlabelled pixels, as players do: sRGB for RGB, BT.709 above 576 rows, and
    /// BT.601 otherwise.
    package static func assumed(for format: PixelFormat, _ size: PixelSize) -> Colorimetry {
        format.isYUV ? (size.height > 576 ? .bt709 : .bt601) : .srgb
    }
}
