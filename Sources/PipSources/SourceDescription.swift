package import PipFrames

/// What a source delivers, known before its first frame.
package struct SourceDescription: Sendable, Equatable {
    /// How many frames it has.
    package enum Length: Sendable, Equatable {
        case frames(Int)
        /// It ends, but only reading tells when: a pipe.
        case unknown
        /// It never ends: a pattern, a loop, a still.
        case endless
    }

    /// The file's path, or the pattern's name.
    package var name: String
    package var layout: FrameLayout
    package var colorimetry: Colorimetry
    package var orientation: Orientation
    package var rate: FrameRate
    package var length: Length
    /// Whether all frames are the same, or nearly all: a reader then delivers one, to be shown for ever.
    package var isStill: Bool
    /// What a user should know of it, as a sentence without its full stop: `interlaced, shown without deinterlacing`.
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

    /// The number of frames, where it is known; nil also when there is no end.
    package var frameCount: Int? { if case .frames(let count) = length { count } else { nil } }

    /// What is known of frame `index`, due at its offset from the source's start.
    package func info(ofFrame index: Int) -> FrameInfo {
        FrameInfo(
            layout: layout, colorimetry: colorimetry, orientation: orientation,
            timestamp: Timestamp(nanoseconds: rate.offset(ofFrame: index).nanoseconds), sequence: UInt64(index))
    }
}

extension Colorimetry {
    /// What unlabelled pixels are taken for: sRGB for RGB; BT.709 above 576 rows and BT.601 else, as players do.
    package static func assumed(for format: PixelFormat, _ size: PixelSize) -> Colorimetry {
        format.isYUV ? (size.height > 576 ? .bt709 : .bt601) : .srgb
    }
}
