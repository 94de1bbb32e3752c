internal import CPixels
internal import PipEffects
internal import PipFrames
internal import PipPlan

/// Makes the head that produces a pass's pixels, and the operations that change the pixels.
struct HeadBuilder {
    private let contents: PassContents
    private let region: RowRegion
    /// The rectangle around all regions of the pass.
    private let whole: RowRegion
    private let textures: [PlannedTexture]
    private let hasAlpha: Bool
    private let set: RowSet

    init(
        _ contents: PassContents, _ region: RowRegion, within whole: RowRegion? = nil, _ textures: [PlannedTexture],
        hasAlpha: Bool, _ set: RowSet
    ) {
        self.contents = contents
        self.region = region
        self.whole = whole ?? region
        self.textures = textures
        self.hasAlpha = hasAlpha
        self.set = set
    }

    /// Makes the head of the pass.
    ///
    /// The head may perform the first operation of `steps` itself; that operation is then removed from `steps`.
    func head(taking steps: inout [Segment.Operation]) -> any RowHead {
        if let solid = contents.solid {
            let value = PassContents.value(of: solid, on: contents.canvas)
            return SolidHead(value + [Float(solid.alpha)], count: region.count)
        }
        let segment = contents.segment
        switch segment.head {
        case .warp(let call, let before):
            guard let call = EffectCall(call, set.set) else { break }
            guard !segment.image.format.isYUV else {
                return PlaneWarpHead(
                    PlacedCall(call, contents.positions.then(before), region), contents,
                    matrix: Self.takeMatrix(from: &steps), set.functions)
            }
            return WarpHead(
                call, of: MappedPicture(pixels: picture, map: segment.place),
                positions: contents.positions.then(before), region, set.functions)
        case .sampler(let call, let before):
            guard let call = EffectCall(call, set.set) else { break }
            return SamplerHead(
                call, of: MappedPicture(pixels: picture, map: segment.place),
                effectMap: contents.positions.then(before), region, set.functions)
        default: break
        }
        let source = contents.positions.then(segment.place)
        let turn = Turn(source)
        guard !turn.isIdentity else { return upright(source, region, taking: &steps) }
        let inner = upright(turn.canvas(region).then(source), turn.upright(region), taking: &steps)
        return TurnedHead(inner, turn, region, hasAlpha: hasAlpha, set.functions)
    }

    /// Makes the operation for a step; nil for a function without vector code.
    func operation(
        _ step: Segment.Operation, isFilled: @escaping (RenderPlan.TextureIndex) -> Bool
    ) -> (any RowOperation)? {
        let functions = set.functions
        switch step {
        case .matrix(let transform): return MatrixOperation(transform, count: region.count, functions)
        case .curve(let curve): return CurveOperation(curve, count: region.count, functions)
        case .pixel(let call, let map):
            let positions = contents.positions.then(map)
            let key = ShadeTable.Key(call: call, positions: positions, columns: whole.columns, rows: whole.rows)
            if let table = ShadeTable.table(key, set) { return ShadeOperation(table, region, functions) }
            guard let call = EffectCall(call, set.set) else { return nil }
            return EffectOperationRows(PlacedCall(call, positions, region))
        case .combine(let call, let map, let others):
            let table = others.first(where: \.isTable)
            guard let call = EffectCall(call, table: table, set.set) else { return nil }
            let positions = contents.positions.then(map)
            let pictures = others.filter { !$0.isTable && !$0.image.textures.isEmpty }.map {
                OtherPicture($0, texel: textures[$0.image.textures[0]].format, positions, region, functions)
            }
            return CombineOperation(PlacedCall(call, positions, region), pictures, functions, isFilled: isFilled)
        }
    }

    private var picture: PicturePixels {
        let image = contents.segment.image
        return PicturePixels(image, texel: textures[image.textures[0]].format)
    }

    private func upright(
        _ source: Mapping, _ region: RowRegion, taking steps: inout [Segment.Operation]
    ) -> any RowHead {
        let functions = set.functions
        var mapped: MappedPicture { MappedPicture(pixels: picture, map: source) }
        switch contents.segment.head {
        case .neighbourhood(let call):
            guard let call = EffectCall(call, set.set) else { break }
            return NeighbourhoodHead(call, of: mapped, region, functions)
        case .kernel(let weights, let isVertical):
            return KernelHead(weights, isVertical: isVertical, of: mapped, region, functions)
        case .lanczos(let samples, let isVertical):
            return LanczosHead(samples, isVertical: isVertical, of: mapped, region, functions)
        case .image, .warp, .sampler: break
        }
        guard contents.segment.image.format.isYUV else {
            return RGBHead(mapped, region, functions)
        }
        return YUVHead(contents, source: source, region, matrix: Self.takeMatrix(from: &steps), functions)
    }

    /// Removes the first step and returns its matrix; returns the identity if the first step is not a matrix.
    private static func takeMatrix(from steps: inout [Segment.Operation]) -> ColorTransform {
        guard case .matrix(let first)? = steps.first else { return .identity }
        steps.removeFirst()
        return first
    }
}
