#if Media
internal import PipFrames

/// Mends the times of a file's or a stream's packets, as its demuxer gives them.
///
/// Within a track they then rise, and tracks stay together: what is added to the times of one is added to those of all.
/// No packet is left out. Times that rise already are not touched.
struct TimeRepair {
    /// The times of a packet.
    struct Times: Equatable {
        /// When it is decoded; nil where its container does not say.
        var decoding: Duration?
        /// When what it holds is shown or heard; nil where its container does not say.
        var presentation: Duration?
    }

    /// The kinds of mistakes in times.
    enum Fault: Hashable, Sendable {
        /// The container's counter came to its end, and began with 0.
        case wrap
        /// Times began anew, as where two recordings were joined.
        case restart
        /// Times left out a stretch in which no track has anything.
        case gap
        /// A packet was to be decoded before the one in front of it.
        case disorder
    }

    /// A mended place.
    struct Repair: Equatable, Sendable {
        let fault: Fault
        /// The place, from the first packet on.
        let place: Duration
        /// The difference between the time that was expected there and the one that came.
        let jump: Duration
    }

    private struct Track {
        /// The time that is added to its own times.
        var offset = Duration.zero
        /// Its latest time before it was mended; where it is one of presentation, the highest.
        var last: Duration?
        /// The latest time of decoding that was given out.
        var lastDecoding: Duration?
        /// Where it went back by so little that it may be order, or a jump that another track will show.
        var slip: Duration?
        /// The usual time from one packet to the next.
        var step = Duration.zero

        /// Where the next packet belongs, if nothing is missing.
        var end: Duration? { last.map { $0 + offset + step } }
    }

    /// The counters that wrap: 33 bits of MPEG's, and 32 of RTP's, at 90 kHz.
    private static let periods = [33, 32].map { Duration.nanoseconds(Int64((Int128(1) << $0) * 100_000 / 9)) }
    /// By how much a time of decoding may lie before the one in front of it, and one of presentation, whose pictures
    /// come in the order of decoding.
    private static let (disorder, reordering) = (Duration.milliseconds(200), Duration.seconds(1))
    /// A longer gap is left out, where the container promises no times without gaps.
    private static let longestGap = Duration.seconds(10)
    /// As near as this, times continue each other.
    private static let nearness = Duration.seconds(1)
    private static let mostTracks = 64
    private static let mostOffsets = 8

    private let leavesOutGaps: Bool
    private var tracks: [Int: Track] = [:]
    /// What was added to times so far, the latest last.
    private var offsets: [Duration] = [.zero]
    /// The first time, and the highest that was given out.
    private var extent: (first: Duration, reach: Duration)?

    /// - Parameter leavesOutGaps: Whether a gap of more than 10 s in all tracks is none: so where times may jump by the
    ///   container's rules, as in MPEG's streams.
    init(leavesOutGaps: Bool) { self.leavesOutGaps = leavesOutGaps }

    /// Notes that a track goes on elsewhere, after a search or at an edit of its container's.
    ///
    /// - Parameters:
    ///   - track: The track.
    ///   - isSearch: Whether its times are those of the file again.
    mutating func interrupt(_ track: Int, isSearch: Bool) {
        let offset = isSearch ? .zero : tracks[track]?.offset ?? .zero
        tracks[track] = Track(offset: offset)
        if isSearch { (offsets, extent) = ([.zero], extent.map { ($0.first, .zero) }) }
    }

    /// Mends the times of a packet.
    ///
    /// - Parameters:
    ///   - times: The times; those that are missing stay so.
    ///   - number: The number of its track.
    /// - Returns: The times, and what was mended; nil where they were right.
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

    /// Finds what is to be added to a track's times from a packet on.
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

    /// Lets a track follow one whose times have jumped before, where its own then lie nearer to that one's.
    ///
    /// - Returns: True when it does so from this packet on.
    private func follows(_ track: inout Track, to key: Duration, reach: Duration) -> Bool {
        guard let newest = offsets.last, newest != track.offset else { return false }
        let isNearer = abs(key + newest - reach) < abs(key + track.offset - reach)
        let isFar = abs(newest - track.offset) >= Self.nearness
        let hasSlipped = track.slip.map { reach - $0 < Self.nearness } ?? false
        guard isFar ? isNearer : hasSlipped && newest > track.offset else { return false }
        (track.offset, track.last, track.slip) = (newest, nil, nil)
        return true
    }

    /// What was added before, or to another track, and puts a packet where its track has ended.
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
