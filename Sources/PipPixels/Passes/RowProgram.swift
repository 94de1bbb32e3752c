internal import CPixels
internal import PipConcurrency
internal import PipEffects
package import PipFrames
internal import PipGraph
package import PipPlan

/// A pass that the CPU draws, with its tables and memory.
///
/// Draws rectangles row by row: a head produces pixels, operations change the pixels, and a target writes them. Several
/// threads may draw rectangles, or bands of a rectangle's rows, at the same time.
///
/// Thread: the renderer's thread.
package final class RowProgram {
    private let pass: RowPass
    private let textures: [PlannedTexture]
    private let isFilled: (RenderPlan.TextureIndex) -> Bool
    /// The strips, and the number of threads for which they were made; nil before ``prepare(for:)`` or the first frame.
    private var made: (threads: Int, strips: RowStrips)?
    /// The sources whose frames the pass needs.
    package var sources: [NodeID] { pass.sources }

    /// - Parameters:
    ///   - pass: The pass to draw.
    ///   - textures: The textures of the plan.
    ///   - isFilled: Returns true when an earlier frame has filled a texture that keeps a filter's results. Called on
    ///     every thread that draws.
    package init(
        _ pass: RowPass, textures: [PlannedTexture], isFilled: @escaping (RenderPlan.TextureIndex) -> Bool
    ) {
        self.pass = pass
        self.textures = textures
        self.isFilled = isFilled
    }

    /// True when all of the pass's pixels are made as planes, without rows of floats; false before ``prepare(for:)``.
    package var makesPlanes: Bool { made?.strips.makePlanes ?? false }

    /// Allocates memory before the first frame.
    ///
    /// - Parameter threads: The threads that draw beside the caller's; nil for none.
    package func prepare(for threads: RowThreads?) { _ = strips(for: threads) }

    /// Draws a frame.
    ///
    /// - Parameters:
    ///   - memory: The planes that the pass reads and writes.
    ///   - time: The output's time, for effects that change with time.
    ///   - threads: The threads that draw beside the caller's; nil for none.
    package func run(_ memory: PlaneMemory, at time: Duration, with threads: RowThreads?) {
        strips(for: threads).run(memory, at: time, with: threads?.pool)
    }

    private func strips(for threads: RowThreads?) -> RowStrips {
        let count = threads?.pool.count ?? 1
        if let made, made.threads == count { return made.strips }
        let strips = RowStrips(pass, textures, threads, isFilled)
        made = (count, strips)
        return strips
    }
}

/// The parts of a pass that threads draw at the same time.
///
/// Sendable, because each part belongs to one thread while the pass runs, and the parts' common state does not change.
private final class RowStrips: DividedWork, @unchecked Sendable {
    private let strips: [RowStrip]
    private var memory: PlaneMemory?
    private var time = Duration.zero

    init(
        _ pass: RowPass, _ textures: [PlannedTexture], _ threads: RowThreads?,
        _ isFilled: @escaping (RenderPlan.TextureIndex) -> Bool
    ) {
        let contents = pass.contents
        let grain = contents.canvas.isYUV || contents.usesChromaGrid ? 2 : 1
        let regions = pass.rects.map { RowRegion($0, alignedTo: grain, within: contents.canvas) }
        let whole = RowRegion(around: regions)
        strips = regions.flatMap { region in
            let most = threads.map { region.count * region.rows.count / max($0.leastPixels, 1) } ?? 1
            return region.bands(min(threads?.pool.count ?? 1, most), alignedTo: grain).map {
                RowStrip(contents, $0, within: whole, textures, isFilled: isFilled)
            }
        }
    }

    var makePlanes: Bool { strips.allSatisfy(\.makesPlanes) }

    func run(_ memory: PlaneMemory, at time: Duration, with pool: ForkJoinPool?) {
        guard let pool, strips.count > 1 else {
            for strip in strips { strip.run(memory, at: time) }
            return
        }
        (self.memory, self.time) = (memory, time)
        pool.run(self, parts: strips.count)
        self.memory = nil
    }

    func run(part: Int) {
        if let memory { strips[part].run(memory, at: time) }
    }
}

/// The row functions of an instruction set.
struct RowSet {
    let set: PipInstructionSet
    let functions: PipRowFunctions

    /// The machine's best instruction set, or the one that `PIP_COMPOSE_VECTORS` names if the machine supports that.
    static var best: RowSet {
        unsafe RowSet(set: pip_instruction_set(), functions: pip_row_functions(pip_instruction_set()).pointee)
    }
}

/// A rectangle of a pass, or a band of a rectangle, with its own head, operations and target.
private final class RowStrip {
    private let region: RowRegion
    private let head: any RowHead
    private let operations: [any RowOperation]
    private let target: any RowTarget
    /// The source and the target of planes, if planes are made without rows of floats; else nil.
    private let planes: (source: any PlaneSource, target: PlanesTarget)?
    private let cover: [PipCover]
    private let blocks: [RowBlock]
    private let functions: PipRowFunctions

