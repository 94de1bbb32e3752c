#if Media
internal import PipCompose
package import PipMedia

extension VideoEncoding {
    /// Reads the options of a video encoder.
    ///
    /// - Parameters:
    ///   - query: The options.
    ///   - codecs: The possible codecs, the default one first.
    ///   - holder: The container or the protocol, for messages.
    ///   - text: The output as the user typed it.
    /// - Throws: ``UsageError`` for a mistake in the options.
    package init(_ query: OptionQuery, codecs: [VideoCodec], of holder: String, _ text: String) throws(UsageError) {
        let codec =
            try query.read("codec") { value throws(UsageError) in
                guard let codec = VideoCodec(codecName: value) else {
                    throw NearestName.unknown("codec", value, among: VideoCodec.allCases.map(\.rawValue))
                }
                guard codecs.contains(codec) else {
                    let possible = codecs.map(\.rawValue).joined(separator: ", ")
                    throw UsageError("\(holder) cannot hold \(codec.name); it holds \(possible)")
                }
                return codec
            } ?? codecs[0]
        let bits = try query.read("bitrate") { value throws(UsageError) in try bitRate(value) }
        let quality = try query.number("quality", in: 0...100)
        if bits != nil, quality != nil {
            throw UsageError("\(text): bitrate and quality exclude each other: give one")
        }
        let distance =
            try query.read("gop") { value throws(UsageError) in
                if value == "intra" { return Duration.zero }
                let distance = try Duration(argument: value)
                guard distance <= .seconds(60) else {
                    throw UsageError("gop is \(value), but must be at most 60s: nothing can be seen before a key frame")
                }
                return distance
            } ?? .seconds(2)
        self.init(
            codec, rate: bits.map { .bits($0) } ?? quality.map { .quality($0) }, keyFrameInterval: distance,
            speed: try query.read("speed", encoderSpeed) ?? .fast, encoder: query["encoder"],
            threads: try query.number("threads", in: 1...64))
    }
}

/// Reads the speed of an encoder; the error for a number names the option of a time-lapse.
private func encoderSpeed(_ text: String) throws(UsageError) -> VideoEncoding.Speed {
    if Double(text) != nil {
        throw UsageError("speed is \(text), but is a word for the encoder's work; a time-lapse has speed-up=\(text)")
    }
    return try choice(text, named: "speed")
}

extension VideoCodec {
    /// Reads a codec's name: a raw value such as `h264`, or a common synonym such as `hevc`.
    fileprivate init?(codecName: String) {
        let name = codecName.lowercased().filter { $0 != "." && $0 != "-" }
        let others: [String: VideoCodec] = ["hevc": .h265, "avc": .h264, "jpeg": .mjpeg]
        guard let codec = VideoCodec(rawValue: name) ?? others[name] else { return nil }
        self = codec
    }
}

/// Reads a bit rate as `8M`, `2500k` or bits a second, and checks its range.
func bitRate(_ text: String, named name: String = "bitrate") throws(UsageError) -> Int {
    let units: [Character: Double] = ["k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9]
    let unit = text.last.flatMap { units[$0] }
    guard let value = Double(unit == nil ? text[...] : text.dropLast()), value.isFinite else {
        throw UsageError("\(name) is \(text), but must be bits a second, as in 8M or 2500k")
    }
    let bits = value * (unit ?? 1)
    guard bits >= 10_000, bits <= 1e9 else {
        throw UsageError("\(name) is \(text), but must be between 10k and 1G bits a second")
    }
    return Int(bits)
}
#endif
