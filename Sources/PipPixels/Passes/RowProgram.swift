internal import CPixels
internal import PipEffects
package import PipFrames
internal import PipGraph
package import PipPlan

/// A pass that the CPU draws, with its tables and memory.
///
/// Draws a rectangle after the other, each row by row: what gives the pixels, what is done to them, where they go.
package final class RowProgram {
    private let strips: [RowStrip]
    /// The sources without whose frames it is left out.
    package let sources: [NodeID]

    /// - Parameters:
    ///   - pass: The pass.
    ///   - textures: Of its plan.
    ///   - isFilled: Whether an earlier frame left something in a texture that keeps a filter's results.
    package init(
        _ pass: RowPass, textures: [PlannedTexture], isFilled: @escaping (RenderPlan.TextureIndex) -> Bool
    ) {
        sources = pass.sources
        strips = pass.rects.map { RowStrip(pass.contents, $0, textures, RowSet.best, isFilled: isFilled) }
    }

    /// Draws a frame.
    ///
    /// - Parameters:
    ///   - memory: What it reads and writes.
    ///   - time: Of the output.
    package func run(_ memory: PlaneMemory, at time: Duration) {
        for strip in strips { strip.run(memory, at: time) }
    }
}

/// The loops of an instruction set.
struct RowSet {
    let set: PipInstructionSet
    let functions: PipRowFunctions

    /// The best one that the machine has, or the one that the environment names.
    static var best: RowSet {
        unsafe RowSet(set: pip_instruction_set(), functions: pip_row_functions(pip_instruction_set()).pointee)
    }
}

/// A rectangle of a pass.
private final class RowStrip {
    private let region: RowRegion
    private let head: any RowHead
    private var operations: [any RowOperation] = []
    private let target: any RowTarget
    private let cover: [PipCover]
    private let blocks: [RowBlock]
    private let functions: PipRowFunctions

    init(
        _ contents: PassContents, _ rect: PixelRect, _ textures: [PlannedTexture], _ set: RowSet,
        isFilled: @escaping (RenderPlan.TextureIndex) -> Bool
    ) {
        let canvas = contents.canvas
        let segment = contents.segment
        let isPlanar = canvas.isYUV
        region = RowRegion(rect, alignedTo: isPlanar || contents.usesChromaGrid ? 2 : 1, within: canvas)
        let functions = set.functions
        self.functions = functions
        let isBlended = contents.isBlended || contents.solid != nil
        // What is combined with a translucent picture may become so.
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
        let builder = HeadBuilder(contents, region, textures, hasAlpha: hasAlpha, set)
        head = builder.head(taking: &steps)
        let region = region
        for step in steps {
            switch step {
            case .matrix(let transform):
                operations.append(MatrixOperation(transform, count: region.count, functions))
            case .curve(let curve):
                operations.append(CurveOperation(curve, count: region.count, functions))
            case .pixel(let call, let map):
                guard let call = EffectCall(call, set.set) else { continue }
                operations.append(EffectOperationRows(call, contents.positions.then(map), region))
            case .combine(let call, let map, let others):
                let table = others.first(where: \.isTable)
                guard let call = EffectCall(call, table: table, set.set) else { continue }
                let positions = contents.positions.then(map)
                let pictures = others.filter { !$0.isTable && !$0.image.textures.isEmpty }.map {
                    OtherPicture($0, texel: textures[$0.image.textures[0]].format, positions, region, functions)
                }
                operations.append(
                    CombineOperation(call, positions, pictures, region, functions, isFilled: isFilled))
            }
        }
        if isPlanar {
            target = PlanesTarget(canvas, region, toPlanes, blends: isBlended, functions)
        } else {
            target = PixelTarget(
                canvas, isFloat: textures[canvas.textures[0]].format == .rgba32f, region, blends: isBlended, functions)
        }
        blocks = (0..<(isPlanar ? 2 : 1)).map { _ in RowBlock(count: region.count + 1, hasAlpha: hasAlpha) }
    }

    func run(_ memory: PlaneMemory, at time: Duration) {
        guard !region.columns.isEmpty, !region.rows.isEmpty else { return }
        head.begin(memory, at: time)
        for operation in operations { operation.begin(memory, at: time) }
        target.begin(memory)
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
    /// A rectangle, grown to whole blocks of pixels, as far as there are textures.
    fileprivate init(_ rect: PixelRect, alignedTo grain: Int, within canvas: Canvas) {
        let limit = canvas.region.intersection(canvas.size.bounds)
        let grown = rect.alignedOutward(toWidth: grain, height: grain).intersection(limit)
        self.init(columns: grown.x..<max(grown.maxX, grown.x), rows: grown.y..<max(grown.maxY, grown.y))
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
