internal import PipFrames

/// The tags in the first line of a YUV4MPEG2 stream.
struct Y4MTags {
    let subject: String
    private(set) var width: Int?
    private(set) var height: Int?
    private(set) var rate: FrameRate?
    private(set) var samples: Y4MSamples?
    /// The samples from the tag `XYSCSS`, for streams without the tag `C`; nil without the tag, and for unsupported
    /// samples.
    private(set) var alternativeSamples: Y4MSamples?
    private(set) var range: QuantizationRange?
    private(set) var isInterlaced = false

    init(subject: String) { self.subject = subject }

    /// Parses one tag: a letter and its value.
    ///
    /// Unknown tags are ignored, as the format's definition requires.
    mutating func read(_ tag: String, at offset: Int) throws(CodecError) {
        guard let letter = tag.first else {
            throw CodecError(subject, .damaged, "a tag of its first line is empty", .byte(offset))
        }
        let value = String(tag.dropFirst())
        switch letter {
        case "W": width = try number(value, "width", offset)
        case "H": height = try number(value, "height", offset)
        case "F": rate = try rate(value, offset)
        case "C": samples = try samples(value, offset)
        case "I":
            guard ["p", "t", "b", "m", "?"].contains(value) else {
                throw CodecError(subject, .damaged, "its interlacing is \"\(value)\", not p, t, b or m", .byte(offset))
            }
            isInterlaced = value != "p" && value != "?"
        case "X": try readExtension(value, offset)
        default: break
        }
    }

    private func number(_ value: String, _ name: String, _ offset: Int) throws(CodecError) -> Int {
        let isDigits = value.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard !value.isEmpty, isDigits, value.utf8.count <= 9, let number = Int(value) else {
            throw CodecError(
                subject, .damaged,
                "its \(name) is \"\(value.prefix(20))\", but must be a number of at most 9 digits", .byte(offset))
        }
        return number
    }

    /// Parses a frame rate such as `30:1`; returns nil for `0:0`, which means an unknown rate.
    private func rate(_ value: String, _ offset: Int) throws(CodecError) -> FrameRate? {
        let parts = value.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw CodecError(
                subject, .damaged, "its rate is \"\(value.prefix(20))\", but must be a fraction such as 30:1",
                .byte(offset))
        }
        let frames = try number(String(parts[0]), "rate's numerator", offset)
        let seconds = try number(String(parts[1]), "rate's denominator", offset)
        if frames == 0, seconds == 0 { return nil }
        guard frames > 0, seconds > 0, frames <= 1000 * seconds, seconds <= 1000 * frames else {
            throw CodecError(
                subject, .damaged, "its rate is \(frames):\(seconds), but must be 1:1000 to 1000:1", .byte(offset))
        }
        let rate = FrameRate(frames, per: seconds)
        // A fraction with larger terms is approximated, so that comparisons of two rates do not overflow 64 bits.
        return rate.frames * rate.seconds < 1_000_000_000
            ? rate : FrameRate(Double(frames) / Double(seconds)) ?? rate
    }

    private func samples(_ value: String, _ offset: Int) throws(CodecError) -> Y4MSamples {
        if let samples = Y4MSamples(value) { return samples }
        throw CodecError(
            subject, .unsupported,
            "its samples are \"\(value.prefix(20))\"; supported are mono, 411, 420 (420jpeg, 420mpeg2, 420paldv), 422, "
                + "444, 444alpha, and with 9 to 16 bits as 420p10, 422p10, 444p10 and mono10. "
                + "This command converts the file: ffmpeg -i IN.y4m -pix_fmt yuv420p OUT.y4m", .byte(offset))
    }

    private mutating func readExtension(_ value: String, _ offset: Int) throws(CodecError) {
        let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return }
        if parts[0] == "YSCSS" { alternativeSamples = Y4MSamples(parts[1].lowercased()) }
        guard parts[0] == "COLORRANGE" else { return }
        switch parts[1] {
        case "FULL": range = .full
        case "LIMITED": range = .limited
        default:
            throw CodecError(
                subject, .damaged, "its colour range is \"\(parts[1].prefix(20))\", not FULL or LIMITED", .byte(offset))
        }
    }
}
