#if Media
internal import PipConcurrency
internal import PipFrames
internal import PipSound

/// The sound of a ``StreamSource``, with its pictures: of its streams of sound the first.
///
/// ```swift
/// let camera = StreamSource("rtsp://camera/live")
/// let sound = AudioMixer()
/// sound.add(StreamSound(camera))
/// ```
///
/// It is made before a session opens the stream. While the stream is gone there is silence. A stream without sound is
/// silent, and a stream has one such sound. That of ``StreamSource/init(elements:frameRate:)`` has none.
public struct StreamSound: AudioSource {
    private let feed: StreamSoundFeed
    public let label: String

    /// - Parameter stream: The stream, which the same session shows.
    public init(_ stream: StreamSource) {
        (feed, label) = (stream.sound, stream.label)
        feed.want()
    }

    public var opening: AudioOpening {
        let feed = feed
        return AudioOpening(isLive: true) { context in
            // The stream itself is connected again and again.
            LiveSound(context, longestWait: .milliseconds(500)) { StreamSoundCapture(feed) }
        }
    }
}

/// The sound of a stream as a mixer records it.
private final class StreamSoundCapture: SoundCapture {
    private let feed: StreamSoundFeed

    init(_ feed: StreamSoundFeed) {
        self.feed = feed
        feed.clear()
    }

    func next(within patience: Duration) throws(MediaError) -> AudioBlock? {
        feed.next(until: MonotonicClock().now.advanced(by: patience))
    }

    func stop() {}
}
#endif
