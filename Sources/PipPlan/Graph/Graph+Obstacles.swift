internal import PipEffects
internal import PipFrames
internal import PipGraph

extension Graph {
    /// The names of the effects and blends that call any of the given GLSL functions, in alphabetical order.
    ///
    /// - Parameter shaders: The names of the functions' files.
    /// - Returns: The names as users know them; if no effect and no blend calls the functions, the names of the files.
    func effects(calling shaders: Set<String>) -> [String] {
        let names = order.flatMap { operations(of: $0) }.filter {
            $0.operation.shaders.contains { shader in shaders.contains(shader.name) }
        }.map(\.label)
        return (names.isEmpty ? shaders : Set(names)).sorted()
    }

    /// The operations that a node performs on pictures, with labels: of a filter, of a blend, or of a compositor's
    /// layers.
    private func operations(of id: NodeID) -> [(label: String, operation: EffectOperation)] {
        switch self[id] {
        case .filter(let filter): [(label(of: id), filter.effect.operation(in: .reference))]
        case .blend(let mode, let inputs): [(mode.label, mode.operation(isMasked: inputs.mask != nil))]
        case .compositor(let composition):
            composition.layers.compactMap(\.blend).map { ($0.label, $0.operation(isMasked: false)) }
        case .source, .sink, nil: []
        }
    }
}

extension EffectOperation {
    /// The GLSL functions that the operation calls.
    fileprivate var shaders: [ShaderSource] {
        switch self {
        case .pixel(let call), .neighbourhood(let call), .warp(let call), .sampler(let call), .temporal(let call):
            [call.source]
        case .combine(let first, let second, let call):
            (first + (second ?? [])).flatMap(\.shaders) + [call.source]
        case .tabulated(let operations, let table, let call):
            operations.flatMap(\.shaders) + table.steps.map(\.call.source) + [call.source]
        case .table(let table): table.steps.map(\.call.source)
        case .sequence(let operations): operations.flatMap(\.shaders)
        case .none, .affine, .curve, .separable, .gaussian, .orientation, .kernel, .shrink, .mean, .lanczos, .crop: []
        }
    }
}
