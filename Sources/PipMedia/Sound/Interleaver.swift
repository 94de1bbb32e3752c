#if Media
internal import PipConcurrency
internal import PipFrames

/// Sorts the packets of a picture and its tracks of sound and texts by their times.
///
/// Sound arrives later than the picture of the same time. The interleaver therefore holds each picture until all
/// earlier sound has arrived, for at most 20 seconds, so that a muxer gets packets in order.
///
/// Before the first picture, and in a pause of the pictures, sound is dropped. A file thus has sound from its first
/// picture on.
struct Interleaver {
    /// A packet as the interleaver returns it: of the picture, or of a track beside it.
    enum Item {
        case picture(PacketFeed.Delivery)
        case track(Packet, number: Int)
    }

    private struct Track {
        var packets: [Packet] = []
        var format: PacketFormat?
        /// The end of the sound that has arrived; nil before the first packet.
        var reached: Timestamp?
        var isEnded = false
    }

    /// The largest number of waiting pictures.
    private static let mostPictures = 256
    /// The longest wait of a picture for sound.
    ///
    /// Even a busy machine is faster: after this time an encoder has failed.
    private static let timeout = Duration.seconds(20)
    /// The longest gap between two pictures that does not count as a pause.
    private static let pauseLength = Duration.seconds(1)
    /// The age up to which the interleaver keeps sound while no picture waits.
    ///
    /// The age exceeds the time that frames wait for their encoder.
    private static let longestKeptSound = Duration.seconds(30)

    private var pictures: [PacketFeed.Delivery] = []
    private var tracks: [Track]
    /// The end of the last picture returned; nil before the first.
    private var end: Timestamp?
    /// The time at which the first waiting picture, or the end, began to wait for sound; nil while nothing waits.
    private var waitingSince: Timestamp?
    /// True when no picture follows.
    private var isLast = false

    /// - Parameter tracks: The number of sound tracks.
    init(tracks: Int) { self.tracks = Array(repeating: Track(), count: tracks) }

    /// True while the caller may add a picture.
    var hasRoom: Bool { pictures.count < Self.mostPictures }

    /// True while a picture waits, or after the last picture while sound up to its end is missing or waits.
    var isWaiting: Bool { !pictures.isEmpty || isLast && tracks.contains { !isComplete($0) } }

    /// True when no picture follows, and all packets have been returned.
    var isFinished: Bool { isLast && !isWaiting }

    /// The formats of the sound tracks; nil for a track without packets so far.
    var formats: [PacketFormat?] { tracks.map(\.format) }

    /// True when no sound follows on a track.
    func isEnded(_ track: Int) -> Bool { tracks[track].isEnded }

    /// True when no sound follows on any track.
    var isEnded: Bool { tracks.allSatisfy(\.isEnded) }

    mutating func add(_ picture: PacketFeed.Delivery) { pictures.append(picture) }

    /// Adds a sound packet.
    ///
    /// While no picture waits, drops sound that is too old to be needed.
    mutating func add(_ packet: Packet, track: Int) {
        tracks[track].packets.append(packet)
        let reached = packet.time.advanced(by: packet.duration)
        tracks[track].reached = reached
        tracks[track].format = packet.format
        guard pictures.isEmpty, !isLast else { return }
        let oldest = reached.advanced(by: .zero - Self.longestKeptSound)
        while let first = tracks[track].packets.first, first.time < oldest { tracks[track].packets.removeFirst() }
    }

    /// Marks a sound track as ended, so that pictures no longer wait for the track's sound.
    mutating func endTrack(_ track: Int) { tracks[track].isEnded = true }

    /// Marks the picture as ended, so that the remaining sound need not wait for further pictures.
    mutating func endPictures() { isLast = true }

    /// True when a track's sound up to the end of the last picture has arrived, and has been returned.
    private func isComplete(_ track: Track) -> Bool {
        guard let end else { return true }
        guard track.packets.first.map({ $0.time >= end }) ?? true else { return false }
        return track.isEnded || track.reached.map { $0 >= end } ?? false
    }

    /// Returns the next packet in order.
    ///
    /// - Parameter now: The current time, which limits the wait for sound.
    /// - Returns: The packet. Nil while the next packet cannot be known yet, and when there is none.
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

    /// Removes and returns the earliest sound packet before `limit`; drops sound in pauses.
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
            if let end, !isPause || packet.time < end { return .track(packet, number: track) }
        }
    }
}
#endif
