#if Media
internal import PipCompose
internal import PipConcurrency
internal import PipSinks

extension SinkOpening {
    /// An output that goes to peers.
    ///
    /// - Parameters:
    ///   - label: The name in messages.
    ///   - encoding: How it is compressed.
    ///   - sound: How its sound is compressed; nil for none.
    ///   - servers: Who helps to find a way.
    ///   - mistake: What is wrong with the output's own options, as a sentence without its full stop.
    ///   - open: Begins to send.
    /// - Returns: How such an output is opened.
    static func peers(
        _ label: String, _ encoding: VideoEncoding, _ sound: AudioEncoding?, _ servers: [ICEServer],
        mistake: String? = nil,
        _ open: @escaping @Sendable (SinkContext) throws(SinkError) -> any FrameReceiver
    ) -> SinkOpening {
        SinkOpening(
            request: { () throws(SinkError) in
                guard VideoTrack.codecs.contains(encoding.codec) else {
                    let names = VideoTrack.codecs.map(\.name).joined(separator: " and ")
                    throw SinkError(
                        label, "open", .invalidOptions,
                        "browsers play no \(encoding.codec.name) by WebRTC, but \(names)")
                }
                if let mistake = mistake ?? encoding.mistake ?? sound?.mistake {
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
            heldFrames: 6, open: open)
    }
}

/// Runs what blocks on a thread of its own.
func onThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws(MediaError) -> Value
) async -> Result<Value, MediaError> {
    await withCheckedContinuation { continuation in
        _ = WorkerThread(name: "pip-signalling") {
            do throws(MediaError) { continuation.resume(returning: .success(try body())) } catch {
                continuation.resume(returning: .failure(error))
            }
        }
    }
}
#endif
