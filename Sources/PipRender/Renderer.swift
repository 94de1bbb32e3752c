internal import PipEffects
package import PipFrames
package import PipGL
package import PipPixels
package import PipPlan

/// Executes plans: uploads, draws and reads back.
///
/// Thread: render thread only.
package final class Renderer {
    private let programs: ProgramCache
    private let textures: TexturePool
    /// The kept results of temporal filters, each retained by the plans that use it.
    private var histories: [HistoryKey: WeakHistory] = [:]
    /// The kept results of temporal filters that the CPU draws.
    private var rowHistories: [HistoryKey: WeakRowHistory] = [:]
    /// The constant textures of the plan in use, and of plans prepared since then, which later plans can reuse.
    private var constants: [ConstantTexture: Texture] = [:]
    private var drawnKinds: Set<PreparedPass.Kind> = []
    private var current: PreparedPlan?
    /// The threads that draw beside the render thread; nil for none.
    package var threads: RowThreads? { didSet { current?.rows?.threads = threads } }
    /// The cameras' buffers that were imported as textures.
    let imports = ImportedPlanes()
    /// The camera frames whose imported memory the GPU may still be reading: the frames that passes have used since the
    /// last fence.
    private var lent: [Frame] = []
    /// The frames that were drawn but not collected yet, oldest first.
    private var inFlight: [InFlight] = []

    private struct InFlight {
        let output: PreparedOutput
        let slot: OutputSlot
    }

    /// Creates a renderer without a plan.
    package init(programCache: ProgramCache = ProgramCache(), textures: TexturePool = TexturePool()) {
        programs = programCache
        self.textures = textures
        inFlight.reserveCapacity(16)
        lent.reserveCapacity(16)
    }

    /// The counters of one call of ``draw(_:timestamp:sequence:time:isDue:on:)``.
    package struct Tick: Sendable {
        /// The number of frames that were drawn and will be delivered.
        package var drawn = 0
        /// The number of frames that were skipped, because the GPU or the sinks hold the memory of all frames.
        package var skipped = 0
        /// The number of outputs that were not drawn, because the source that covers the whole picture has no frame.
        package var waiting = 0
        /// The number of planes that passes read in the cameras' memory.
        package var sharedPlanes = 0
        /// The number of steps that ran, or would have run if all their sources had frames.
        ///
        /// The textures of the other steps held their results already, or no due output needed them.
        package var steps = 0
    }

    /// Makes the GL objects of a plan.
    ///
    /// The plan in use stays in use until ``use(_:)``.
    ///
    /// - Throws: ``GLError`` when a shader does not compile, or memory runs out.
    package func prepare(
        _ plan: RenderPlan, framesInFlight: Int, on gpu: isolated RenderContext
    ) throws(GLError) -> PreparedPlan {
        try PreparedPlan(plan, framesInFlight: framesInFlight, renderer: self, on: gpu)
    }

    /// Compiles a pass's shader ahead of ``prepare(_:framesInFlight:on:)``.
    ///
    /// - Throws: ``GLError`` when the shader does not compile.
    package func compile(_ pass: Pass, on gpu: isolated RenderContext) throws(GLError) {
        _ = try program(for: pass, on: gpu)
    }

    /// Draws one pass of a plan ahead of the first frame, because drivers finish compiling a program at its first draw.
    ///
    /// Does nothing for a kind of pass that was warmed up before, or beyond the last pass. `index`: The pass's index,
    /// from 0.
    package func warmUp(_ plan: PreparedPlan, _ index: Int, on gpu: isolated RenderContext) {
        guard let pass = plan.pass(index), drawnKinds.insert(pass.kind).inserted else { return }
        pass.run(at: .zero, on: gpu)
    }

    /// Makes ``draw(_:timestamp:sequence:time:isDue:on:)`` draw a plan from the next frame on.
    ///
    /// Frames in flight are still delivered.
    package func use(_ plan: PreparedPlan) {
        current = plan
        plan.rows?.threads = threads
        let used = Set(plan.plan.textures.compactMap(\.contents))
        constants = constants.filter { used.contains($0.key) }
        imports.releaseLost()
    }

    /// Draws one frame of every output that is due; steps that no due output needs do not run.
    ///
    /// `frames`: The newest frame of each of ``PreparedPlan/sources``, in their order; nil for a source without a
    /// frame. `time`: The output's time, for effects that change with time. `isDue`: Takes an output's sinks, and
    /// returns true when they take this frame.
    package func draw(
        _ frames: [Frame?], timestamp: Timestamp, sequence: UInt64, time: Duration = .zero,
        isDue: ([NodeID]) -> Bool = { _ in true }, on gpu: isolated RenderContext
    ) throws(GLError) -> Tick {
        var tick = Tick()
        guard let current else { return tick }
        current.schedule(frames, isDue)
        do throws(GLError) {
            try run(current, frames, at: time, &tick, on: gpu)
        } catch {
            // An interrupted frame leaves textures in an unknown state, so all steps must run again.
            current.isFresh = true
            throw error
        }
        for output in current.outputs where output.isDue {
            if let base = output.base, frames[base] == nil {
                tick.waiting += 1
                continue
            }
            guard let slot = try output.nextSlot(on: gpu) else {
                tick.skipped += 1
                continue
            }
            try slot.read(output, timestamp: timestamp, sequence: sequence, on: gpu)
            slot.hold(&lent)
            inFlight.append(InFlight(output: output, slot: slot))
            // The CPU copies and draws while the GPU works.
            slot.blit(output, from: frames)
            if let rows = current.rows { slot.draw(output, rows, from: frames, at: time) }
            tick.drawn += 1
        }
        limitLending(on: gpu)
        return tick
    }

    /// Releases the cameras' frames, after waiting for the GPU, when too many frames are held without a fence.
    ///
    /// Cameras might otherwise run out of buffers while nothing is read back.
    private func limitLending(on gpu: isolated RenderContext) {
        guard lent.count > 4 else { return }
        gpu.finish()
        lent.removeAll(keepingCapacity: true)
    }

    /// Returns, once, the error because of which cameras' memory is copied instead of imported; nil when there is no
    /// new error.
    package func takeSharingRefusal() -> GLError? { imports.takeRefusal() }

    /// Runs the steps that a due output needs, and whose results are outdated.
    private func run(
        _ plan: PreparedPlan, _ frames: [Frame?], at time: Duration, _ tick: inout Tick, on gpu: isolated RenderContext
    ) throws(GLError) {
        for index in plan.steps.indices where plan.steps[index].isNeeded {
            let scheduled = plan.steps[index]
            if case .upload(let upload) = scheduled.step, let frame = frames[upload.source] {
                if scheduled.isOutdated {
                    try upload.run(frame, on: gpu) { (planned) throws(GLError) in try texture(for: planned, on: gpu) }
                }
                if upload.isImported {
                    tick.sharedPlanes += 1
                    if lent.last?.buffer !== frame.buffer { lent.append(frame) }
                }
            }
            if case .rows(.bind) = scheduled.step {
                // The CPU binds a plane at every frame, whether the picture has changed or not.
            } else if !scheduled.isOutdated {
                continue
            }
            plan.ran(index)
            tick.steps += 1
            switch scheduled.step {
            case .upload: break
            case .rows(let step): plan.rows?.run(step, frames, at: time)
            case .clear(let target, let color): target.clear(to: color, on: gpu)
            case .keep(let keep):
                if keep.sources.allSatisfy({ frames[$0] != nil }) { keep.run(on: gpu) }
            case .transfer(let transfer):
                if let rows = plan.rows, transfer.sources.allSatisfy({ frames[$0] != nil }) {
                    try transfer.run(rows.memory, on: gpu)
                }
            case .draw(let pass):
                if pass.sources.allSatisfy({ frames[$0] != nil }) { pass.run(at: time, on: gpu) }
            }
        }
    }

    /// Delivers the frames that the GPU has finished, oldest first.
    ///
    /// `timeout`: The longest wait for each frame. `remaining`: The number of frames that may stay in flight. `inputs`:
    /// Returns the frames of live sources that the output frames with a sequence number may show. `deliver`: Takes the
    /// frame's sinks, and the frame with its inputs.
    package func collect(
        timeout: Duration, remaining: Int = 0, inputs: (UInt64) -> FrameInputs = { _ in FrameInputs() },
        on gpu: isolated RenderContext, _ deliver: ([NodeID], Frame) -> Void
    ) throws(GLError) {
        while inFlight.count > remaining, let first = inFlight.first {
            guard let frame = try first.slot.finish(first.output, timeout: timeout, on: gpu) else { return }
            inFlight.removeFirst()
            var info = frame.info
            info.inputs = inputs(info.sequence).of(first.output.sources)
            deliver(first.output.sinks, Frame(info: info, buffer: frame.buffer))
        }
    }

    /// True when every output has free memory for another frame, or may allocate it; true without a plan, too.
    package var hasRoom: Bool { current?.outputs.allSatisfy(\.hasRoom) ?? true }

    /// True when no frame waits for the GPU or for ``collect(timeout:remaining:inputs:on:_:)``.
    package var isIdle: Bool { inFlight.isEmpty }

    // MARK: Objects for plans

    func texture(for planned: PlannedTexture, on gpu: isolated RenderContext) throws(GLError) -> Texture {
        if let contents = planned.contents, let texture = constants[contents] { return texture }
        let texture = try textures.take(size: planned.size, format: TextureFormat(planned.format), on: gpu)
        if let contents = planned.contents, let bytes = contents.texels {
            let stride = planned.size.width * planned.format.bytesPerTexel
            unsafe bytes.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress else { return }
                unsafe texture.upload(from: start, strideInBytes: stride, region: planned.size.bounds, on: gpu)
            }
            constants[contents] = texture
        }
        return texture
    }

    /// Returns a filter's kept result, or an empty history when there is none of the texture's size and format; nil for
    /// other textures.
    func history(for planned: PlannedTexture, on gpu: isolated RenderContext) throws(GLError) -> History? {
        guard let key = planned.history else { return nil }
        let format = TextureFormat(planned.format)
        if let history = histories[key]?.history, history.texture.size == planned.size,
            history.texture.format == format
        {
            return history
        }
        let texture = try textures.take(size: planned.size, format: format, on: gpu)
        let history = History(try RenderTarget([texture], on: gpu))
        histories = histories.filter { $0.value.history != nil }
        histories[key] = WeakHistory(history: history)
        return history
    }

    /// Returns the kept result of a filter that the CPU draws, or an empty history when there is none of the texture's
    /// size; nil for other textures.
    func rowHistory(for planned: PlannedTexture) -> RowHistory? {
        guard let key = planned.history else { return nil }
        if let history = rowHistories[key]?.history, history.size == planned.size { return history }
        let history = RowHistory(planned)
        rowHistories = rowHistories.filter { $0.value.history != nil }
        rowHistories[key] = WeakRowHistory(history: history)
        return history
    }

    func program(for pass: Pass, on gpu: isolated RenderContext) throws(GLError) -> Program {
        let chunks = pass.program.parts.map { ShaderChunk(name: $0.name, text: $0.text) }
        if pass.groups != nil { return try programs.program(label: pass.label, compute: chunks, on: gpu) }
        return try programs.program(label: pass.label, vertex: [VertexlessQuad.chunk], fragment: chunks, on: gpu)
    }
}

extension TextureFormat {
    init(_ format: TexelFormat) {
        switch format {
        case .r8: self = .r8
        case .rg8: self = .rg8
        case .rgb8: self = .rgb8
        case .rgba8: self = .rgba8
        case .rg32f: self = .rg32f
        case .rgba16f: self = .rgba16f
        case .rgba32f: self = .rgba32f
        }
    }
}
