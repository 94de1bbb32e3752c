internal import PipEffects
package import PipFrames
package import PipGL
package import PipPlan

/// A plan with its GL objects.
///
/// Thread: render thread only.
package final class PreparedPlan {
    package let plan: RenderPlan
    /// The sources whose frames the plan draws.
    ///
    /// The caller gives their frames in this order.
    package let sources: [NodeID]
    private(set) var steps: [ScheduledStep]
    /// The memory of the passes that the CPU draws; nil for a plan that OpenGL ES draws.
    let rows: RowMemoryPlan?
    let outputs: [PreparedOutput]
    /// The plan's textures, by the indices that steps and outputs use.
    private let textures: [PlanTexture]
    /// The identities of the frames given for the preceding draw, in the order of `sources`; nil for a source without a
    /// frame.
    private var uploadedFrames: [UploadedFrame?]
    /// True, for each source, when its frame differs from the frame given for the preceding draw.
    private var hasChanged: [Bool]
    /// True until the plan has drawn a frame, and after a frame that an error has interrupted.
    var isFresh = true

    /// Makes the textures, programs and buffers of a plan.
    ///
    /// `framesInFlight`: The number of frames of each output that the renderer and the sinks may hold at a time.
    ///
    /// - Throws: ``GLError`` when a shader does not compile, or memory runs out.
    package init(
        _ plan: RenderPlan, framesInFlight: Int, renderer: Renderer, on gpu: isolated RenderContext
    ) throws(GLError) {
        self.plan = plan
        let sources = Array(plan.sources)
        self.sources = sources
        var objects = PlanObjects(sources: sources)
        rows =
            plan.executor == .cpu
            ? RowMemoryPlan(
                plan, sources: sources, threads: renderer.threads, history: renderer.rowHistory(for:)) : nil
        try objects.addTextures(of: plan, renderer, on: gpu)
        var steps: [ScheduledStep] = []
        let needs = zip(plan.stepSources, plan.stepOutputs)
        for (step, (needed, reached)) in zip(plan.steps, needs) {
            let prepared: PreparedStep?
            if let rows, let step = rows.prepare(step) {
                prepared = .rows(step)
            } else {
                prepared = try objects.prepare(step, renderer, on: gpu)
            }
            guard let prepared else { continue }
            let indices = needed.map { needed in sources.indices.filter { needed.contains(sources[$0]) } }
            steps.append(ScheduledStep(step: prepared, sources: indices, outputs: reached.map(Array.init)))
        }
        self.steps = steps
        var outputs: [PreparedOutput] = []
        for output in plan.outputs {
            guard let rows else {
                outputs.append(try objects.prepare(output, framesInFlight: framesInFlight, on: gpu))
                continue
            }
            let draws = PreparedDraws(
                planes: output.draws?.planes ?? [], steps: output.draws?.steps.compactMap(rows.prepare) ?? [],
                copies: output.readbacks)
            outputs.append(
                PreparedOutput(output, readbacks: [], draws: draws, sources: sources, framesInFlight: framesInFlight))
        }
        self.outputs = outputs
        textures = objects.textures
        uploadedFrames = Array(repeating: nil, count: sources.count)
        hasChanged = Array(repeating: true, count: sources.count)
    }

    /// Records the frames' identities, and which sources have new frames.
    private func recordNewFrames(_ frames: [Frame?]) {
        for (index, frame) in frames.enumerated() {
            let next = frame.map { UploadedFrame(identity: ObjectIdentifier($0.buffer), sequence: $0.info.sequence) }
            hasChanged[index] = next != uploadedFrames[index]
            uploadedFrames[index] = next
        }
    }

    /// Marks the outputs that are due, the steps that a due output needs, and the steps whose results are outdated.
    ///
    /// `isDue`: Takes an output's sinks, and returns true when they take the frame.
    func schedule(_ frames: [Frame?], _ isDue: ([NodeID]) -> Bool) {
        recordNewFrames(frames)
        for index in outputs.indices { outputs[index].isDue = isDue(outputs[index].sinks) }
        for index in steps.indices {
            if isFresh || (steps[index].sources?.contains { hasChanged[$0] } ?? true) { steps[index].isOutdated = true }
            steps[index].isNeeded = steps[index].outputs?.contains { outputs[$0].isDue } ?? true
        }
        isFresh = false
    }

    /// Records that a step's textures hold its result.
    func ran(_ index: Int) { steps[index].isOutdated = false }

    /// The pass with an index, from 0, among the passes that OpenGL ES runs; nil beyond the last one.
    func pass(_ index: Int) -> PreparedPass? {
        var count = 0
        for scheduled in steps {
            guard case .draw(let pass) = scheduled.step else { continue }
            if count == index { return pass }
            count += 1
        }
        return nil
    }
}

