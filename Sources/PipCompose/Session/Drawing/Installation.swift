/// Everything that a render loop draws with besides the prepared plan: it is exchanged as a whole between two ticks.
struct Installation: Sendable {
    /// The open sources, keyed by node.
    ///
    /// Includes sources that the plan does not draw.
    let feeds: [NodeID: SourceFeed]
    /// The open outputs, keyed by node.
    let receivers: [NodeID: any FrameReceiver]
    /// The facts that the plan was made from.
    let facts: PlanningState
    /// The motions to play.
    ///
    /// Empty while no layer moves.
    let motions: MotionSchedule

    /// The source that cameras are paired with.
    var main: SourceFeed? { facts.main.flatMap { feeds[$0] } }

    /// The gates of the outputs that take fewer frames than are made, keyed by node.
    func gates(of rate: FrameRate) -> [NodeID: OutputGate] {
        facts.graph.outputRates.compactMapValues { OutputGate($0, of: rate) }
    }
}
