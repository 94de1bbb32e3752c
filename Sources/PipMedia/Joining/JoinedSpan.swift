#if Media
internal import PipFrames

/// The packets of a joined file that lie within a span of it, from the key frame at or before the span's beginning on.
struct JoinedSpan {
    /// A packet of the picture or of the sound.
    enum Item {
        case picture(Packet)
        case sound(Packet)
    }

    /// The time for which the join still reads after the span's end, because sound may follow its picture in a file.
    private static let soundDelay = Duration.seconds(2)

    /// The span, in the joined file's time.
    let times: Range<Duration>
    /// The packets since the latest key frame before the span; empty once the span has begun.
    private var waiting: [Item] = []
    private var hasBegun = false
    /// True when no further packet lies within the span.
    private(set) var isOver = false

    init(_ times: Range<Duration>) { self.times = times }

    /// Adds a packet in the order of the file.
    ///
    /// - Returns: The packets to write, in order.
    mutating func add(_ item: Item) -> [Item] {
        switch item {
        case .picture(let packet):
            let time = Timestamp.zero.duration(to: packet.time)
            let decoding = time - packet.decodeLead
            isOver = decoding >= times.upperBound + Self.soundDelay
            // Containers round times: a picture that begins at the end does not belong to the span.
            guard decoding + packet.duration / 2 < times.upperBound else { return [] }
            if !hasBegun, packet.isKey { waiting = [] }
            waiting.append(item)
            hasBegun = hasBegun || time >= times.lowerBound || time + packet.duration > times.lowerBound
        case .sound(let packet):
            guard Timestamp.zero.duration(to: packet.time) < times.upperBound else { return [] }
            waiting.append(item)
        }
        guard hasBegun else { return [] }
        defer { waiting = [] }
        return waiting
    }
}
#endif
