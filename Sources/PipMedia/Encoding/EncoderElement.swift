#if Media
internal import PipConcurrency
internal import PipFrames

/// A GStreamer encoder: its limits, and its properties for a requested encoding.
struct EncoderElement: Sendable {
    /// The name of the GStreamer element, such as `x264enc`.
    let name: String
    /// The elements that replace the encoder in a pipeline's description; nil for the element ``name`` alone.
    var elements: String?
    let codec: VideoCodec
    /// The pixel formats that the encoder accepts, the best first.
    let formats: [PixelFormat]
    /// True for a hardware encoder, whose device may be missing, busy or broken.
    var isHardware = false
    /// The number of pixels that divides the width and the height of all pictures.
    var step = 2
    /// The smallest width and height of pictures, in pixels.
    var leastSide = 16
    /// The largest number of frames that the encoder holds before it returns the first packet.
    var heldFrames = 2
    /// True to drain the encoder at the end of a stream.
    ///
    /// False for an encoder that returns each frame's packet at once, and that would print a line on standard error
    /// when it is drained.
    var isDrained = true
    /// Returns the properties, as names and values, for requested settings.
    let properties: @Sendable (Settings) -> [(String, String)]

    /// The settings requested from an encoder, as numbers.
    struct Settings {
        /// The bit rate in bits a second.
        let bits: Int
        /// The quality from 0 to 100; nil to encode at the bit rate ``bits``.
        let quality: Int?
        let size: PixelSize
        /// The largest number of frames from one key frame to the next, at least 1.
        let keyFrames: Int
        let speed: VideoEncoding.Speed
        /// True when the encoder does as little work as its stream's parameter sets allow.
        let savesWork: Bool
        /// The number of threads; nil leaves the number to the encoder.
        let threads: Int?

        init(_ encoding: VideoEncoding, size: PixelSize, rate: FrameRate) {
            self.size = size
            bits = encoding.bitRate(size, rate)
            quality = if case .quality(let quality) = encoding.rate { quality } else { nil }
            keyFrames = encoding.keyFrameDistance(rate)
            speed = encoding.speed
            savesWork = encoding.savesWork
            threads = encoding.threads
        }

        /// The bit rate in kilobits a second, at least 1.
        var kilobits: Int { max(1, bits / 1000) }

        /// Returns a property that sets the number of threads; 0 leaves the number to the encoder.
        func threads(_ name: String) -> (String, String) { (name, "\(threads ?? 0)") }

        /// Maps the quality to a quantizer between `worst` and `best`; a lower quantizer means a better quality.
        func quantizer(best: Int, worst: Int) -> Int { worst - (quality ?? 75) * (worst - best) / 100 }

        /// Returns the properties for a constant bit rate, or for a constant quantizer if a quality is requested.
        func rateControl(quantizer: String) -> [(String, String)] {
            quality == nil
                ? [("rate-control", "cbr"), ("bitrate", "\(kilobits)")]
                : [("rate-control", "cqp"), (quantizer, "\(self.quantizer(best: 10, worst: 51))")]
        }

        /// Picks the value for the requested speed from four values in the order of ``VideoEncoding/Speed``.
        func bySpeed(_ values: [String]) -> String {
            values[VideoEncoding.Speed.allCases.firstIndex(of: speed) ?? 0]
        }

        /// Picks a value like ``bySpeed(_:)``, but the value for the fastest speed while the encoder saves work.
        ///
        /// Use this method for properties that change nothing in the stream's parameter sets.
        func byEffort(_ values: [String]) -> String { savesWork ? values[0] : bySpeed(values) }
    }

    /// The size of encoded pictures: the frame's size without the last columns and rows that do not fill a ``step``.
    func size(of frame: PixelSize) -> PixelSize { PixelSize(frame.width / step * step, frame.height / step * step) }

    /// The encoders of a codec, in the order of their trials: hardware encoders first.
    static func of(_ codec: VideoCodec) -> [EncoderElement] { all.filter { $0.codec == codec } }

    static func named(_ name: String) -> EncoderElement? { all.first { $0.name == name } }

    static let all: [EncoderElement] = [nvidia, va, quickSync, codecDevices, rockchip, software].flatMap { $0 }

    // MARK: Hardware

