#if Media
internal import PipFrames

/// Repairs the timestamps of packets from a demuxer.
///
/// After the repair, the decoding times of a track never fall, and tracks stay together: one offset applies to the
/// times of all tracks. The repair drops no packet. The repair does not change a stream whose times rise, except
/// after a gap that it closes.
///
/// A gap of up to half a second remains where transport streams were joined. When the stream's clock (PCR) jumps ahead
/// by more than 500 ms, `tsdemux` of GStreamer 1.22 itself continues 500 ms after the clock's last value. When the
/// clock steps back, `tsdemux` continues 100 ms after that value. These times rise, so the gap looks like a pause in
/// the pictures.
///
/// Source: GStreamer 1.22, mpegtspacketizer.c, `_set_current_group`.
struct TimeRepair {
    /// The timestamps of a packet.
    struct Times: Equatable {
        /// The decoding time; nil when the container gives none.
        var decoding: Duration?
        /// The presentation time; nil when the container gives none.
        var presentation: Duration?
    }

    /// The kinds of faults in timestamps.
    enum Fault: Hashable, Sendable {
        /// The container's counter overflowed, and began with 0 again.
        case wrap
        /// Timestamps started again, as where two recordings were joined.
        case restart
        /// Timestamps jumped ahead over a period in which no track has data.
        case gap
        /// A decoding time lies before that of the previous packet.
        case disorder
    }

    /// A repair of timestamps, at one position in the stream.
    struct Repair: Equatable, Sendable {
        let fault: Fault
        /// The time from the first packet to the repaired packet.
        let place: Duration
        /// The difference between the timestamp found and the timestamp expected.
        let jump: Duration
    }

    private struct Track {
        /// The offset that is added to the track's timestamps.
        var offset = Duration.zero
        /// The latest unrepaired timestamp, or the highest for presentation times; nil before the first, and after a
        /// jump.
        var last: Duration?
        /// The latest repaired decoding time.
        var lastDecoding: Duration?
        /// The highest timestamp of all tracks when this track stepped back a little; nil if it did not.
        ///
        /// The step back may be the order of the packets, or a jump that another track will show.
        var slip: Duration?
        /// The latest step from one timestamp to the next, of less than ``nearness``.
        var step = Duration.zero

        /// The expected repaired timestamp of the next packet; nil while unknown.
        var end: Duration? { last.map { $0 + offset + step } }
    }

    /// The periods of counters that overflow: 33 bits in MPEG and 32 bits in RTP, at 90 kHz.
    private static let periods = [33, 32].map { Duration.nanoseconds(Int64((Int128(1) << $0) * 100_000 / 9)) }
    /// The largest step back that is not a jump: for decoding times, and for presentation times, whose pictures come in
    /// decoding order.
    private static let (disorder, reordering) = (Duration.milliseconds(200), Duration.seconds(1))
    /// The longest gap to keep, in a container that allows jumps in time.
    private static let longestGap = Duration.seconds(10)
    /// The difference between two timestamps below which they count as continuous.
    private static let nearness = Duration.seconds(1)
    private static let mostTracks = 64
    private static let mostOffsets = 8

    private let leavesOutGaps: Bool
    private var tracks: [Int: Track] = [:]
    /// The offsets used so far, the latest last.
    private var offsets: [Duration] = [.zero]
    /// The first timestamp, and the highest repaired timestamp; nil before the first packet.
    private var extent: (first: Duration, reach: Duration)?

    /// Creates a repair for one demuxer.
    ///
    /// - Parameter leavesOutGaps: True to close gaps of more than 10 s in all tracks. The container must allow jumps in
    ///   time, as MPEG streams do.
    init(leavesOutGaps: Bool) { self.leavesOutGaps = leavesOutGaps }

    /// Forgets the timestamps of a track that continues elsewhere, after a seek or at an edit in the track's container.
    ///
    /// - Parameters:
    ///   - track: The number of the track.
    ///   - isSearch: True after a seek, which discards all offsets.
    mutating func interrupt(_ track: Int, isSearch: Bool) {
        let offset = isSearch ? .zero : tracks[track]?.offset ?? .zero
        tracks[track] = Track(offset: offset)
        if isSearch { (offsets, extent) = ([.zero], extent.map { ($0.first, .zero) }) }
    }

    /// Continues a track of the former program as a track of the next program.
    mutating func follow(_ former: Int, by track: Int) { tracks[track] = tracks[former] }

    /// Forgets a track whose packets have ended.
    mutating func forget(_ track: Int) { tracks[track] = nil }

    /// Repairs the times of a packet.
    ///
    /// - Parameters:
    ///   - times: The packet's timestamps. Missing timestamps stay missing.
    ///   - number: The number of the packet's track.
    /// - Returns: The repaired timestamps, and the repair. The repair is nil when no new fault was found.
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

    /// Detects a fault at a packet, and adjusts the offset of its track.
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

    /// Makes a track adopt the newest offset of another track, if the track's timestamps then lie nearer to those of
    /// the other tracks, or if the track has just stepped back a little.
    ///
    /// - Returns: True when the track's offset has changed.
    private func follows(_ track: inout Track, to key: Duration, reach: Duration) -> Bool {
        guard let newest = offsets.last, newest != track.offset else { return false }
        let isNearer = abs(key + newest - reach) < abs(key + track.offset - reach)
        let isFar = abs(newest - track.offset) >= Self.nearness
        let hasSlipped = track.slip.map { reach - $0 < Self.nearness } ?? false
        guard isFar ? isNearer : hasSlipped && newest > track.offset else { return false }
        (track.offset, track.last, track.slip) = (newest, nil, nil)
        return true
    }

    /// The nearest other offset that places a packet at the expected time of its track; nil when no offset does.
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