/// The textures, targets and histories that a plan's steps share, while the plan is prepared.
private struct PlanObjects {
    let sources: [NodeID]
    var textures: [PlanTexture] = []
    /// The histories of temporal filters, by texture.
    var histories: [Int: History] = [:]
    private var targets: [[Int]: RenderTarget] = [:]

    init(sources: [NodeID]) { self.sources = sources }

    /// Makes the textures that OpenGL ES reads or writes, and reuses the renderer's constant textures and histories.
    mutating func addTextures(
        of plan: RenderPlan, _ renderer: Renderer, on gpu: isolated RenderContext
    ) throws(GLError) {
        let isCPU = plan.executor == .cpu
        let shared = isCPU ? [] : Set(plan.uploads.filter(\.isShared).map(\.texture))
        let lent = plan.texturesOfPasses
        for (index, planned) in plan.textures.enumerated() {
            if isCPU && !lent.contains(index) {
                textures.append(.memory)
            } else if shared.contains(index) {
                textures.append(.shared(SharedPlane(planned, renderer.imports)))
            } else if let history = try renderer.history(for: planned, on: gpu) {
                histories[index] = history
                textures.append(.own(history.texture))
            } else {
                textures.append(.own(try renderer.texture(for: planned, on: gpu)))
            }
        }
    }

    mutating func target(_ indices: [Int], on gpu: isolated RenderContext) throws(GLError) -> RenderTarget {
        if let target = targets[indices] { return target }
        let target = try RenderTarget(indices.compactMap { textures[$0].texture }, on: gpu)
        targets[indices] = target
        return target
    }

    /// Makes a step's GL objects; nil for a step that OpenGL ES does not or cannot run.
    mutating func prepare(
        _ step: RenderPlan.Step, _ renderer: Renderer, on gpu: isolated RenderContext
    ) throws(GLError) -> PreparedStep? {
        switch step {
        case .upload(let upload):
            return sources.firstIndex(of: upload.source).map {
                .upload(PreparedUpload(upload, source: $0, texture: textures[upload.texture]))
            }
        case .clear(let clear):
            let color = SIMD4(clear.red, clear.green, clear.blue, clear.alpha)
            return .clear(try target([clear.texture], on: gpu), color)
        case .keep(let keep): return try prepare(keep, on: gpu).map { .keep($0) }
        case .draw(let pass):
            return .draw(try prepare(pass, try renderer.program(for: pass, on: gpu), on: gpu))
        case .transfer(let transfer):
            let indices = transfer.sources.compactMap { sources.firstIndex(of: $0) }
            guard indices.count == transfer.sources.count, let texture = textures[transfer.texture].texture else {
                return nil
            }
            let target = transfer.executor == .cpu ? try target([transfer.texture], on: gpu) : nil
            return .transfer(
                try PreparedTransfer(transfer, sources: indices, texture: texture, target: target, on: gpu))
        case .rows, .tabulate: return nil
        }
    }

    mutating func prepare(
        _ pass: Pass, _ program: Program, on gpu: isolated RenderContext
    ) throws(GLError) -> PreparedPass {
        let place: PreparedPass.Place
        if let groups = pass.groups, let result = pass.targets.first.flatMap({ textures[$0].texture }) {
            place = .result(result, groups: groups)
        } else {
            place = .target(try target(pass.targets, on: gpu))
        }
        return PreparedPass(
            pass, program: program, place: place,
            inputs: PreparedPass.Inputs(
                textures: textures, sources: pass.sources.compactMap { sources.firstIndex(of: $0) },
                history: pass.history.flatMap { histories[$0.texture] }), on: gpu)
    }

