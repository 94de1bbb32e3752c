#if Media
internal import PipCompose
public import PipFrames
public import PipGraph
internal import PipSources

/// A live stream: `rtsp://`, `srt://`, `udp://`, `rtp://`, `rtmp://`, and `http(s)://` (HLS, or a stream as such).
///
/// The newest frame is shown, as of a camera. A stream that breaks off, or freezes, is gone after two seconds: its
/// layers do what ``/PipCompose/Layer/whenMissing(_:)`` says, the session goes on, and the connection is made again for
/// ever, after half a second at first and eight seconds at last. ``/PipCompose/SessionEvent/sourceLost(_:)`` and
/// ``/PipCompose/SessionEvent/sourceReturned(name:)`` tell. One that cannot be reached at the start keeps the session
/// from starting, unless ``/PipCompose/SessionOptions/startsWithoutCameras`` is set.
///
/// Passwords in an address are not shown anywhere. ``StreamSound`` is its sound.
public final class StreamSource: FrameProducer {
    public let node: GraphNode
    let label: String
    /// Its sound.
    let sound: StreamSoundFeed

    /// How an RTSP server is asked to send.
    public enum Transport: String, Sendable, CaseIterable {
        /// Over the connection: nothing gets lost.
        case tcp
        /// In packets, with TCP where they do not come through.
        case udp
    }

    /// The protocols of the addresses that are known: `rtsp`, `srt` and so on.
    public static let schemes = SourceAddress.protocols.map(\.scheme)

    /// - Parameters:
    ///   - address: As in `rtsp://user:password@camera/live`; one that is none is told when a session opens it.
    ///   - latency: How long packets may be on their way; nil takes 200 ms for RTSP and RTP, and what others agree on.
    ///   - transport: How an RTSP server is asked to send.
    ///   - frameRate: The rate that an output takes over from it; nil takes the stream's.
    public init(
        _ address: String, latency: Duration? = nil, transport: Transport = .tcp, frameRate: FrameRate? = nil
    ) {
        let options = StreamOptions(latency: latency, usesUDP: transport == .udp)
        let target = SourceAddress(address).map { StreamTarget.address($0, options) }
        (label, sound) = (target?.label ?? SourceAddress.hiding(in: address), StreamSoundFeed())
        node = Self.node(target, label: label, sound, frameRate)
    }

    /// Elements of the media engine, for experts: whatever they give is shown as it comes.
    ///
    /// ```swift
    /// let ball = StreamSource(elements: "videotestsrc pattern=ball ! video/x-raw,width=640")
    /// ```
    ///
    /// - Parameters:
    ///   - elements: As `gst-launch-1.0` takes them; never text of somebody else's, since elements read and write
    ///     files.
    ///   - frameRate: The rate that an output takes over from it; nil takes the stream's.
    public init(elements: String, frameRate: FrameRate? = nil) {
        let target = StreamTarget.elements(SourceElements(elements))
        (label, sound) = (target.label, StreamSoundFeed())
        node = Self.node(target, label: label, sound, frameRate)
    }

    private static func node(
        _ target: StreamTarget?, label: String, _ sound: StreamSoundFeed, _ rate: FrameRate?
    ) -> GraphNode {
        GraphNode(
            .source(
                LiveSourceSpecification(label: label) { circumstances throws(SourceError) in
                    guard let target else {
                        throw SourceError(
                            label, "open", .invalidOptions,
                            "its address begins with none of \(schemes.map { "\($0)://" }.joined(separator: ", "))")
                    }
                    if case .address(let address, _) = target, let mistake = address.mistake {
                        throw SourceError(label, "open", .invalidOptions, mistake)
                    }
                    return try StreamReceiver(target, rate: rate, sound: sound, circumstances)
                }))
    }
}
#endif
