internal import PipPlan
internal import PipRender

/// Compiles and warms up plans before they are due, because compiling takes longer than a frame interval.
struct Rehearsal {
    /// The number of a motion's plans that are compiled in advance.
    ///
    /// Most of the other plans differ from these only in uniforms.
    private static let count = 8

    let loop: RenderLoop
    let gpu: RenderContext
    let framesInFlight: Int

    /// Compiles and warms up plans.
    ///
    /// A plan that fails is skipped here: its error is reported when the plan is installed.
    func run(_ plans: Set<RenderPlan>) async {
        for plan in plans { try? await loop.makeReady(plan, framesInFlight: framesInFlight, on: gpu) }
    }

    /// Compiles and warms up some plans of a motion, because a layer at another place may need another program.
    func run(_ motions: MotionSchedule, _ facts: PlanningState) async {
        let loop = loop
        let player = await gpu.perform { _ in loop.player(motions, facts) }
        await run(player.rehearsal(Self.count))
    }
}
