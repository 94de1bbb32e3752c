internal import PipEffects
internal import PipFrames
internal import PipPixels
internal import PipPlan

/// The memory in which a temporal filter that the CPU draws keeps its result for the next frame.
///
/// Thread: render thread only.
final class RowHistory {
    let memory: PictureMemory
    let size: PixelSize
    /// True once the memory holds a frame's result.
    var isFilled = false

    /// Creates an empty history for a texture.
    init(_ planned: PlannedTexture) {
        size = planned.size
        memory = PictureMemory(size: planned.size, format: planned.format)
    }
}

struct WeakRowHistory {
    weak var history: RowHistory?
}

/// The memory in which the CPU draws a plan.
///
/// Thread: render thread only.
final class RowMemoryPlan {
    let sources: [NodeID]
    let textures: [PlannedTexture]
    var memory: PlaneMemory
    /// The threads that draw beside the render thread; nil for none.
    var threads: RowThreads?
    private var pictures: [PictureMemory] = []
    private var histories: [Int: RowHistory] = [:]

    /// Allocates a plan's textures, except those in the memory of sources' frames and outputs.
    ///
    /// - Parameters:
    ///   - plan: The plan.
    ///   - sources: The plan's sources, in the order of their frames.
    ///   - threads: The threads that will draw beside the render thread; nil for none.
    ///   - history: Returns the memory in which a filter keeps its result; nil for other textures.
    init(_ plan: RenderPlan, sources: [NodeID], threads: RowThreads?, history: (PlannedTexture) -> RowHistory?) {
        self.sources = sources
        self.threads = threads
        textures = plan.textures
        memory = PlaneMemory(count: plan.textures.count)
        let lent = Set(plan.uploads.map(\.texture) + plan.outputs.flatMap { $0.draws?.planes ?? [] })
        for (index, planned) in plan.textures.enumerated() where !lent.contains(index) {
            if let history = history(planned) {
                histories[index] = history
                memory[index] = history.memory.plane
            } else {
                let picture = PictureMemory(size: planned.size, format: planned.format)
                pictures.append(picture)
                memory[index] = picture.plane
            }
        }
    }

    /// Prepares a step for the CPU; nil for a step that the CPU does not or cannot run.
    func prepare(_ step: RenderPlan.Step) -> RowStep? {
        switch step {
        case .upload(let upload):
            return sources.firstIndex(of: upload.source).map {
                .bind(source: $0, plane: upload.plane, texture: upload.texture)
            }
        case .clear(let clear): return .fill(clear)
        case .rows(let pass):
            let indices = pass.sources.compactMap { sources.firstIndex(of: $0) }
            guard indices.count == pass.sources.count else { return nil }
            let program = RowProgram(pass, textures: textures) { [weak self] texture in
                self?.histories[texture]?.isFilled ?? false
            }
            program.prepare(for: threads)
            return .draw(program, sources: indices)
        case .keep(let keep):
            guard let history = histories[keep.history] else { return nil }
            return .keep(
                texture: keep.texture, history, sources: keep.sources.compactMap { sources.firstIndex(of: $0) })
        case .tabulate(let pass):
            let indices = pass.picture.sources.compactMap { sources.firstIndex(of: $0) }
            guard indices.count == pass.picture.sources.count, let program = TableProgram(pass, textures: textures)
            else { return nil }
            return .tabulate(program, sources: indices)
        case .draw, .transfer: return nil
        }
    }

    /// Runs a step, with the newest frame of each source.
    ///
    /// A step that draws, counts or keeps is skipped while one of its sources has no frame.
    func run(_ step: RowStep, _ frames: [Frame?], at time: Duration) {
        switch step {
        case .bind(let source, let plane, let texture):
            memory[texture] = frames[source].flatMap { PixelPlane(of: $0, plane: plane) }
        case .fill(let clear): fill(clear)
        case .draw(let program, let sources):
            if sources.allSatisfy({ frames[$0] != nil }) { program.run(memory, at: time, with: threads) }
        case .tabulate(let program, let sources):
            if sources.allSatisfy({ frames[$0] != nil }) { program.run(memory) }
        case .keep(let texture, let history, let sources):
            guard sources.allSatisfy({ frames[$0] != nil }), let plane = memory[texture] else { return }
            let planned = textures[texture]
            plane.copy(
                to: history.memory.plane, rowBytes: planned.size.width * planned.format.bytesPerTexel,
                rows: planned.size.height)
            history.isFilled = true
        }
    }

    /// Fills a texture with one value.
    func fill(_ clear: Clear) {
        let planned = textures[clear.texture]
        let parts = [clear.red, clear.green, clear.blue, clear.alpha]
        memory[clear.texture]?.fill(with: parts, size: planned.size, format: planned.format)
    }
}

/// A prepared step that the CPU runs.
enum RowStep {
    /// Makes passes read a plane of a source's frame in place.
    case bind(source: Int, plane: Int, texture: RenderPlan.TextureIndex)
    case fill(Clear)
    case draw(RowProgram, sources: [Int])
    case tabulate(TableProgram, sources: [Int])
    case keep(texture: RenderPlan.TextureIndex, RowHistory, sources: [Int])
}

/// The steps in which the CPU draws into an output's frames.
struct PreparedDraws {
    let planes: [RenderPlan.TextureIndex]
    let steps: [RowStep]
    /// The parts of intermediate pictures that are copied into the frames.
    let copies: [Readback]

    /// Runs the steps, and draws into the frame in `buffer`.
    func run(
        _ plan: RowMemoryPlan, _ frames: [Frame?], into buffer: FrameBuffer, _ layout: FrameLayout, at time: Duration
    ) {
        for (plane, texture) in planes.enumerated() {
            plan.memory[texture] = PixelPlane(of: buffer, layout, plane: plane)
        }
        for step in steps { plan.run(step, frames, at: time) }
        for copy in copies {
            guard let from = plan.memory[copy.texture], let to = PixelPlane(of: buffer, layout, plane: copy.plane)
            else {
                continue
            }
            from.copy(copy, to: to)
        }
        for texture in planes { plan.memory[texture] = nil }
    }
}
