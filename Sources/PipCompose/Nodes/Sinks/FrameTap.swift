/// Frames for the app: `for await frame in tap.frames { … }`.
public struct FrameTap: Sink {
    public let label: String
    /// The frames as they are composed; the stream ends with the session.
    public let frames: FrameStream
    private let format: PixelFormat
    /// The size of its frames; nil takes the picture's.
    public let frameSize: PixelSize?
    /// The colours of its frames; nil takes the picture's.
    package var colorimetry: Colorimetry?

    /// - Parameters:
    ///   - format: `rgba`, `nv12` or `i420`.
    ///   - size: Nil takes the size of the picture.
    ///   - buffering: The frames that are kept while the app is busy.
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
