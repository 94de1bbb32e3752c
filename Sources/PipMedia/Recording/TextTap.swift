#if Media
internal import PipFrames
internal import Synchronization

/// The connection of a recording to a track of texts: makes the texts up to each frame's end.
final class TextTap: TrackTap {
    /// The longest text in bytes; with what ``MovieSegment`` adds, the tracks of MP4 files hold 65,535.
    private static let longestText = 65_000
    /// The largest number of frames of a text: a muxer holds the frames back until the next text comes, and
    /// ``MovieSegment`` writes no more than 64 frames meanwhile.
    private static let mostFrames = 32
    private static let format = PacketFormat(parsing: "text/x-raw,format=utf8")

    let feed = TrackFeed()
    private let track: TextTrack
    /// The time of the next text; nil before the first.
    private let next = Mutex<Timestamp?>(nil)

    init(_ track: TextTrack) { self.track = track }

    func reach(from start: Timestamp, to end: Timestamp) {
        let interval = min(track.interval, start.duration(to: end) * Self.mostFrames)
        guard interval > .zero else { return }
        next.withLock { next in
            // The first frame begins the texts, and so does the first one after a pause.
            var time = next.map { $0.advanced(by: interval) < start ? start : $0 } ?? start
            while time < end {
                let text = track.text(time).utf8
                let bytes = text.count <= Self.longestText ? Array(text) : []
                if let packet = Packet(bytes, Self.format, at: time, duration: interval) { feed.deliver(packet) }
                time = time.advanced(by: interval)
            }
            next = time
        }
    }

    func end(at time: Timestamp) {
        feed.end(at: time)
        feed.close()
    }
}
#endif
