#if Media
internal import PipFrames

/// A repair of packet times, as a demuxer gives them.
///
/// After the repair, times rise within each track, and tracks stay together: one offset applies to the times of all
/// tracks. The repair drops no packet, and leaves times alone that rise already.
///
/// Behind a joint of transport streams a gap of up to half a second stays. Where the stream's clock (PCR) leaps ahead by
/// more than 500 ms, `tsdemux` of GStreamer 1.22 itself goes on 500 ms behind the clock's last value. Where the clock
/// steps back, `tsdemux` goes on 100 ms behind. Its times then rise, and cannot be told from a pause in the pictures.
///
/// Source: GStreamer 1.22, mpegtspacketizer.c, `_set_current_group`.
struct TimeRepair {
    /// The times of a packet.
    struct Times: Equatable {
        /// The time of decoding; nil where the container does not tell.
        var decoding: Duration?
        /// The time of presentation; nil where the container does not tell.
        var presentation: Duration?
    }

    /// The kinds of faults in times.
    enum Fault: Hashable, Sendable {
        /// The container's counter reached its end and began with 0 again.
        case wrap
        /// Times started again, as where two recordings were joined.
        case restart
        /// Times skipped a stretch in which no track has data.
        case gap
        /// A packet had to be decoded before the packet in front of it.
        case disorder
    }

    /// A repaired place.
    struct Repair: Equatable, Sendable {
        let fault: Fault
        /// The time of the place since the first packet.
        let place: Duration
        /// The difference between the expected time and the time that came.
        let jump: Duration
    }

    private struct Track {
        /// The offset that is added to the track's times.
        var offset = Duration.zero
        /// The latest time before its repair; for times of presentation, the highest.
        var last: Duration?
        /// The latest repaired time of decoding.
        var lastDecoding: Duration?
        /// The highest time of all tracks when this one stepped back a little.
        ///
        /// The step may be the packets' order, or a jump that another track will show.
        var slip: Duration?
        /// The usual time between packets.
        var step = Duration.zero

        /// The expected time of the next packet.
        var end: Duration? { last.map { $0 + offset + step } }
    }

    /// The periods of counters that wrap: 33 bits in MPEG and 32 bits in RTP, at 90 kHz.
    private static let periods = [33, 32].map { Duration.nanoseconds(Int64((Int128(1) << $0) * 100_000 / 9)) }
    /// The most that a time of decoding may lie before the previous one, and a time of presentation, whose pictures
    /// come in the order of decoding.
    private static let (disorder, reordering) = (Duration.milliseconds(200), Duration.seconds(1))
    /// The longest gap that is kept in a container that allows jumps.
    private static let longestGap = Duration.seconds(10)
    /// The largest distance at which times continue each other.
    private static let nearness = Duration.seconds(1)
    private static let mostTracks = 64
    private static let mostOffsets = 8

    private let leavesOutGaps: Bool
    private var tracks: [Int: Track] = [:]
    /// The offsets so far, the latest last.
    private var offsets: [Duration] = [.zero]
    /// The first time, and the highest repaired time.
    private var extent: (first: Duration, reach: Duration)?

    /// - Parameter leavesOutGaps: True to close gaps of more than 10 s in all tracks. The container must allow jumps in
    ///   time, as MPEG's streams do.
    init(leavesOutGaps: Bool) { self.leavesOutGaps = leavesOutGaps }

    /// Notes that a track continues at another place, after a search or at an edit in its container.
    ///
    /// - Parameters:
    ///   - track: The number of the track.
    ///   - isSearch: True when the track's times are those of the file again.
    mutating func interrupt(_ track: Int, isSearch: Bool) {
        let offset = isSearch ? .zero : tracks[track]?.offset ?? .zero
        tracks[track] = Track(offset: offset)
        if isSearch { (offsets, extent) = ([.zero], extent.map { ($0.first, .zero) }) }
    }

    /// Continues a track of the former program as a track of the next one.
    mutating func follow(_ former: Int, by track: Int) { tracks[track] = tracks[former] }

    /// Forgets a track whose packets have ended.
    mutating func forget(_ track: Int) { tracks[track] = nil }

