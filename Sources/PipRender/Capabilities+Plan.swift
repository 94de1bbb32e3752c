internal import PipGL
internal import PipPixels
package import PipPlan

extension Capabilities? {
    /// The capabilities that influence plans: of OpenGL ES and the CPU when a context is open, else of the CPU alone.
    package var plan: PlanCapabilities {
        var plan = PlanCapabilities()
        plan.rows = .available
        guard let self else {
            plan.executors = [.cpu]
            plan.renderer = .software
            // The CPU draws with 32-bit floats.
            plan.hasHalfFloatTargets = false
            return plan
        }
        plan.maxTextureSize = min(self.maxTextureSize, min(self.maxViewportWidth, self.maxViewportHeight))
        plan.hasDualSourceBlending = self.hasDualSourceBlending
        plan.hasFloatTargets = self.hasFloatTargets
        plan.hasHalfFloatTargets = self.hasHalfFloatTargets
        plan.hasBufferImport = self.hasDMABufImport
        plan.renderer = self.isSoftware ? .software : .gpu
        return plan
    }
}
