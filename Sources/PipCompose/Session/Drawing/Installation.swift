/// The sources, outputs and motions that a render loop draws with, besides the plan.
///
/// The loop replaces all of these objects together, between two ticks.
struct Installation: Sendable {
    /// The open sources, keyed by node.
    ///
    /// Includes sources that the plan does not draw.
    let feeds: [NodeID: SourceFeed]
    /// The open outputs, keyed by node.
    let receivers: [NodeID: any FrameReceiver]
    /// The facts that the plan was made from.
    let facts: PlanningState
    /// The motions to play; empty while no layer moves or has keyframes.
    let motions: MotionSchedule

    /// The source whose rate decides which cameras are paired; nil when it is not open.
    var main: SourceFeed? { facts.main.flatMap { feeds[$0] } }

    /// The gates of the outputs whose rate is lower than `rate`, keyed by node.
    func gates(of rate: FrameRate) -> [NodeID: OutputGate] {
        facts.graph.outputRates.compactMapValues { OutputGate($0, of: rate) }
    }
}