    /// Repairs the times of a packet.
    ///
    /// - Parameters:
    ///   - times: The packet's times. Missing times stay missing.
    ///   - number: The number of the packet's track.
    /// - Returns: The repaired times, and the repair. Nil where the times were right.
    mutating func repair(_ times: Times, of number: Int) -> (times: Times, repair: Repair?) {
        guard let key = times.decoding ?? times.presentation,
            tracks[number] != nil || tracks.count < Self.mostTracks
        else { return (times, nil) }
        var track = tracks[number] ?? Track(offset: offsets.last ?? .zero)
        var repair = adjust(&track, to: key, isDecoding: times.decoding != nil)
        if let last = track.last, key > last, key - last < Self.nearness { track.step = key - last }
        track.last = times.decoding == nil ? max(key, track.last ?? key) : key

        var mended = Times(
            decoding: times.decoding.map { max(.zero, $0 + track.offset) },
            presentation: times.presentation.map { max(.zero, $0 + track.offset) })
        if let decoding = mended.decoding {
            if let last = track.lastDecoding, decoding < last {
                mended.decoding = last
                repair = repair ?? found(.disorder, at: last, jump: decoding - last)
            }
            track.lastDecoding = mended.decoding
        }
        tracks[number] = track
        let reach = mended.decoding ?? mended.presentation ?? .zero
        extent = (extent?.first ?? reach, max(extent?.reach ?? reach, reach))
        return (mended, repair)
    }

    /// Adjusts the offset of a track's times, from a packet on.
    private mutating func adjust(_ track: inout Track, to key: Duration, isDecoding: Bool) -> Repair? {
        guard let last = track.last, let end = track.end, let extent else { return nil }
        if follows(&track, to: key, reach: extent.reach) { return nil }
        let jump = key + track.offset - end
        if key < last, let known = known(key, at: end, after: track), known > track.offset {
            move(&track, known)
            return found(.restart, at: key + known, jump: jump)
        }
        let allowance = isDecoding ? Self.disorder : Self.reordering
        if jump + allowance + track.step < .zero {
            let wrapped = Self.periods.first { abs(key + $0 - last) < Self.longestGap }
            move(&track, wrapped.map { track.offset + $0 } ?? known(key, at: end, after: track) ?? end - key)
            return found(wrapped == nil ? .restart : .wrap, at: key + track.offset, jump: jump)
        }
        if leavesOutGaps, key + track.offset > max(extent.reach, end) + Self.longestGap {
            move(&track, known(key, at: end, after: track) ?? end - key)
            return found(.gap, at: key + track.offset, jump: jump)
        }
        if key < last, isDecoding { track.slip = extent.reach }
        return nil
    }

    /// Makes a track follow another one whose times have jumped before, if the track's own times then lie nearer to the
    /// other's.
    ///
    /// - Returns: True when the track follows from this packet on.
    private func follows(_ track: inout Track, to key: Duration, reach: Duration) -> Bool {
        guard let newest = offsets.last, newest != track.offset else { return false }
        let isNearer = abs(key + newest - reach) < abs(key + track.offset - reach)
        let isFar = abs(newest - track.offset) >= Self.nearness
        let hasSlipped = track.slip.map { reach - $0 < Self.nearness } ?? false
        guard isFar ? isNearer : hasSlipped && newest > track.offset else { return false }
        (track.offset, track.last, track.slip) = (newest, nil, nil)
        return true
    }

    /// An offset of the past, or of another track, that places a packet at the end of its track; nil for none.
    private func known(_ key: Duration, at end: Duration, after track: Track) -> Duration? {
        let others = offsets.filter { $0 != track.offset }
        let nearest = others.min { abs(key + $0 - end) < abs(key + $1 - end) }
        return nearest.flatMap { abs(key + $0 - end) < Self.nearness && key + $0 >= end - track.step ? $0 : nil }
    }

    private mutating func move(_ track: inout Track, _ offset: Duration) {
        (track.offset, track.last, track.slip) = (offset, nil, nil)
        offsets.removeAll { $0 == offset }
        offsets.append(offset)
        if offsets.count > Self.mostOffsets { offsets.removeFirst() }
    }

    private func found(_ fault: Fault, at time: Duration, jump: Duration) -> Repair {
        Repair(fault: fault, place: max(.zero, time - (extent?.first ?? time)), jump: jump)
    }
}

private func abs(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }
#endif
