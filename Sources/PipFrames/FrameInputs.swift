/// A camera's frame that a composed frame shows.
public struct FrameInput: Sendable, Hashable {
    /// The `id` of the source's node.
    public let source: NodeID
    /// The time of capture by `CLOCK_MONOTONIC`.
    public let timestamp: Timestamp
    /// The frame's number within its source, from 0; a camera's lost frames are counted, too.
    public let sequence: UInt64

    package init(source: NodeID, timestamp: Timestamp, sequence: UInt64) {
        self.source = source
        self.timestamp = timestamp
        self.sequence = sequence
    }
}

/// The frames of cameras that a composed frame shows.
///
/// A paused camera's frame is left out. Up to four inputs are stored without an allocation.
public struct FrameInputs: Sendable, Hashable, RandomAccessCollection {
    private var first: FrameInput?
    private var second: FrameInput?
    private var third: FrameInput?
    private var fourth: FrameInput?
    private var others: [FrameInput] = []

    package init() {}

    package mutating func append(_ input: FrameInput) {
        switch count {
        case 0: first = input
        case 1: second = input
        case 2: third = input
        case 3: fourth = input
        default: others.append(input)
        }
    }

    public var startIndex: Int { 0 }

    public var endIndex: Int {
        if fourth != nil { return 4 + others.count }
        if third != nil { return 3 }
        if second != nil { return 2 }
        return first == nil ? 0 : 1
    }

    /// The input at a position, from 0.
    public subscript(position: Int) -> FrameInput {
        let input =
            switch position {
            case 0: first
            case 1: second
            case 2: third
            case 3: fourth
            default: others[position - 4]
            }
        precondition(position >= 0 && position < count && input != nil, "index out of range")
        return unsafe input.unsafelyUnwrapped
    }

    /// The input of a camera; nil for other sources, and when the camera is paused or the composed frame does not show
    /// it.
    public subscript(source: NodeID) -> FrameInput? {
        if first?.source == source { return first }
        if second?.source == source { return second }
        if third?.source == source { return third }
        if fourth?.source == source { return fourth }
        return others.first { $0.source == source }
    }

    /// The time between the oldest and the newest capture; nil with fewer than two inputs.
    public var skew: Duration? {
        guard let first, second != nil else { return nil }
        var (oldest, newest) = (first.timestamp, first.timestamp)
        for input in self {
            (oldest, newest) = (Swift.min(oldest, input.timestamp), Swift.max(newest, input.timestamp))
        }
        return oldest.duration(to: newest)
    }

    /// The inputs that came from the given sources.
    package func of(_ sources: some Collection<NodeID>) -> FrameInputs {
        var inputs = FrameInputs()
        for input in self where sources.contains(input.source) { inputs.append(input) }
        return inputs
    }

    /// The newest time of capture; nil without inputs.
    package var newest: Timestamp? {
        guard let first else { return nil }
        var newest = first.timestamp
        for input in self { newest = Swift.max(newest, input.timestamp) }
        return newest
    }
}
