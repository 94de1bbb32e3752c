/// Hands drawn frames to the app: `for await frame in tap.frames { … }`.
public struct FrameTap: Sink {
    public let label: String
    /// The frames as the session draws them; the stream ends with the tap's output.
    public let frames: FrameStream
    private let format: PixelFormat
    /// The size of the tap's frames; nil takes the picture's size.
    public let frameSize: PixelSize?
    /// The colorimetry of the tap's frames; nil takes the picture's.
    package var colorimetry: Colorimetry?

    /// - Parameters:
    ///   - format: The frames' format: `rgba`, `nv12`, `i420` or `gray`.
    ///   - size: The frames' size; nil takes the picture's size.
    ///   - buffering: The frames to keep while the app is busy: the newest or the oldest.
    ///   - name: The name in messages and statistics.
    public init(
        _ format: PixelFormat = .rgba, size: PixelSize? = nil, buffering: FrameStream.Buffering = .newest(1),
        name: String = "frames"
    ) {
        label = name
        self.format = format
        frameSize = size
        frames = FrameStream(buffering)
    }

    public var destination: SinkDestination? { .object(frames.identity) }
    public var opening: SinkOpening {
        .stream(frames, name: label, SinkRequest(format: format, colorimetry: colorimetry))
    }
}
