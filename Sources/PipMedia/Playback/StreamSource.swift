#if Media
internal import PipCompose
public import PipFrames
public import PipGraph
internal import PipSources

/// A live stream: `rtsp://`, `srt://`, `udp://`, `rtp://`, `rtmp://`, and `http(s)://` (HLS, or a plain stream).
///
/// Use this source for network cameras and for the streams of other programs. The source shows the newest frame, as a
/// camera does.
///
/// The layers of a stream that breaks off, or brings no frame for two seconds, follow
/// ``/PipCompose/Layer/whenMissing(_:)``, and the session continues. A connection is lost when it breaks, or brings no
/// frame for five seconds (fifteen over HTTP, and from elements). The source then connects again without a limit, after
/// waits that grow from half a second to eight seconds. ``/PipCompose/SessionEvent/sourceLost(_:)`` and
/// ``/PipCompose/SessionEvent/sourceReturned(name:)`` report the loss and the return.
///
/// A stream that cannot be reached at the start keeps the session from starting, unless
/// ``/PipCompose/SessionOptions/startsWithoutCameras`` is set.
///
/// Messages hide the passwords in an address. ``StreamSound`` plays the stream's sound.
public final class StreamSource: FrameProducer {
    public let node: GraphNode
    let label: String
    /// The queue of the stream's sound, for ``StreamSound``.
    let sound: StreamSoundFeed

    /// The transport to request from an RTSP server.
    public enum Transport: String, Sendable, CaseIterable {
        /// TCP, which loses no packet.
        case tcp
        /// UDP, and TCP if UDP packets do not arrive.
        case udp
    }

    /// The schemes of addresses that sources support, such as `rtsp` and `srt`.
    public static let schemes = SourceAddress.protocols.map(\.scheme)

    /// Creates a source, which connects when its session opens.
    ///
    /// - Parameters:
    ///   - address: An address such as `rtsp://user:password@camera/live`. An invalid address makes the session fail to
    ///     open.
    ///   - latency: The time after which a missing packet counts as lost. Nil takes 200 ms for RTSP and RTP, and the
    ///     default of other protocols.
    ///   - transport: The transport to request from an RTSP server.
    ///   - frameRate: The frame rate that the source reports to an output without a rate of its own. Nil reports the
    ///     stream's rate.
    public init(
        _ address: String, latency: Duration? = nil, transport: Transport = .tcp, frameRate: FrameRate? = nil
    ) {
        let options = StreamOptions(latency: latency, usesUDP: transport == .udp)
        let target = SourceAddress(address).map { StreamTarget.address($0, options) }
        (label, sound) = (target?.label ?? SourceAddress.hiding(in: address), StreamSoundFeed())
        node = Self.node(target, label: label, sound: sound, rate: frameRate)
    }

    /// Creates a source from GStreamer elements, for experts.
    ///
    /// The source shows frames at their own timestamps, and ends for good when the elements end.
    ///
    /// ```swift
    /// let ball = StreamSource(elements: "videotestsrc pattern=ball ! video/x-raw,width=640")
    /// ```
    ///
    /// - Parameters:
    ///   - elements: Elements in the notation of `gst-launch-1.0`. Never pass text from others, because elements can
    ///     read and write files.
    ///   - frameRate: The frame rate that the source reports to an output without a rate of its own. Nil reports the
    ///     stream's rate.
    public init(elements: String, frameRate: FrameRate? = nil) {
        let target = StreamTarget.elements(SourceElements(elements))
        (label, sound) = (target.label, StreamSoundFeed())
        node = Self.node(target, label: label, sound: sound, rate: frameRate)
    }

    private static func node(
        _ target: StreamTarget?, label: String, sound: StreamSoundFeed, rate: FrameRate?
    ) -> GraphNode {
        GraphNode(
            .source(
                LiveSourceSpecification(label: label) { circumstances throws(SourceError) in
                    guard let target else {
                        throw SourceError(
                            label, "open", .invalidOptions,
                            "its address must begin with one of \(schemes.map { "\($0)://" }.joined(separator: ", "))")
                    }
                    if case .address(let address, _) = target, let mistake = address.mistake {
                        throw SourceError(label, "open", .invalidOptions, mistake)
                    }
                    return try StreamReceiver(target, rate: rate, sound: sound, circumstances)
                }))
    }
}
#endif
