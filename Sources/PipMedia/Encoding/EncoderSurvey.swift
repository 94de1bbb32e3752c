#if Media
public import PipFrames

/// What this machine can encode with, found out by trying.
public struct EncoderSurvey: Sendable {
    /// An encoder that is installed.
    public struct Encoder: Sendable {
        /// Its name in the media engine, which `?encoder=` takes.
        public let name: String
        /// How it compresses.
        public let codec: VideoCodec
        /// The licence of its plug-in, as it states it: `GPL`, `LGPL`, `BSD`.
        public let licence: String
        /// True when a device does the work.
        public let isHardware: Bool
        /// Why it does not work here; nil when it does.
        public let failure: String?
        /// CPU time for a frame; nil when it is not known.
        public let timePerFrame: Duration?
    }

    /// The encoders that are installed, in the order in which they are tried.
    public let encoders: [Encoder]
    /// The media engine's name and version; nil when it does not start.
    public let engine: String?

    /// Encodes a few frames with every encoder of some codecs; takes up to a second for each.
    ///
    /// - Parameters:
    ///   - codecs: The codecs.
    ///   - size: The size of the frames.
    ///   - rate: Frames a second.
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
            let result = EncoderTrial.result(element, VideoEncoding(element.codec), info, rate)
            let (failure, time): (String?, Duration?) =
                switch result {
                case .works: (nil, EncoderTrial.timePerFrame(element, VideoEncoding(element.codec), info, rate))
                case .fails(let reason): (reason, nil)
                }
            encoders.append(
                Encoder(
                    name: element.name, codec: element.codec, licence: licence, isHardware: element.isHardware,
                    failure: failure, timePerFrame: time))
        }
        self.encoders = encoders
    }

    /// The packages that bring an encoder of a codec, where none is installed.
    ///
    /// - Parameter codec: The codec.
    /// - Returns: A sentence without its full stop.
    public static func remedy(for codec: VideoCodec) -> String {
        let software = EncoderElement.of(codec).filter { !$0.isHardware }.compactMap { GStreamer.package(of: $0.name) }
        return software.first.map { "apt-get install \($0)" } ?? "install an encoder for \(codec.name)"
    }
}
#endif
