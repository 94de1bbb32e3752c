internal import PipEffects
package import PipFrames
package import PipGL
package import PipPixels
package import PipPlan

/// Executes plans: uploads, draws and reads back, and decides nothing.
///
/// Not `Sendable`: it lives on its context's thread.
package final class Renderer {
    private let programs: ProgramCache
    private let textures: TexturePool
    /// The state of temporal filters; it lives as long as a plan that uses it.
    private var histories: [HistoryKey: WeakHistory] = [:]
    /// The same of filters that the CPU draws.
    private var rowHistories: [HistoryKey: WeakRowHistory] = [:]
    /// Textures of constant contents that the plan in use reads, so that the next one need not make them again.
    private var constants: [ConstantTexture: Texture] = [:]
    private var drawnKinds: Set<PreparedPass.Kind> = []
    private var current: PreparedPlan?
    /// The threads that draw with the renderer's where the CPU draws; nil for none.
    package var threads: RowThreads? { didSet { current?.rows?.threads = threads } }
    /// Cameras' memory as textures.
    let imports = ImportedPlanes()
    /// Frames whose memory passes have read since the last mark that says when they are done.
    private var lent: [Frame] = []
    /// Frames that the GPU still works on, oldest first.
    private var inFlight: [InFlight] = []

    private struct InFlight {
        let output: PreparedOutput
        let slot: OutputSlot
    }

    /// A renderer with nothing to draw yet.
    package init(programCache: ProgramCache = ProgramCache(), textures: TexturePool = TexturePool()) {
        programs = programCache
        self.textures = textures
        inFlight.reserveCapacity(16)
        lent.reserveCapacity(16)
    }

    /// The result of a tick.
    package struct Tick: Sendable {
        /// Frames that were drawn and will be delivered.
        package var drawn = 0
        /// Frames that were left out because the sinks hold all memory.
        package var skipped = 0
        /// Outputs that have nothing to show yet.
        package var waiting = 0
        /// Planes that were read where their camera wrote them.
        package var sharedPlanes = 0
        /// Steps that were run; others had left the same in their textures before.
        package var steps = 0
    }

    /// Makes a plan ready to draw; what is drawn stays as it is until ``use(_:)``.
    ///
    /// - Throws: ``GLError`` when a shader does not compile or memory is out.
    package func prepare(
        _ plan: RenderPlan, framesInFlight: Int, on gpu: isolated RenderContext
    ) throws(GLError) -> PreparedPlan {
        try PreparedPlan(plan, framesInFlight: framesInFlight, renderer: self, on: gpu)
    }

    /// Compiles a pass's program, for a plan that will be prepared.
    ///
    /// - Throws: ``GLError`` when the shader does not compile.
    package func compile(_ pass: Pass, on gpu: isolated RenderContext) throws(GLError) {
        _ = try program(for: pass, on: gpu)
    }

    /// Draws one pass of a plan, whatever its textures hold: drivers compile a program to the end when it is first
    /// drawn with.
    ///
    /// Does nothing when such a pass was drawn before. `index`: Counts the passes from 0.
    package func warmUp(_ plan: PreparedPlan, _ index: Int, on gpu: isolated RenderContext) {
        guard let pass = plan.pass(index), drawnKinds.insert(pass.kind).inserted else { return }
        pass.run(at: .zero, on: gpu)
    }

    /// Draws with a plan from the next frame on.
    ///
    /// Frames in flight are still delivered.
    package func use(_ plan: PreparedPlan) {
        current = plan
        plan.rows?.threads = threads
        let used = Set(plan.plan.textures.compactMap(\.contents))
        constants = constants.filter { used.contains($0.key) }
        imports.forgetLost()
    }

    /// Draws one frame of every output that is due, and runs no step that only others need.
    ///
    /// `frames`: The newest frame of each of the plan's sources, in their order; nil for one that has none.
    /// `time`: Of the output, for effects that come and go.
    /// `isDue`: True for an output, given as its sinks, that gets this frame.
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
            // A frame cut short leaves the plan's state undefined.
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
            // The GPU works meanwhile.
            slot.blit(output, from: frames)
            if let rows = current.rows { slot.draw(output, rows, from: frames, at: time) }
            tick.drawn += 1
        }
        limitLending(on: gpu)
        return tick
    }

    /// Keeps cameras from running out of buffers while nothing is read back.
    private func limitLending(on gpu: isolated RenderContext) {
        guard lent.count > 4 else { return }
        gpu.finish()
        lent.removeAll(keepingCapacity: true)
    }

    /// Takes the error for which cameras' memory is copied rather than imported, once.
    package func takeSharingRefusal() -> GLError? { imports.takeNews() }

    /// Runs the steps whose results are not in the textures yet.
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
                // A frame may lie elsewhere, whatever it shows.
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

    /// Hands over frames that the GPU is done with, oldest first.
    ///
    /// `timeout`: How long to wait for each.
    /// `remaining`: How many frames may stay in flight.
    /// `inputs`: The frames of live sources at the moment with a sequence number.
    /// `deliver`: Takes the sinks that the frame is for, and the frame, with those of the inputs that it shows.
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

    /// True when every output has memory for one more frame.
    package var hasRoom: Bool { current?.outputs.allSatisfy(\.hasRoom) ?? true }

    /// True when no frames are in flight.
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

    /// A filter's state, if it has the same size; nil for other textures.
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

    /// The memory of a filter that the CPU draws, if it has the same size; nil for other textures.
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