    mutating func prepare(_ keep: Keep, on gpu: isolated RenderContext) throws(GLError) -> PreparedKeep? {
        guard let history = histories[keep.history] else { return nil }
        return PreparedKeep(
            from: try target([keep.texture], on: gpu), history: history,
            sources: keep.sources.compactMap { sources.firstIndex(of: $0) })
    }

    mutating func prepare(
        _ output: PlannedOutput, framesInFlight: Int, on gpu: isolated RenderContext
    ) throws(GLError) -> PreparedOutput {
        var readbacks: [PreparedReadback] = []
        for readback in output.readbacks {
            let target = try target([readback.texture], on: gpu)
            readbacks.append(PreparedReadback(readback, target: target, format: target.textures[0].format))
        }
        return PreparedOutput(
            output, readbacks: readbacks, draws: nil, sources: sources, framesInFlight: framesInFlight)
    }
}

/// The identity of a frame: its buffer and its sequence number.
struct UploadedFrame: Equatable {
    /// The identity of the frame's buffer.
    ///
    /// The buffer is not retained, so that the source can reuse it.
    let identity: ObjectIdentifier
    let sequence: UInt64
}

/// A step, with the state that decides whether the step runs.
struct ScheduledStep {
    let step: PreparedStep
    /// The indices of the sources whose frames the step depends on; nil for a step that is outdated at every frame.
    let sources: [Int]?
    /// The indices of the outputs that show the step's result; nil for a step that is needed at every frame.
    let outputs: [Int]?
    /// True when the step's textures do not hold its result.
    var isOutdated = true
    /// True when a due output needs the step's result.
    var isNeeded = true
}

/// A step of a plan with its GL objects.
enum PreparedStep {
    case upload(PreparedUpload)
    case clear(RenderTarget, SIMD4<Float>)
    case draw(PreparedPass)
    case keep(PreparedKeep)
    case rows(RowStep)
    case transfer(PreparedTransfer)
}

extension RenderPlan {
    /// The textures that OpenGL ES passes read or write.
    fileprivate var texturesOfPasses: Set<TextureIndex> {
        Set(passes.flatMap { $0.targets + $0.inputs.map(\.texture) })
    }
}

/// The GL objects of an upload, which copies a plane into a texture or imports the plane as a texture.
struct PreparedUpload {
    let source: Int
    let plane: Int
    let texture: PlanTexture
    let region: PixelRect
    /// The number of bytes from the beginning of a row to the region's first texel.
    let columnOffset: Int

    init(_ upload: Upload, source: Int, texture: PlanTexture) {
        self.source = source
        plane = upload.plane
        self.texture = texture
        region = upload.region
        columnOffset = upload.region.x * upload.bytesPerTexel
    }

    /// True when passes read the camera's memory in place.
    var isImported: Bool { if case .shared(let plane) = texture { plane.isImported } else { false } }

    func run(
        _ frame: Frame, on gpu: isolated RenderContext, newTexture: (PlannedTexture) throws(GLError) -> Texture
    ) throws(GLError) {
        let target: Texture?
        switch texture {
        case .memory: target = nil
        case .own(let texture): target = texture
        case .shared(let shared):
            target = try shared.take(frame, plane: plane, region: region, on: gpu, newTexture: newTexture)
        }
        if let target { copy(frame, to: target, on: gpu) }
    }

    private func copy(_ frame: Frame, to texture: Texture, on gpu: isolated RenderContext) {
        guard plane < frame.layout.planes.count, let start = unsafe frame.unsafePlane(plane) else { return }
        let stride = frame.layout.planes[plane].strideInBytes
        let target = PixelRect(x: 0, y: 0, width: region.width, height: region.height)
        unsafe texture.upload(
            from: start + region.y * stride + columnOffset, strideInBytes: stride, region: target, on: gpu)
    }
}
