/// The reason for which a frame was dropped; every dropped frame is counted under exactly one reason.
public enum DropReason: String, Sendable, CaseIterable, Hashable {
    /// A newer frame replaced the frame before it was used, no buffer or no room in a queue was free for the frame, or
    /// its camera was restarted or replaced.
    case late
    /// The driver's sequence numbers have a gap, for example because the driver had no free buffer.
    case sequenceGap = "sequence-gap"
    /// The driver marked the frame as corrupted, or its data could not be decoded.
    case corrupted
    /// The frame had fewer bytes than its format needs.
    case short
    /// The frame was left out on purpose, because fewer frames are shown or requested than the source has.
    case decimated
    /// The frame arrived while its camera was paused or being switched off, or while its output was unavailable or had
    /// ended.
    case disabled
    /// The frame's timestamp or sequence number jumped in a way that the stream does not explain.
    ///
    /// No frame is dropped for this reason at present.
    case discontinuity
}

/// The number of dropped frames, by reason.
public struct DropCounts: Hashable, Sendable {
    private var counts: InlineArray<7, Int> = InlineArray(repeating: 0)

    /// Creates counts of zero.
    public init() {}

    /// The number of frames dropped for a reason.
    public subscript(reason: DropReason) -> Int {
        get { counts[Self.index(of: reason)] }
        set { counts[Self.index(of: reason)] = newValue }
    }

    /// The number of frames dropped for any reason.
    public var total: Int {
        var sum = 0
        for index in counts.indices { sum += counts[index] }
        return sum
    }

    private static func index(of reason: DropReason) -> Int {
        switch reason {
        case .late: 0
        case .sequenceGap: 1
        case .corrupted: 2
        case .short: 3
        case .decimated: 4
        case .disabled: 5
        case .discontinuity: 6
        }
    }

    public static func == (left: DropCounts, right: DropCounts) -> Bool {
        DropReason.allCases.allSatisfy { left[$0] == right[$0] }
    }

    public func hash(into hasher: inout Hasher) {
        for reason in DropReason.allCases { hasher.combine(self[reason]) }
    }
}
