package import PipFrames

/// The first line of a YUV4MPEG2 stream.
///
/// Source: yuv4mpeg(5) of mjpegtools; the tag `XCOLORRANGE` is FFmpeg's.
package struct Y4MHeader: Equatable, Sendable {
    package let size: PixelSize
    package let rate: FrameRate
    /// I420 or grey.
    package let format: PixelFormat
    /// The matrix is not in the file: BT.709 above 576 rows, BT.601 else, as players take it.
    package let colorimetry: Colorimetry
    /// True when a frame's rows belong to two fields.
    package let isInterlaced: Bool

    /// Bytes that the line may have, its end included.
    package static let longestLine = 1024
    /// The magic bytes at the start of a stream.
    package static let signature: StaticString = "YUV4MPEG2"

    package init(
        size: PixelSize, rate: FrameRate, format: PixelFormat, colorimetry: Colorimetry, isInterlaced: Bool = false
    ) {
        self.size = size
        self.rate = rate
        self.format = format
        self.colorimetry = colorimetry
        self.isInterlaced = isInterlaced
    }

    /// Reads the line.
    ///
    /// - Parameters:
    ///   - line: The first line, without its end.
    ///   - subject: The file's path, for messages.
    /// - Throws: ``CodecError`` with the byte where the line is wrong.
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
        // 25 a second where the stream says it does not know, as FFmpeg takes it.
        rate = tags.rate ?? FrameRate(25)
        isInterlaced = tags.isInterlaced
        let chroma = tags.chroma ?? .i420(.center)
        var colorimetry: Colorimetry = height > 576 ? .bt709 : .bt601
        switch chroma {
        case .gray: format = .gray
        case .i420(let siting):
            format = .i420
            colorimetry.chromaSiting = siting
        }
        colorimetry.range = tags.range ?? .limited
        self.colorimetry = colorimetry
    }

    /// The line, with its end.
    package var line: String {
        let chroma =
            switch (format, colorimetry.chromaSiting) {
            case (.gray, _): "mono"
            case (_, .center): "420jpeg"
            case (_, .left): "420mpeg2"
            case (_, .topLeft): "420paldv"
            }
        return "\(Self.signature) W\(size.width) H\(size.height) F\(rate.frames):\(rate.seconds) "
            + "I\(isInterlaced ? "m" : "p") A1:1 C\(chroma) "
            + "XCOLORRANGE=\(colorimetry.range == .full ? "FULL" : "LIMITED")\n"
    }
}
