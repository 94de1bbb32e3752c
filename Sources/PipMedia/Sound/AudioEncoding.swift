#if Media
internal import PipFrames
internal import PipSound

/// The encoding of sound: codec and bit rate.
///
/// Pass an encoding to an output that records or sends sound. Outputs with the same sound and encoding share one
/// encoder.
public struct AudioEncoding: Sendable, Hashable {
    /// A codec of sound.
    public enum Codec: String, Sendable, CaseIterable {
        /// AAC-LC, a codec that every player decodes.
        case aac
        /// Opus, the codec for WebM and WebRTC.
        case opus

        /// The codec's usual name, such as `Opus`.
        public var name: String { self == .aac ? "AAC" : "Opus" }

        /// The number of samples of each channel in a packet.
        var frames: Int { self == .aac ? 1024 : 960 }

        /// The number of samples of each channel that prime a decoder, before the sound begins.
        ///
        /// Decoded sound is later than its packets by this number of samples.
        var priming: Int { self == .aac ? 1024 : 312 }
    }

    /// The codec of the packets.
    public var codec: Codec
    /// The bit rate in bits a second, from 16,000 to 512,000.
    public var bitRate: Int

    /// Creates an encoding.
    ///
    /// - Parameters:
    ///   - codec: The codec of the packets.
    ///   - bitRate: The bit rate in bits a second, from 16,000 to 512,000.
    public init(_ codec: Codec = .aac, bitRate: Int = 128_000) {
        self.codec = codec
        self.bitRate = bitRate
    }

    /// The reason why the bit rate is invalid, as a sentence without its full stop; nil for a valid encoding.
    var mistake: String? {
        (16_000...512_000).contains(bitRate)
            ? nil : "sound of \(bitRate) bits a second is not between 16 and 512 kbit/s"
    }

    /// The GStreamer element that encodes the sound.
    var element: String { codec == .aac ? "avenc_aac" : "opusenc" }

    /// The GStreamer elements that turn raw sound into packets.
    var elements: String { "audioconvert ! \(element) name=encoder" }
}
#endif
