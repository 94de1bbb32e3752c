#if Media
public import PipFrames

/// A track of texts in a recording, which tell what was true at each time: values of sensors, or subtitles.
///
/// ```swift
/// let track = TextTrack { time in "\(thermometer.celsius) °C" }
/// let recording = picture --> MovieFile("drive.mp4", texts: track)
/// ```
///
/// A player shows the track as subtitles if its user asks for them; `ffmpeg -i drive.mp4 texts.srt` extracts it.
public struct TextTrack: Sendable {
    /// The allowed values of ``interval``.
    public static let intervals = Duration.milliseconds(20)...Duration.milliseconds(500)

    /// The time between two texts.
    public let interval: Duration
    /// Makes the text of a time.
    let text: @Sendable (Timestamp) -> String

    /// Creates a track.
    ///
    /// - Parameters:
    ///   - interval: The time between two texts, brought within ``intervals``. A text lasts no longer than 32 frames.
    ///   - text: Makes the text from a frame's time on. A text of more than 65,000 bytes in UTF-8 is left empty. The
    ///     function must not block: it is called on the render thread, or on the thread of a ``CameraFile``.
    public init(every interval: Duration = .milliseconds(100), text: @escaping @Sendable (Timestamp) -> String) {
        self.interval = max(Self.intervals.lowerBound, min(Self.intervals.upperBound, interval))
        self.text = text
    }
}
#endif
