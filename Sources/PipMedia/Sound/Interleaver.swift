#if Media
internal import PipConcurrency
internal import PipFrames

/// Sorts the packets of a picture and its sound tracks by their times.
///
/// Sound comes later than its picture. A picture waits until all sound before it has come, so that a muxer gets both
/// together. A file that begins with a picture then has all sound from there on, and no earlier sound. Sound beside a
/// gap in the picture, a pause, is dropped.
struct Interleaver {
    /// The next packet in order.
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

    /// The most pictures that wait.
    private static let mostPictures = 256
    /// The longest time that a picture waits for sound; no busy machine takes as long: by then an encoder has failed.
    private static let timeout = Duration.seconds(20)
    /// The distance between pictures that counts as a pause.
    private static let pauseLength = Duration.seconds(1)
    /// The age up to which sound is kept while no picture waits; it exceeds the time that frames wait for their
    /// encoder.
    private static let longestKeptSound = Duration.seconds(30)

    private var pictures: [PacketFeed.Delivery] = []
    private var tracks: [Track]
    /// The end of the last returned picture; nil before the first.
    private var end: Timestamp?
    /// The moment at which the first waiting picture started to wait.
    private var waitingSince: Timestamp?
    /// True when no picture follows.
    private var isLast = false

    /// - Parameter tracks: The number of sound tracks.
    init(tracks: Int) { self.tracks = Array(repeating: Track(), count: tracks) }

    /// True while there is room for a picture.
    var hasRoom: Bool { pictures.count < Self.mostPictures }

    /// True while a picture waits, or sound after the last picture.
    var isWaiting: Bool { !pictures.isEmpty || isLast && tracks.contains { !isComplete($0) } }

    /// True when all packets were returned.
    var isFinished: Bool { isLast && !isWaiting }

    /// The formats of the tracks; nil for a track without packets so far.
    var formats: [PacketFormat?] { tracks.map(\.format) }

    /// True when a track has ended.
    func isEnded(_ track: Int) -> Bool { tracks[track].isEnded }

    /// True when all tracks have ended.
    var isEnded: Bool { tracks.allSatisfy(\.isEnded) }

    mutating func add(_ picture: PacketFeed.Delivery) { pictures.append(picture) }

    /// Adds sound; without pictures to wait for, drops the oldest sound.
    mutating func add(_ packet: Packet, track: Int) {
        tracks[track].packets.append(packet)
        let reached = packet.time.advanced(by: packet.duration)
        tracks[track].reached = reached
        tracks[track].format = packet.format
        guard pictures.isEmpty, !isLast else { return }
        let oldest = reached.advanced(by: .zero - Self.longestKeptSound)
        while let first = tracks[track].packets.first, first.time < oldest { tracks[track].packets.removeFirst() }
    }

    /// Notes that no sound follows on a track.
    mutating func endTrack(_ track: Int) { tracks[track].isEnded = true }

    /// Notes that no picture follows.
    mutating func endPictures() { isLast = true }

    /// True when a track's sound has come up to the end of the last picture, and was returned.
    private func isComplete(_ track: Track) -> Bool {
        guard let end else { return true }
        guard track.packets.first.map({ $0.time >= end }) ?? true else { return false }
        return track.isEnded || track.reached.map { $0 >= end } ?? false
    }

    /// Returns the next packet in order.
    ///
    /// - Parameter now: The present, by which the wait for sound ends.
    /// - Returns: The packet. Nil while it has not come.
    mutating func next(at now: Timestamp) -> Item? {
        let limit = pictures.first?.packet.time ?? (isLast ? end : nil)
        guard let limit else { return nil }
        guard tracks.allSatisfy({ $0.isEnded || $0.reached.map { $0 >= limit } ?? false }) else {
            let since = waitingSince ?? now
            waitingSince = since
            guard since.duration(to: now) > Self.timeout else { return nil }
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

    /// The earliest sound before a moment; drops the sound of pauses.
    private mutating func nextSound(before limit: Timestamp) -> Item? {
        // The time before the first picture counts as a pause.
        let isPause = end.map { $0.duration(to: limit) > Self.pauseLength } ?? true
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
