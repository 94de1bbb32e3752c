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
    /// The time between two texts.
    public let interval: Duration
    /// Makes the text of a time.
    let text: @Sendable (Timestamp) -> String

    /// Creates a track.
    ///
    /// - Parameters:
    ///   - interval: The time between two texts, at least a millisecond.
    ///   - text: Makes the text from a frame's time on. A text of more than 65,535 bytes in UTF-8 is left empty. The
    ///     function is called on the render thread, so it must not block.
    public init(every interval: Duration = .milliseconds(100), text: @escaping @Sendable (Timestamp) -> String) {
        self.interval = max(interval, .milliseconds(1))
        self.text = text
    }
}
#endif
