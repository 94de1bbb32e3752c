#if Media
public import PipFrames

/// The results of trying this machine's installed encoders of some codecs.
///
/// Use a survey to tell a user which codecs this machine can encode, and how fast.
public struct EncoderSurvey: Sendable {
    /// An installed encoder and the result of its trial.
    public struct Encoder: Sendable {
        /// The name of the encoder's GStreamer element; the address option `?encoder=` takes this name.
        public let name: String
        /// The codec of the encoder's packets.
        public let codec: VideoCodec
        /// The licence that the encoder's plug-in states, such as `GPL`, `LGPL` or `BSD`; empty when it states none.
        public let licence: String
        /// True when a hardware device encodes.
        public let isHardware: Bool
        /// The reason why the encoder does not work here; nil when it works.
        public let failure: String?
        /// The CPU time of this process per frame; nil when the encoder fails, or its time is too short to measure.
        public let timePerFrame: Duration?
    }

    /// The installed encoders, in the order of their trials.
    public let encoders: [Encoder]
    /// The name and version of GStreamer, the media engine; nil when it does not start.
    public let engine: String?

    /// Tries every installed encoder of some codecs, and measures the CPU time of the encoders that work.
    ///
    /// Blocks until all trials have ended: in most cases for some seconds, and longer for an encoder that hangs.
    ///
    /// - Parameters:
    ///   - codecs: The codecs to try.
    ///   - size: The size of the test frames.
    ///   - rate: The frames a second of the test.
    public init(_ codecs: [VideoCodec] = [.h264, .h265], size: PixelSize = .hd720, rate: FrameRate = FrameRate(30)) {
        guard (try? GStreamer.start()) != nil else {
            (encoders, engine) = ([], nil)
            return
        }
        engine = GStreamer.version
        var encoders: [Encoder] = []
        for element in codecs.flatMap(EncoderElement.of) {
            guard let licence = GStreamer.licence(of: element.name) else { continue }
            let info = FrameInfo(layout: FrameLayout(element.formats[0], size), colorimetry: .bt709)
            let request = EncodingRequest(VideoEncoding(element.codec), of: info, rate: rate)
            let result = EncoderTrial.result(element, request)
            let (failure, time): (String?, Duration?) =
                switch result {
                case .works: (nil, EncoderTrial.timePerFrame(element, request))
                case .fails(let reason): (reason, nil)
                }
            encoders.append(
                Encoder(
                    name: element.name, codec: element.codec, licence: licence, isHardware: element.isHardware,
                    failure: failure, timePerFrame: time))
        }
        self.encoders = encoders
    }

    /// The way to install an encoder of a codec, for messages about a missing encoder.
    ///
    /// - Parameter codec: The codec.
    /// - Returns: A clause such as `apt-get install gstreamer1.0-plugins-ugly`.
    public static func remedy(for codec: VideoCodec) -> String {
        let software = EncoderElement.of(codec).filter { !$0.isHardware }.compactMap { GStreamer.package(of: $0.name) }
        return software.first.map { "apt-get install \($0)" } ?? "install an encoder for \(codec.name)"
    }
}
#endif