    private static let nvidia = [("nvh264enc", VideoCodec.h264), ("nvh265enc", .h265), ("nvav1enc", .av1)].map {
        hardware($0.0, $0.1, [.nv12, .i420], leastSide: 160) {
            let rate =
                $0.quality.map { [("rc-mode", "vbr"), ("const-quality", "\(51 - $0 * 50 / 100)")] }
                ?? [("rc-mode", "cbr")]
            return rate + [
                ("bitrate", "\($0.kilobits)"), ("gop-size", "\($0.keyFrames)"), ("zerolatency", "true"),
                ("bframes", "0"),
            ]
        }
    }

    private static let va = [("vah264enc", VideoCodec.h264), ("vah265enc", .h265), ("vaav1enc", .av1)].map {
        hardware($0.0, $0.1, [.nv12], leastSide: 128) {
            $0.rateControl(quantizer: "qpi") + [("key-int-max", "\(min($0.keyFrames, 1024))"), ("b-frames", "0")]
        }
    }

    private static let quickSync = [("qsvh264enc", VideoCodec.h264), ("qsvh265enc", .h265)].map {
        hardware($0.0, $0.1, [.nv12], leastSide: 128) {
            $0.rateControl(quantizer: "qp-i") + [
                ("gop-size", "\($0.keyFrames)"), ("b-frames", "0"), ("low-latency", "true"),
            ]
        }
    }

    /// Memory-to-memory devices of V4L2, which small boards have.
    private static let codecDevices = [("v4l2h264enc", VideoCodec.h264), ("v4l2h265enc", .h265)].map {
        let prefix = $0.1 == .h264 ? "h264" : "hevc"
        return hardware($0.0, $0.1, [.nv12, .i420], leastSide: 32) {
            let controls = [
                "video_bitrate=\($0.bits)", "video_gop_size=\($0.keyFrames)",
                "\(prefix)_i_frame_period=\($0.keyFrames)", "repeat_sequence_header=1",
            ]
            return [("extra-controls", "controls,\(controls.joined(separator: ","))")]
        }
    }

    private static let rockchip = [("mpph264enc", VideoCodec.h264), ("mpph265enc", .h265)].map {
        hardware($0.0, $0.1, [.nv12, .i420], leastSide: 96) {
            [("bps", "\($0.bits)"), ("gop", "\($0.keyFrames)"), ("rc-mode", "cbr")]
        }
    }

    private static func hardware(
        _ name: String, _ codec: VideoCodec, _ formats: [PixelFormat], leastSide: Int,
        _ properties: @escaping @Sendable (Settings) -> [(String, String)]
    ) -> EncoderElement {
        EncoderElement(
            name: name, codec: codec, formats: formats, isHardware: true, leastSide: leastSide, heldFrames: 4,
            properties: properties)
    }

    // MARK: Software

