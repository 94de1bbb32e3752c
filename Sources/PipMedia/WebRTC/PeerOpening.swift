#if Media
internal import PipCompose
internal import PipConcurrency
internal import PipSinks

extension SinkOpening {
    /// Makes the opening of an output that sends to WebRTC peers.
    ///
    /// - Parameters:
    ///   - label: The output's name in messages.
    ///   - encoding: The encoding of the picture.
    ///   - sound: The sound with its encoding. Nil for an output without sound.
    ///   - servers: The ICE servers.
    ///   - mistake: The mistake in the output's own options, as a sentence without its full stop. Nil for none.
    ///   - open: Starts the output.
    /// - Returns: An opening that first checks the codec, the options and the servers.
    static func peers(
        _ label: String, _ encoding: VideoEncoding,
        sound: (producer: any AudioProducer, encoding: AudioEncoding)?, servers: [ICEServer], mistake: String? = nil,
        _ open: @escaping @Sendable (SinkContext) throws(SinkError) -> any FrameReceiver
    ) -> SinkOpening {
        SinkOpening(
            request: { () throws(SinkError) in
                guard VideoTrack.codecs.contains(encoding.codec) else {
                    let names = VideoTrack.codecs.map(\.name).joined(separator: " or ")
                    throw SinkError(
                        label, "open", .invalidOptions,
                        "a WebRTC output sends \(names), not \(encoding.codec.name)")
                }
                if let mistake = mistake ?? encoding.mistake ?? sound?.encoding.mistake {
                    throw SinkError(label, "open", .invalidOptions, mistake)
                }
                do throws(MediaError) {
                    for server in servers { _ = try server.location() }
                } catch { throw SinkError(label, "open", .invalidOptions, error.reason) }
                do throws(MediaError) {
                    let format = try EncoderChoice.format(encoding)
                    try PeerConnection.checkElements(hasSound: sound != nil)
                    return SinkRequest(format: format)
                } catch { throw SinkError(label, "open", .cannotCreate, error.reason) }
            },
            encoder: { info, rate in EncoderChoice.explained(encoding, info, rate, output: label) },
            heldFrames: EncoderChoice.heldFrames(encoding), inputs: sound.map { SoundInputs([$0.producer]) },
            open: { context throws(SinkError) in
                WebRTCElement.prepareCertificate()
                return try open(context)
            })
    }
}

/// Runs a blocking function on a new thread, and returns its result.
func onThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws(MediaError) -> Value
) async -> Result<Value, MediaError> {
    await onThread("pip-signalling") {
        do throws(MediaError) { return .success(try body()) } catch { return .failure(error) }
    }
}
#endif
