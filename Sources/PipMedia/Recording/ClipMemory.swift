#if Media
internal import PipFrames
internal import PipSinks

/// The recent packets of a recording of clips, and the clip that is being written.
///
/// The caller adds each packet in order, and each moment as it is marked. Both return the steps to take with the files.
struct ClipMemory {
    /// A step of the thread that writes the files.
    enum Step {
        /// Begin a file with the next picture, which is a key frame.
        case begin(Clip)
        case write(Interleaver.Item)
        /// Complete the file.
        case end(moments: [Moment])
    }

    /// The beginning of a clip.
    struct Clip {
        /// The time of the first picture to show; earlier pictures are needed to decode it.
        let start: Timestamp
        /// The moments that are known at the beginning.
        let moments: [Moment]
    }

    /// A key frame, and the packets up to the next key frame.
    fileprivate struct Group {
        let start: Timestamp
        var items: [Interleaver.Item] = []
        var bytes = 0
    }

    /// The time for which packets are kept beyond the window, so that a moment may be marked a little late.
    private static let margin = Duration.seconds(1)
    /// The largest number of moments whose names are kept for one clip.
    private static let mostMoments = 100

    private let window: ClipWindow
    private var groups: [Group] = []
    private(set) var bytes = 0
    /// The moments that no clip has begun for.
    private var waiting: [Moment] = []
    /// The clip that is being written; nil while none is.
    private var clip: (end: Timestamp, moments: [Moment])?
    /// True once the memory was too small for the window.
    private(set) var isShort = false

    init(_ window: ClipWindow) { self.window = window }

    /// Takes a moment: a clip that reaches the moment's beginning goes on, or else a clip begins as soon as it can.
    mutating func mark(_ moment: Moment) -> [Step] {
        if let open = clip, moment.time.advanced(by: .zero - window.before) <= open.end {
            clip = (max(open.end, moment.time.advanced(by: window.after)), Self.appending(moment, to: open.moments))
            return []
        }
        waiting = Self.appending(moment, to: waiting)
        return clip == nil ? begin() : []
    }

    /// Takes the next packet of the recording.
    mutating func add(_ item: Interleaver.Item) -> [Step] {
        let item = item.detached
        var steps: [Step] = []
        if let open = clip, case .picture = item, item.time >= open.end { steps = end(open.moments) }
        keep(item)
        if clip != nil { return steps + [.write(item)] }
        return steps + begin()
    }

    /// Ends the clip if its end has passed: for a recording whose pictures have stopped, as when a camera is unplugged.
    mutating func pass(_ now: Timestamp) -> [Step] {
        guard let open = clip, now > open.end else { return [] }
        return end(open.moments)
    }

    /// Ends the clip that is being written, because no packet follows.
    mutating func finish() -> [Step] { clip.map { end($0.moments) } ?? [] }

    private mutating func end(_ moments: [Moment]) -> [Step] {
        clip = nil
        return [.end(moments: moments)]
    }

    private static func appending(_ moment: Moment, to moments: [Moment]) -> [Moment] {
        moments.count < mostMoments ? moments + [moment] : moments
    }

    // MARK: Beginning

    /// Begins a clip for the moments that wait, if a picture for its beginning is known.
    private mutating func begin() -> [Step] {
        guard let first = waiting.map(\.time).min(), let last = waiting.map(\.time).max() else { return [] }
        let wanted = first.advanced(by: .zero - window.before)
        guard let (index, start) = beginning(wanted) else { return [] }
        let moments = waiting
        waiting = []
        clip = (last.advanced(by: window.after), moments)
        return [.begin(Clip(start: start, moments: moments))]
            + groups[index...].flatMap(\.items).map { Step.write($0) }
    }

    /// Finds the first picture to show at or after a time, and the group to decode it with.
    private func beginning(_ wanted: Timestamp) -> (group: Int, start: Timestamp)? {
        let next = groups.firstIndex { $0.start >= wanted } ?? groups.endIndex
        if next > 0, let start = groups[next - 1].firstPicture(from: wanted) { return (next - 1, start) }
        return next < groups.endIndex ? (next, groups[next].start) : nil
    }

    // MARK: Memory

    private mutating func keep(_ item: Interleaver.Item) {
        if case .picture(let delivery) = item, delivery.packet.isKey { groups.append(Group(start: item.time)) }
        // A decoder cannot begin before the first key frame.
        guard !groups.isEmpty else { return }
        groups[groups.count - 1].items.append(item)
        groups[groups.count - 1].bytes += item.byteCount
        bytes += item.byteCount
        let oldest = item.time.advanced(by: .zero - window.before - Self.margin)
        while groups.count > 1, groups[1].start <= oldest || bytes > window.memory {
            isShort = isShort || groups[1].start > oldest
            bytes -= groups.removeFirst().bytes
        }
    }
}

extension ClipMemory.Group {
    /// The time of the first picture at or after a time; nil for none.
    fileprivate func firstPicture(from time: Timestamp) -> Timestamp? {
        for item in items {
            if case .picture = item, item.time >= time { return item.time }
        }
        return nil
    }
}

extension Interleaver.Item {
    var packet: Packet {
        switch self {
        case .picture(let delivery): delivery.packet
        case .track(let packet, _): packet
        }
    }

    fileprivate var time: Timestamp { packet.time }
    fileprivate var byteCount: Int { packet.byteCount }

    /// The same item with its own copy of the bytes, so that an encoder gets its buffers back.
    fileprivate var detached: Interleaver.Item {
        switch self {
        case .picture(let delivery):
            .picture(PacketFeed.Delivery(packet: delivery.packet.detached, beginsPart: delivery.beginsPart))
        case .track(let packet, let number): .track(packet.detached, number: number)
        }
    }
}
#endif
