package import PipFrames

/// The first line of a YUV4MPEG2 stream.
///
/// Source: yuv4mpeg(5) of mjpegtools; the tags `XCOLORRANGE` and `XYSCSS` are FFmpeg's.
package struct Y4MHeader: Equatable, Sendable {
    package let size: PixelSize
    package let rate: FrameRate
    /// The planes and the depth of the file's frames.
    package let samples: Y4MSamples
    /// The colour encoding of the file's samples.
    ///
    /// The file does not state the matrix. Like players, the parser assumes BT.709 above 576 rows, otherwise BT.601.
    package let colorimetry: Colorimetry
    /// True when the stream has interlaced frames, whose rows belong to two fields.
    package let isInterlaced: Bool

    /// The most bytes of the first line, including its line feed.
    package static let longestLine = 1024
    /// The magic bytes at the start of a stream.
    package static let signature: StaticString = "YUV4MPEG2"

    /// Creates the header of a stream that is to be written.
    ///
    /// - Parameters:
    ///   - size: The picture's size.
    ///   - rate: The rate of the frames.
    ///   - format: The pixel format: I420 or grey.
    ///   - colorimetry: The colour encoding, of which the line states the range and the chroma siting.
    ///   - isInterlaced: True when the stream has interlaced frames, whose rows belong to two fields.
    package init(
        size: PixelSize, rate: FrameRate, format: PixelFormat, colorimetry: Colorimetry, isInterlaced: Bool = false
    ) {
        self.size = size
        self.rate = rate
        samples = format == .gray ? Y4MSamples(.mono) : Y4MSamples(.yuv420, siting: colorimetry.chromaSiting)
        self.colorimetry = colorimetry
        self.isInterlaced = isInterlaced
    }

    /// Parses the first line of a stream.
    ///
    /// - Parameters:
    ///   - line: The first line, without its line feed.
    ///   - subject: The file's path, for messages.
    /// - Throws: ``CodecError`` when the line is damaged, the picture is too large, or the samples are not supported.
    package init(line: RawSpan, subject: String) throws(CodecError) {
        guard line.has(Self.signature, at: 0) else {
            let start = line.isEmpty ? "it is empty" : "it begins with \(line.hexadecimal(prefix: 9))"
            throw CodecError(subject, .damaged, "not a YUV4MPEG2 stream: \(start)", .byte(0))
        }
        var tags = Y4MTags(subject: subject)
        var start = Self.signature.utf8CodeUnitCount
        while start < line.byteCount {
            guard line.byte(at: start) == UInt8(ascii: " ") else {
                throw CodecError(subject, .damaged, "a space was expected in its first line", .byte(start))
            }
            var end = start + 1
            while let byte = line.byte(at: end), byte != UInt8(ascii: " ") {
                guard (0x21...0x7e).contains(byte) else {
                    throw CodecError(subject, .damaged, "its first line has an unprintable byte", .byte(end))
                }
                end += 1
            }
            let text = (start + 1..<end).reduce(into: "") { text, offset in
                if let byte = line.byte(at: offset) { text.unicodeScalars.append(Unicode.Scalar(byte)) }
            }
            try tags.read(text, at: start + 1)
            start = end
        }
        try self.init(tags, subject: subject, end: line.byteCount)
    }

    private init(_ tags: Y4MTags, subject: String, end: Int) throws(CodecError) {
        guard let width = tags.width, let height = tags.height else {
            throw CodecError(
                subject, .damaged, "its first line does not give the \(tags.width == nil ? "width" : "height")",
                .byte(end))
        }
        size = try PictureLimits.check(width: width, height: height, subject: subject)
        // An unknown rate becomes 25 frames a second, as in FFmpeg.
        rate = tags.rate ?? FrameRate(25)
        isInterlaced = tags.isInterlaced
        samples = tags.samples ?? tags.alternativeSamples ?? Y4MSamples(.yuv420)
        var colorimetry: Colorimetry = height > 576 ? .bt709 : .bt601
        colorimetry.chromaSiting = samples.siting
        colorimetry.range = tags.range ?? .limited
        self.colorimetry = colorimetry
    }

    /// The layout of the frames that a reader delivers, in the format of ``samples``.
    ///
    /// - Parameter stride: The row stride in bytes; nil for rows without padding.
    /// - Returns: The layout.
    package func layout(stride: Int? = nil) -> FrameLayout { FrameLayout(samples.format, size, stride: stride) }

    /// The colour encoding of the frames that a reader delivers; RGB frames have the full range.
    package var deliveredColorimetry: Colorimetry {
        var delivered = colorimetry
        if !samples.format.isYUV { delivered.range = .full }
        return delivered
    }

    /// The first line of the stream, with its line feed.
    package var line: String {
        "\(Self.signature) W\(size.width) H\(size.height) F\(rate.frames):\(rate.seconds) "
            + "I\(isInterlaced ? "m" : "p") A1:1 C\(samples.tag) "
            + "XCOLORRANGE=\(colorimetry.range == .full ? "FULL" : "LIMITED")\n"
    }
}
