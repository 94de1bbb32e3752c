#if Media
internal import PipConcurrency
internal import PipFrames
internal import PipSound

/// The sound of a ``StreamSource``, in step with its pictures: the stream's first sound track.
///
/// Add the sound to a mixer whose outputs show the stream.
///
/// ```swift
/// let camera = StreamSource("rtsp://camera/live")
/// let sound = AudioMixer()
/// sound.add(StreamSound(camera))
/// ```
///
/// Create the sound before a session opens the stream, and only once for each stream. The sound is silent while the
/// stream is gone, and for a stream without sound. A source from ``StreamSource/init(elements:frameRate:)`` has no
/// sound.
public struct StreamSound: AudioSource {
    private let feed: StreamSoundFeed
    public let label: String

    /// Creates the sound of a stream.
    ///
    /// - Parameter stream: The stream, which the same session shows.
    public init(_ stream: StreamSource) {
        (feed, label) = (stream.sound, stream.label)
        feed.request()
    }

    public var opening: AudioOpening {
        let feed = feed
        return AudioOpening(isLive: true) { context in
            // The stream's receiver itself reconnects, so short waits suffice here.
            LiveSound(context, longestWait: .milliseconds(500)) { StreamSoundCapture(feed) }
        }
    }
}

/// Hands the sound of a stream to a mixer.
private final class StreamSoundCapture: SoundCapture {
    private let feed: StreamSoundFeed

    init(_ feed: StreamSoundFeed) {
        self.feed = feed
        feed.clear()
    }

    func next(within timeout: Duration) throws(MediaError) -> AudioBlock? {
        feed.next(until: MonotonicClock().now.advanced(by: timeout))
    }

    func stop() {}
}
#endif