    init(
        _ contents: PassContents, _ region: RowRegion, within whole: RowRegion, _ textures: [PlannedTexture],
        isFilled: @escaping (RenderPlan.TextureIndex) -> Bool
    ) {
        let (canvas, set) = (contents.canvas, RowSet.best)
        let segment = contents.segment
        let isPlanar = canvas.isYUV
        self.region = region
        let functions = set.functions
        self.functions = functions
        let isBlended = contents.isBlended || contents.solid != nil
        // An opaque picture may become translucent when it is combined with a translucent one.
        let hasAlpha = isBlended || segment.hasAlpha || segment.others.contains { $0.image.alpha != .none }
        cover = contents.cover.map { [PipCover($0, on: canvas)] } ?? []
        var steps = contents.solid == nil ? segment.operations : []
        var toPlanes = ColorTransform.identity
        if isPlanar, !isBlended, steps.count > 1 || segment.image.format.isYUV == false,
            case .matrix(let last)? = steps.last
        {
            toPlanes = last
            steps.removeLast()
        }
        let builder = HeadBuilder(contents, region, within: whole, textures, hasAlpha: hasAlpha, set)
        head = builder.head(taking: &steps)
        operations = steps.compactMap { builder.operation($0, isFilled: isFilled) }
        if isPlanar {
            let planesTarget = PlanesTarget(canvas, region, toPlanes, blends: isBlended, functions)
            target = planesTarget
            let isPlain = cover.isEmpty && !isBlended
            let source = isPlain ? Self.planeSource(head, operations, toPlanes, on: canvas, region) : nil
            planes = source.map { ($0, planesTarget) }
        } else {
            planes = nil
            target = PixelTarget(
                canvas, isFloat: textures[canvas.textures[0]].format == .rgba32f, region, blends: isBlended, functions)
        }
        blocks = (0..<(isPlanar ? 2 : 1)).map { _ in RowBlock(count: region.count + 1, hasAlpha: hasAlpha) }
    }

    /// The source of planes without rows of floats; nil where there is none.
    private static func planeSource(
        _ head: any RowHead, _ operations: [any RowOperation], _ toPlanes: ColorTransform, on canvas: Canvas,
        _ region: RowRegion
    ) -> (any PlaneSource)? {
        if let head = head as? PlaneWarpHead {
            return head.keepsColors && operations.isEmpty && toPlanes.isIdentity ? head : nil
        }
        // All bands must be drawn alike, also the last one of an odd number of rows.
        let isEven = canvas.region.width % 2 == 0 && canvas.region.height % 2 == 0
        guard let head = head as? YUVHead, canvas.textures.count > 1, isEven else { return nil }
        return ShadedPlanes(head, operations, toPlanes, region, RowSet.best.functions)
    }

    var makesPlanes: Bool { planes != nil }

    func run(_ memory: PlaneMemory, at time: Duration) {
        guard !region.columns.isEmpty, !region.rows.isEmpty else { return }
        target.begin(memory)
        if let planes {
            planes.source.begin(memory, at: time)
            for row in stride(from: region.rows.lowerBound, to: region.rows.upperBound, by: 2) {
                planes.target.write(planes.source, row: row)
            }
            return
        }
        head.begin(memory, at: time)
        for operation in operations { operation.begin(memory, at: time) }
        for row in stride(from: region.rows.lowerBound, to: region.rows.upperBound, by: blocks.count) {
            for (index, block) in blocks.enumerated() {
                draw(min(row + index, region.rows.upperBound - 1), into: block)
            }
            target.write(blocks, row: row)
        }
    }

    private func draw(_ row: Int, into block: RowBlock) {
        head.read(row, into: block)
        for operation in operations { operation.apply(to: block, row: row) }
        guard !cover.isEmpty else { return }
        unsafe functions.cover(
            cover, Float(region.columns.lowerBound) + 0.5, Float(row) + 0.5, block.rows, Int32(region.count))
    }
}

extension RowRegion {
    /// Creates a region from a rectangle, grown to whole blocks of pixels within the canvas.
    fileprivate init(_ rect: PixelRect, alignedTo grain: Int, within canvas: Canvas) {
        let limit = canvas.region.intersection(canvas.size.bounds)
        let grown = rect.alignedOutward(toWidth: grain, height: grain).intersection(limit)
        self.init(columns: grown.x..<max(grown.maxX, grown.x), rows: grown.y..<max(grown.maxY, grown.y))
    }

    /// Creates the least region that contains all regions.
    fileprivate init(around regions: [RowRegion]) {
        let (columns, rows) = (regions.map(\.columns), regions.map(\.rows))
        let (left, top) = (columns.map(\.lowerBound).min() ?? 0, rows.map(\.lowerBound).min() ?? 0)
        self.init(
            columns: left..<(columns.map(\.upperBound).max() ?? left),
            rows: top..<(rows.map(\.upperBound).max() ?? top))
    }

    /// Divides the region into at most `count` bands of about equally many rows, from the top down.
    fileprivate func bands(_ count: Int, alignedTo grain: Int) -> [RowRegion] {
        guard count > 1 else { return [self] }
        let inner = (1..<count).map { (rows.lowerBound + rows.count * $0 / count) / grain * grain }
        let edges = [rows.lowerBound] + inner + [rows.upperBound]
        return zip(edges, edges.dropFirst()).filter { $0 < $1 }.map { RowRegion(columns: columns, rows: $0..<$1) }
    }
}

extension PipCover {
    fileprivate init(_ cover: PassContents.Cover, on canvas: Canvas) {
        let rect = cover.rect
        self.init()
        (x, y, width, height) = (Float(rect.x), Float(rect.y), Float(rect.width), Float(rect.height))
        cornerRadius = Float(min(cover.cornerRadius, Double(min(rect.width, rect.height)) / 2))
        opacity = Float(cover.opacity)
        shadowBlur = cover.shadowBlur.map { Float(max($0, 0.5)) } ?? -1
        borderWidth = -1
        if let border = cover.border {
            borderWidth = Float(border.width)
            let value = PassContents.value(of: border.color, on: canvas)
            borderColor = (value[0], value[1], value[2], Float(border.color.alpha))
        }
    }
}
