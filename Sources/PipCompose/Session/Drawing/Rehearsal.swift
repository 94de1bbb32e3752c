internal import PipPlan
internal import PipRender

/// Compiles and warms up plans before they are due: compiling takes longer than a frame may.
struct Rehearsal {
    /// The number of plans of a motion that are rehearsed.
    ///
    /// The others differ from them in numbers only.
    private static let count = 8

    let loop: RenderLoop
    let gpu: RenderContext
    let framesInFlight: Int

    /// Makes plans ready.
    ///
    /// A plan that fails is left out: the error is reported when the plan is installed.
    func run(_ plans: Set<RenderPlan>) async {
        for plan in plans { try? await loop.makeReady(plan, framesInFlight: framesInFlight, on: gpu) }
    }

    /// Makes some frames of a motion ready: another place of a layer may take another program.
    func run(_ motions: MotionSchedule, _ facts: PlanningState) async {
        let loop = loop
        let player = await gpu.perform { _ in loop.player(motions, facts) }
        await run(player.rehearsal(Self.count))
    }
}
