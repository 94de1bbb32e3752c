#if Media
internal import PipConcurrency
internal import PipFrames

/// Brings the packets of a picture and of its tracks of sound into the order of their moments.
///
/// Sound comes later than its picture. A picture waits until all sound before it has come, so that a muxer gets both
/// together, and a file that begins with a picture has all sound from there on, and none of before. Sound beside a gap
/// in the picture, a pause, is left out.
struct Interleaver {
    /// What is next.
    enum Item {
        case picture(PacketFeed.Delivery)
        case sound(Packet, track: Int)
    }

    private struct Track {
        var packets: [Packet] = []
        var format: PacketFormat?
        /// The moment up to which sound has come.
        var reached: Timestamp?
        var isEnded = false
    }

    /// Pictures that wait, at most.
    private static let mostPictures = 256
    /// How long a picture waits for sound: by then something has gone wrong, and no machine is just busy.
    private static let patience = Duration.seconds(20)
    /// Pictures that are further apart were paused.
    private static let pause = Duration.seconds(1)
    /// Sound that is kept while there is no picture: more than frames that wait for their encoder.
    private static let memory = Duration.seconds(30)

    private var pictures: [PacketFeed.Delivery] = []
    private var tracks: [Track]
    /// The end of the last picture that went out; nil before the first.
    private var end: Timestamp?
    /// When the first picture that waits began to.
    private var waitingSince: Timestamp?
    /// True when no picture comes any more.
    private var isLast = false

    /// - Parameter tracks: The tracks of sound.
    init(tracks: Int) { self.tracks = Array(repeating: Track(), count: tracks) }

    /// True while there is room for a picture.
    var hasRoom: Bool { pictures.count < Self.mostPictures }

    /// True while a picture waits, or sound behind the last one.
    var isWaiting: Bool { !pictures.isEmpty || isLast && tracks.contains { !isComplete($0) } }

    /// True when everything has gone out.
    var isFinished: Bool { isLast && !isWaiting }

    /// The formats of the tracks; nil for one on which nothing has come.
    var formats: [PacketFormat?] { tracks.map(\.format) }

    /// True when a track has ended.
    func isEnded(_ track: Int) -> Bool { tracks[track].isEnded }

    /// True when no track goes on.
    var isEnded: Bool { tracks.allSatisfy(\.isEnded) }

    mutating func add(_ picture: PacketFeed.Delivery) { pictures.append(picture) }

    /// Adds sound, or drops it where it would only pile up.
    mutating func add(_ packet: Packet, track: Int) {
        tracks[track].packets.append(packet)
        let reached = packet.time.advanced(by: packet.duration)
        tracks[track].reached = reached
        tracks[track].format = packet.format
        guard pictures.isEmpty, !isLast else { return }
        let oldest = reached.advanced(by: .zero - Self.memory)
        while let first = tracks[track].packets.first, first.time < oldest { tracks[track].packets.removeFirst() }
    }

    /// Notes that no sound comes any more on a track.
    mutating func endTrack(_ track: Int) { tracks[track].isEnded = true }

    /// Notes that no picture comes any more.
    mutating func endPictures() { isLast = true }

    /// True when a track has all sound up to the end.
    private func isComplete(_ track: Track) -> Bool {
        guard let end else { return true }
        guard track.packets.first.map({ $0.time >= end }) ?? true else { return false }
        return track.isEnded || track.reached.map { $0 >= end } ?? false
    }

    /// Takes the next packet in order.
    ///
    /// - Parameter now: The present, by which it gives up waiting for sound.
    /// - Returns: Nil when it has not come.
    mutating func next(at now: Timestamp) -> Item? {
        let limit = pictures.first?.packet.time ?? (isLast ? end : nil)
        guard let limit else { return nil }
        guard tracks.allSatisfy({ $0.isEnded || $0.reached.map { $0 >= limit } ?? false }) else {
            let since = waitingSince ?? now
            waitingSince = since
            guard since.duration(to: now) > Self.patience else { return nil }
            for index in tracks.indices where tracks[index].reached.map({ $0 < limit }) ?? true {
                tracks[index].isEnded = true
            }
            return next(at: now)
        }
        waitingSince = nil
        if let sound = nextSound(before: limit) { return sound }
        guard !pictures.isEmpty else { return nil }
        let picture = pictures.removeFirst()
        end = picture.packet.time.advanced(by: picture.packet.duration)
        return .picture(picture)
    }

    /// The earliest sound before a moment, that of pauses left out.
    private mutating func nextSound(before limit: Timestamp) -> Item? {
        // Before the first picture everything is one.
        let isPause = end.map { $0.duration(to: limit) > Self.pause } ?? true
        while true {
            let track = tracks.indices.min { first, second in
                (tracks[first].packets.first?.time ?? .distantFuture)
                    < (tracks[second].packets.first?.time ?? .distantFuture)
            }
            guard let track, let packet = tracks[track].packets.first, packet.time < limit else { return nil }
            tracks[track].packets.removeFirst()
            if let end, !isPause || packet.time < end { return .sound(packet, track: track) }
        }
    }
}
#endif
