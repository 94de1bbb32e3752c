internal import CPixels
internal import PipEffects
internal import PipFrames
internal import PipPlan

/// Makes what gives a pass its pixels.
struct HeadBuilder {
    private let contents: PassContents
    private let region: RowRegion
    private let textures: [PlannedTexture]
    private let hasAlpha: Bool
    private let set: RowSet

    init(_ contents: PassContents, _ region: RowRegion, _ textures: [PlannedTexture], hasAlpha: Bool, _ set: RowSet) {
        self.contents = contents
        self.region = region
        self.textures = textures
        self.hasAlpha = hasAlpha
        self.set = set
    }

    /// The head, which may take a part of the steps that follow.
    func head(taking steps: inout [Segment.Operation]) -> any RowHead {
        if let solid = contents.solid {
            let value = PassContents.value(of: solid, on: contents.canvas)
            return SolidHead(value + [Float(solid.alpha)], count: region.count)
        }
        let segment = contents.segment
        switch segment.head {
        case .warp(let call, let before):
            guard let call = EffectCall(call, set.set) else { break }
            return WarpHead(
                call, of: picture, positions: contents.positions.then(before), place: segment.place, region,
                set.functions)
        case .sampler(let call, let before):
            guard let effect = EffectCall(call, set.set) else { break }
            return SamplerHead(
                effect, of: picture, effectMap: contents.positions.then(before), sampleMap: segment.place, region,
                changesAlpha: call.changesAlpha, set.functions)
        default: break
        }
        let source = contents.positions.then(segment.place)
        let turn = Turn(source)
        guard !turn.isIdentity else { return upright(source, region, taking: &steps) }
        let inner = upright(turn.canvas(region).then(source), turn.upright(region), taking: &steps)
        return TurnedHead(inner, turn, region, hasAlpha: hasAlpha, set.functions)
    }

    private var picture: PicturePixels {
        let image = contents.segment.image
        return PicturePixels(image, texel: textures[image.textures[0]].format)
    }

    private func upright(
        _ source: Mapping, _ region: RowRegion, taking steps: inout [Segment.Operation]
    ) -> any RowHead {
        let functions = set.functions
        switch contents.segment.head {
        case .neighbourhood(let call):
            guard let call = EffectCall(call, set.set) else { break }
            return NeighbourhoodHead(call, of: picture, source: source, region, functions)
        case .kernel(let weights, let isVertical):
            return KernelHead(weights, isVertical: isVertical, of: picture, source: source, region, functions)
        case .lanczos(let samples, let isVertical):
            return LanczosHead(samples, isVertical: isVertical, of: picture, source: source, region, functions)
        case .image, .warp, .sampler: break
        }
        guard contents.segment.image.format.isYUV else {
            return RGBHead(picture, source: source, region, functions)
        }
        var matrix = ColorTransform.identity
        if case .matrix(let first)? = steps.first {
            matrix = first
            steps.removeFirst()
        }
        return YUVHead(contents, source: source, region, matrix: matrix, functions)
    }
}