    private static let software = [
        EncoderElement(name: "x264enc", codec: .h264, formats: [.nv12, .i420]) {
            let rate =
                $0.quality == nil
                ? [("bitrate", "\($0.kilobits)"), ("pass", "cbr"), ("vbv-buf-capacity", "1000")]
                : [("pass", "qual"), ("quantizer", "\($0.quantizer(best: 10, worst: 40))")]
            // A preset changes the stream's parameter sets; these options do not. The psychovisual optimization of the
            // slow presets lowers the chroma offset of the PPS by 2, and the last option keeps that offset.
            let saving =
                $0.savesWork
                ? "partitions=none:me=dia:subme=0:aq-mode=0:scenecut=0:mixed-refs=0:trellis=0:no-deblock=1"
                    + ":chroma-qp-offset=\($0.bySpeed(["0", "0", "-2", "-2"]))" : ""
            return rate + [
                ("speed-preset", $0.bySpeed(["ultrafast", "veryfast", "fast", "slow"])), ("tune", "zerolatency"),
                ("option-string", saving),
                ("key-int-max", "\($0.keyFrames)"), ("bframes", "0"), $0.threads("threads"),
            ]
        },
        EncoderElement(name: "openh264enc", codec: .h264, formats: [.i420], isDrained: false) {
            [
                ("bitrate", "\($0.bits)"), ("gop-size", "\($0.keyFrames)"), ("complexity", "low"),
                $0.threads("multi-thread"),
                ("rate-control", $0.quality == nil ? "bitrate" : "quality"),
                ("qp-max", "\($0.quality == nil ? 51 : $0.quantizer(best: 10, worst: 51))"),
            ]
        },
        EncoderElement(name: "x265enc", codec: .h265, formats: [.i420]) {
            let rate = $0.quality == nil ? "" : ":crf=\($0.quantizer(best: 10, worst: 42))"
            let threads = $0.threads.map { ":pools=\($0):frame-threads=1" } ?? ""
            // As with x264, these options leave the parameter sets unchanged.
            let saving = $0.savesWork ? ":me=dia:subme=0:rd=1:early-skip=1:fast-intra=1" : ""
            return [
                ("bitrate", "\($0.kilobits)"), ("key-int-max", "\($0.keyFrames)"), ("tune", "zerolatency"),
                ("speed-preset", $0.bySpeed(["ultrafast", "superfast", "veryfast", "medium"])),
                ("option-string", "bframes=0:log-level=error\(rate)\(threads)\(saving)"),
            ]
        },
        EncoderElement(name: "svtav1enc", codec: .av1, formats: [.i420], leastSide: 64, heldFrames: 40) {
            [
                ("target-bitrate", "\($0.kilobits)"), ("intra-period-length", "\($0.keyFrames - 1)"),
                ("preset", $0.byEffort(["12", "10", "8", "6"])),
            ]
        },
        EncoderElement(name: "av1enc", codec: .av1, formats: [.i420], step: 1, leastSide: 16, heldFrames: 3) {
            let rate =
                $0.quality == nil
                ? [("end-usage", "cbr"), ("min-quantizer", "2")]
                : [("end-usage", "q"), ("min-quantizer", "\($0.quantizer(best: 0, worst: 60))")]
            return rate + [
                // Without a maximum quantizer, an assertion in libaom aborts the process.
                ("max-quantizer", "63"),
                ("target-bitrate", "\($0.kilobits)"), ("keyframe-max-dist", "\($0.keyFrames)"),
                ("cpu-used", $0.byEffort(["10", "9", "8", "6"])), ("usage-profile", "realtime"), ("row-mt", "true"),
                ("lag-in-frames", "0"), $0.threads("threads"),
            ]
        },
        vpx("vp8enc", .vp8), vpx("vp9enc", .vp9),
        EncoderElement(name: "jpegenc", codec: .mjpeg, formats: [.i420, .nv12], step: 1, leastSide: 1) {
            [("quality", "\($0.quality ?? 85)")]
        },
    ]

    private static func vpx(_ name: String, _ codec: VideoCodec) -> EncoderElement {
        EncoderElement(name: name, codec: codec, formats: [.i420], step: 1, leastSide: 2, heldFrames: 3) {
            let rate =
                $0.quality.map { quality in
                    [("end-usage", "cq"), ("cq-level", "\(63 - quality * 59 / 100)")]
                } ?? [("end-usage", "cbr")]
            let own =
                codec == .vp9
                ? [("row-mt", "true"), ("tile-columns", "2"), ("threads", "\($0.threads ?? 4)")]
                : [
                    ("token-partitions", "2"), ("threads", "\($0.threads ?? vp8Threads($0.size))"),
                    // Units: milliseconds. With libvpx's default sizes, a first key frame takes half a second to send.
                    ("buffer-initial-size", "500"), ("buffer-optimal-size", "600"), ("buffer-size", "1000"),
                ]
            return rate + own + [
                ("target-bitrate", "\($0.bits)"), ("keyframe-max-dist", "\($0.keyFrames)"), ("deadline", "1"),
                ("cpu-used", $0.byEffort(codec == .vp8 ? ["16", "10", "6", "4"] : ["9", "8", "7", "5"])),
                ("lag-in-frames", "0"), ("error-resilient", "default"),
            ]
        }
    }

    /// The number of VP8's threads when none is requested.
    ///
    /// The threads wait for each other in busy loops: while one of them has no processor, a frame takes ten times as
    /// long.
    ///
    /// Source: libwebrtc, `LibvpxVp8Encoder::NumberOfThreads`.
    static func vp8Threads(_ size: PixelSize, processors: Int = Processors.usable) -> Int {
        guard processors >= 3, size.width * size.height > 640 * 480 else { return 1 }
        return processors >= 6 ? 3 : 2
    }
}
#endif
