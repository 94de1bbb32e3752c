#if Media
internal import PipFrames
internal import PipSound

/// How sound is compressed.
///
/// Outputs of the same sound and encoding share one encoder.
public struct AudioEncoding: Sendable, Hashable {
    /// A way to compress sound.
    public enum Codec: String, Sendable, CaseIterable {
        /// AAC-LC, which every player has.
        case aac
        /// Opus, for WebM and WebRTC.
        case opus

        /// The name for people.
        public var name: String { self == .aac ? "AAC" : "Opus" }

        /// Frames of sound in a packet.
        var frames: Int { self == .aac ? 1024 : 960 }

        /// Frames by which a decoder's sound lags behind the packets: silence at the beginning, which primes it.
        var priming: Int { self == .aac ? 1024 : 312 }
    }

    /// How it is compressed.
    public var codec: Codec
    /// Bits a second.
    public var bitRate: Int

    /// - Parameters:
    ///   - codec: How it is compressed.
    ///   - bitRate: Bits a second, from 16,000 to 512,000.
    public init(_ codec: Codec = .aac, bitRate: Int = 128_000) {
        self.codec = codec
        self.bitRate = bitRate
    }

    /// What is wrong with it, as a sentence without its full stop; nil when all is well.
    var mistake: String? {
        (16_000...512_000).contains(bitRate)
            ? nil : "sound of \(bitRate) bits a second is not between 16 and 512 kbit/s"
    }

    /// The element that encodes.
    var element: String { codec == .aac ? "avenc_aac" : "opusenc" }

    /// The elements between raw sound and packets.
    var elements: String { "audioconvert ! \(element) name=encoder" }

    /// The elements that have to be installed.
    var missingElements: [String] { ["audioconvert", element].filter { !GStreamer.has($0) } }
}
#endif
