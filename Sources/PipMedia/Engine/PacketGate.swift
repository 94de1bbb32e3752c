#if Media
/// Decides which packets of a live stream go to a receiver that may be too slow for all of them.
///
/// A receiver cannot decode a packet without the one before, so that after a gap it gets nothing until a key frame.
struct PacketGate {
    /// The decision about a packet.
    enum Verdict: Equatable {
        /// The packet is sent; `isNew` is true if its format differs from the last one's.
        case sent(isNew: Bool)
        /// The packet is left out; `needsKey` is true at the beginning of a gap, which only a key frame ends.
        case leftOut(needsKey: Bool)
    }

    private var needsKey = true
    /// The format of the last packet sent; nil before the first.
    private var format: PacketFormat?
    private(set) var sent = 0
    private(set) var leftOut = 0

    /// Waits for a key frame, as before the first packet.
    mutating func restart() { needsKey = true }

    /// Decides about a packet.
    ///
    /// - Parameters:
    ///   - packet: The packet.
    ///   - isFull: True when too many packets wait for the receiver.
    /// - Returns: The decision.
    mutating func judge(_ packet: Packet, isFull: Bool) -> Verdict {
        if isFull {
            leftOut += 1
            defer { needsKey = true }
            return .leftOut(needsKey: !needsKey)
        }
        if packet.isKey { needsKey = false }
        guard !needsKey else {
            leftOut += 1
            return .leftOut(needsKey: false)
        }
        sent += 1
        defer { format = packet.format }
        // Another encoder may use another format.
        return .sent(isNew: format?.isEqual(to: packet.format) != true)
    }
}
#endif
