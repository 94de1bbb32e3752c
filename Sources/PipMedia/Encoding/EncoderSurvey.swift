#if Media
public import PipFrames

/// A trial of every encoder on this machine.
///
/// Use it to tell a user what can be encoded here, and how fast.
public struct EncoderSurvey: Sendable {
    /// An installed encoder and the result of its trial.
    public struct Encoder: Sendable {
        /// The encoder's name in the media engine; the address option `?encoder=` takes it.
        public let name: String
        /// The codec of its packets.
        public let codec: VideoCodec
        /// The licence that its plug-in states: `GPL`, `LGPL`, `BSD`.
        public let licence: String
        /// True when a device encodes.
        public let isHardware: Bool
        /// The reason why the encoder does not work here; nil when it works.
        public let failure: String?
        /// The CPU time per frame; nil when it is unknown.
        public let timePerFrame: Duration?
    }

    /// The installed encoders, in the order of their trials.
    public let encoders: [Encoder]
    /// The media engine's name and version; nil when the engine does not start.
    public let engine: String?

    /// Encodes a few frames with every encoder of some codecs.
    ///
    /// Blocks for up to a second per encoder.
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

    /// The way to install an encoder of a codec, for messages about a missing one.
    ///
    /// - Parameter codec: The codec.
    /// - Returns: A clause such as `apt-get install gstreamer1.0-plugins-ugly`.
    public static func remedy(for codec: VideoCodec) -> String {
        let software = EncoderElement.of(codec).filter { !$0.isHardware }.compactMap { GStreamer.package(of: $0.name) }
        return software.first.map { "apt-get install \($0)" } ?? "install an encoder for \(codec.name)"
    }
}
#endif
