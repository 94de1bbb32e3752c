internal import PipEffects
internal import PipFrames
internal import PipGL
internal import PipPlan

/// The GL objects of a draw or of a compute shader's run: program, target, textures and uniforms.
final class PreparedPass {
    private enum Work {
        case draw(DrawState, [PixelRect])
        case compute(Dispatch)
    }

    /// The destination of results: the target of a draw, or the texture that a compute shader writes.
    enum Place {
        case target(RenderTarget)
        case result(Texture, groups: PixelSize)
    }

    private let work: Work
    private let program: Program
    /// The texture units whose textures change with each frame.
    private let shared: [(unit: Int, plane: SharedPlane)]
    private let uniforms: [PreparedUniform]
    /// The indices of the sources whose frames the pass needs.
    let sources: [Int]
    /// The preceding frame's result, and the location of the uniform that is 1 once the result exists.
    private let history: (state: History, location: Int32)?

    /// The plan's objects that the pass reads.
    struct Inputs {
        let textures: [PlanTexture]
        /// The indices of the sources whose frames the pass needs.
        let sources: [Int]
        let history: History?
    }

    init(_ pass: Pass, program: Program, place: Place, inputs: Inputs, on gpu: isolated RenderContext) {
        var bound = InlineArray<8, Texture?>(repeating: nil)
        var unit = 0
        var shared: [(unit: Int, plane: SharedPlane)] = []
        for input in pass.inputs {
            guard let location = program.location(input.sampler), unit < DrawState.maxTextures else { continue }
            program.set(location, Int32(unit), on: gpu)
            switch inputs.textures[input.texture] {
            case .own(let texture): bound[unit] = texture
            case .shared(let plane): shared.append((unit, plane))
            case .memory: break
            }
            unit += 1
        }
        self.program = program
        self.shared = shared
        switch place {
        case .target(let target):
            var state = DrawState(program, into: target)
            state.blend = TargetBlending(pass.blending)
            state.textures = bound
            work = .draw(state, pass.regions)
        case .result(let result, let groups):
            var dispatch = Dispatch(program, into: result, groups: groups)
            dispatch.textures = bound
            work = .compute(dispatch)
        }
        uniforms = pass.uniforms.compactMap { uniform in
            program.location(uniform.name).map { PreparedUniform(location: $0, value: uniform.value) }
        }
        sources = inputs.sources
        let location = pass.history.flatMap { program.location($0.sampler) }
        self.history = inputs.history.flatMap { state in location.map { (state, $0) } }
    }

    /// The state for which a driver compiles a variant of a program.
    ///
    /// One warm-up serves all passes of equal kind.
    struct Kind: Hashable {
        let program: ObjectIdentifier
        let blend: TargetBlending
        let formats: [TextureFormat]
    }

    var kind: Kind {
        guard case .draw(let state, _) = work else {
            return Kind(program: ObjectIdentifier(program), blend: .none, formats: [])
        }
        return Kind(
            program: ObjectIdentifier(program), blend: state.blend, formats: state.target.textures.map(\.format))
    }

    /// Draws the pass, or runs its compute shader.
    ///
    /// `time`: The output's time, for uniforms that change with time.
    func run(at time: Duration, on gpu: isolated RenderContext) {
        // Passes with the same shader share a program, so each pass sets its own uniforms.
        for uniform in uniforms { uniform.set(in: program, at: time, on: gpu) }
        if let history { program.set(history.location, history.state.isFilled ? 1 : 0 as Float, on: gpu) }
        switch work {
        case .draw(var state, let regions):
            for (unit, plane) in shared { state.textures[unit] = plane.texture }
            state.draw(regions.span, on: gpu)
        case .compute(var dispatch):
            for (unit, plane) in shared { dispatch.textures[unit] = plane.texture }
            dispatch.run(on: gpu)
        }
    }
}

extension TargetBlending {
    fileprivate init(_ blending: Pass.Blending) {
        switch blending {
        case .none: self = .none
        case .premultiplied: self = .premultipliedOver
        case .weighted: self = .dualSource
        }
    }
}

struct PreparedUniform {
    let location: Int32
    let value: UniformValue

    func set(in program: Program, at time: Duration, on gpu: isolated RenderContext) {
        switch value {
        case .share(let period): program.set(location, Float(period.share(at: time)), on: gpu)
        case .float(let x): program.set(location, x, on: gpu)
        case .vector2(let x, let y): program.set(location, SIMD2(x, y), on: gpu)
        case .vector3(let x, let y, let z): program.set(location, SIMD3(x, y, z), on: gpu)
        case .vector4(let x, let y, let z, let w): program.set(location, SIMD4(x, y, z, w), on: gpu)
        case .integers2(let x, let y): program.set(location, SIMD2(x, y), on: gpu)
        case .integers4(let x, let y, let z, let w): program.set(location, SIMD4(x, y, z, w), on: gpu)
        case .matrix3(let values):
            unsafe values.withUnsafeBufferPointer { unsafe program.set(location, .mat3, $0, on: gpu) }
        case .floats(let values):
            unsafe values.withUnsafeBufferPointer { unsafe program.set(location, .float, $0, on: gpu) }
        case .matrices4(let values):
            unsafe values.withUnsafeBufferPointer { unsafe program.set(location, .mat4, $0, on: gpu) }
        case .vectors3(let values):
            unsafe values.withUnsafeBufferPointer { unsafe program.set(location, .vec3, $0, on: gpu) }
        case .vectors4(let values):
            unsafe values.withUnsafeBufferPointer { unsafe program.set(location, .vec4, $0, on: gpu) }
        }
    }
}
