#if Media
internal import PipFrames
internal import PipSound

/// The encoding of sound.
///
/// Pass one to an output that records or sends sound. Outputs of the same sound and encoding share one encoder.
public struct AudioEncoding: Sendable, Hashable {
    /// A codec of sound.
    public enum Codec: String, Sendable, CaseIterable {
        /// AAC-LC, which every player decodes.
        case aac
        /// Opus, for WebM and WebRTC.
        case opus

        /// The codec's usual name.
        public var name: String { self == .aac ? "AAC" : "Opus" }

        /// The number of sound frames in a packet.
        var frames: Int { self == .aac ? 1024 : 960 }

        /// The number of silent frames at the beginning that prime a decoder; decoded sound lags behind the packets by
        /// it.
        var priming: Int { self == .aac ? 1024 : 312 }
    }

    /// The codec.
    public var codec: Codec
    /// The bit rate, in bits a second.
    public var bitRate: Int

    /// - Parameters:
    ///   - codec: The codec.
    ///   - bitRate: The bit rate in bits a second, from 16,000 to 512,000.
    public init(_ codec: Codec = .aac, bitRate: Int = 128_000) {
        self.codec = codec
        self.bitRate = bitRate
    }

    /// The first invalid setting, as a sentence without its full stop; nil for a valid encoding.
    var mistake: String? {
        (16_000...512_000).contains(bitRate)
            ? nil : "sound of \(bitRate) bits a second is not between 16 and 512 kbit/s"
    }

    /// The encoder's element.
    var element: String { codec == .aac ? "avenc_aac" : "opusenc" }

    /// The elements from raw sound to packets.
    var elements: String { "audioconvert ! \(element) name=encoder" }
}
#endif
