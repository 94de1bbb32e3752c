internal import PipPlan
internal import PipRender

/// Compiles and warms up what plans are drawn with before they are due: compiling takes longer than a frame may.
struct Rehearsal {
    /// The plans of a motion that are rehearsed: more differ in numbers only.
    private static let count = 8

    let loop: RenderLoop
    let gpu: RenderContext
    let framesInFlight: Int

    /// Makes plans ready once.
    func run(_ plans: Set<RenderPlan>) async {
        for plan in plans { try? await loop.makeReady(plan, framesInFlight: framesInFlight, on: gpu) }
    }

    /// Makes frames of a motion ready: another place of a layer may take another program.
    func run(_ score: MotionScore, _ state: PlanningState) async {
        let loop = loop
        let player = await gpu.perform { _ in loop.player(score, state) }
        await run(player.rehearsal(Self.count))
    }
}
