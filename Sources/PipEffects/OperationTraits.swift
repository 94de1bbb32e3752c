package import PipFrames

/// The properties of an operation that the planner needs before drawing it.
///
/// Only ``EffectOperation/traits`` sets these properties, where they differ from their defaults. The defaults are those
/// of an opaque function of one pixel of R'G'B', with unbounded errors.
package struct OperationTraits: Sendable {
    /// A change of the frame's orientation or borders.
    package enum Framing: Sendable, Hashable {
        case same
        case turned(Orientation)
        /// A part of the picture, in shares of its width and height.
        case cropped(x: Double, y: Double, width: Double, height: Double)
    }

    /// The form in which an operation can be applied directly to Y'CbCr planes.
    package enum PlaneForm: Sendable, Hashable {
        /// The sample values stay unchanged.
        case identity
        /// An affine map of R'G'B', which is also an affine map of Y'CbCr.
        case affine(ColorTransform)
        /// A filter with the same effect on Y'CbCr as on R'G'B'.
        case filter(SymmetricFilter)
    }

    /// The precision in which the operation's result must be stored.
    package enum Precision: Sendable, Hashable {
        /// The same precision as the input's.
        case ofInput
        case eightBits
        /// Floating-point numbers, where the renderer can draw into them.
        case float
    }

    /// The bound of the factor by which the operation amplifies a small difference in its input.
    package enum Growth: Sendable, Hashable {
        case unbounded
        case factor(Double)
        case ofTransform(ColorTransform)
        case ofCurve(Curve)
        /// The product of the bounds of several operations in sequence.
        case product([EffectOperation])
    }

    /// The operation's change of the frame's orientation or borders.
    ///
    /// An operation with a framing other than `same` is structural, and cannot be faded in.
    package var framing = Framing.same
    /// The form in which the operation is applied to Y'CbCr planes; nil for an operation that needs R'G'B'.
    package var planeForm: PlaneForm?
    /// True when the operation may make an opaque pixel translucent.
    package var changesAlpha = false
    /// True when the operation reads pixels beside the one that it computes, or the result of its second branch.
    ///
    /// A sequence has the value of its first operation.
    package var readsNeighbours = false
    /// True when the operation moves pixels by fractions of a pixel, so that 2×2 pixels no longer share a chroma
    /// sample.
    package var displacesPixels = false
    /// True when the operation only reduces the picture, so that it may read a source's frame directly.
    package var isReduction = false
    /// True when all pixels of the result are equal.
    package var isUniform = false
    /// True when the operation reads its input at the input's own size instead of the layer's visible size.
    package var resamples = false
    /// True when the operation keeps its result for the next frame.
    package var keepsHistory = false
    /// The branches whose results the operation reads in addition to its input; each is a list of operations on that
    /// input.
    package var branches: [[EffectOperation]] = []
    /// The number of pictures and tables that the operation reads in addition to its input.
    package var secondPictureCount = 0
    /// The number of constant textures that the operation may read.
    package var textureCount = 0
    package var precision = Precision.ofInput
    package var growth = Growth.unbounded

    /// The largest number of texture units that the operation needs in addition to its input's.
    package var samplerCount: Int { textureCount + secondPictureCount }

    /// True when the operation is a function of one pixel of one picture, so that it can share a pass with others.
    package var isPointwise: Bool { !readsNeighbours && secondPictureCount == 0 }

    /// True when the operation can read a source's frame directly, in the source's own format.
    package var readsSource: Bool {
        guard branches.isEmpty else {
            return branches.allSatisfy { $0.flatMap(\.flattened).first?.traits.isReduction ?? true }
        }
        return isReduction || !readsNeighbours
    }

    /// Creates the traits of an operation that calls an effect's GLSL function.
    fileprivate init(_ call: ShaderCall) {
        changesAlpha = call.changesAlpha
        textureCount = call.textures.count
        precision = call.isWide ? .float : .eightBits
    }

    fileprivate init() {}

    fileprivate func with(_ change: (inout OperationTraits) -> Void) -> OperationTraits {
        var traits = self
        change(&traits)
        return traits
    }

    fileprivate static var `default`: OperationTraits { OperationTraits() }
}

extension EffectOperation {
    /// The properties that the planner needs before drawing the operation.
    package var traits: OperationTraits {
        let defaults = OperationTraits.default
        return switch self {
        case .none: defaults.with { ($0.planeForm, $0.growth) = (.identity, .factor(1)) }
        case .affine(let transform):
            defaults.with { ($0.planeForm, $0.growth) = (.affine(transform), .ofTransform(transform)) }
        case .curve(let curve):
            defaults.with { ($0.textureCount, $0.precision, $0.growth) = (1, .eightBits, .ofCurve(curve)) }
        case .pixel(let call): OperationTraits(call).with { if !call.isSteep { $0.growth = .factor(1) } }
        case .neighbourhood(let call), .sampler(let call): OperationTraits(call).with { $0.readsNeighbours = true }
        case .separable(let weights):
            defaults.with {
                let gain = Self.gain(of: weights)
                $0.planeForm = Self.keepsFlatColors(weights) ? .filter(.kernel(weights)) : nil
                $0.readsNeighbours = true
                $0.growth = .factor(gain * gain)
            }
        case .gaussian(let deviation):
            defaults.with {
                ($0.planeForm, $0.readsNeighbours) = (.filter(.gaussian(deviation: deviation)), true)
                $0.growth = .factor(1)
            }
        case .kernel(let weights, _):
            defaults.with { ($0.readsNeighbours, $0.growth) = (true, .factor(Self.gain(of: weights))) }
        case .warp(let call):
            defaults.with {
                ($0.readsNeighbours, $0.displacesPixels, $0.growth) = (true, true, .factor(1))
                $0.textureCount = call.textures.count
            }
        case .orientation(let orientation):
            defaults.with {
                ($0.framing, $0.planeForm, $0.growth) = (.turned(orientation), .identity, .factor(1))
            }
        case .crop(let x, let y, let width, let height):
            defaults.with {
                $0.framing = .cropped(x: x, y: y, width: width, height: height)
                ($0.planeForm, $0.growth) = (.identity, .factor(1))
            }
        case .combine(let operations, let others, let call):
            OperationTraits(call).with {
                $0.branches = [operations] + (others.map { [$0] } ?? [])
                $0.secondPictureCount = $0.branches.count
                $0.readsNeighbours = !operations.isEmpty
                let all = $0.branches.joined().map(\.traits)
                $0.changesAlpha = call.changesAlpha || all.contains(where: \.changesAlpha)
                $0.keepsHistory = all.contains(where: \.keepsHistory)
            }
        case .shrink: defaults.with { ($0.readsNeighbours, $0.isReduction, $0.growth) = (true, true, .factor(1)) }
        case .mean:
            defaults.with {
                ($0.readsNeighbours, $0.isReduction, $0.isUniform, $0.growth) = (true, true, true, .factor(1))
            }
        case .temporal(let call):
            OperationTraits(call).with {
                ($0.secondPictureCount, $0.keepsHistory, $0.changesAlpha) = (1, true, false)
            }
        case .tabulated(_, _, let call):
            OperationTraits(call).with { ($0.secondPictureCount, $0.readsNeighbours) = (1, true) }
        case .table: defaults.with { ($0.readsNeighbours, $0.precision) = (true, .eightBits) }
        case .lanczos: defaults.with { ($0.readsNeighbours, $0.resamples) = (true, true) }
        case .sequence(let operations):
            defaults.with {
                let all = operations.map(\.traits)
                $0.changesAlpha = all.contains(where: \.changesAlpha)
                $0.keepsHistory = all.contains(where: \.keepsHistory)
                $0.readsNeighbours = all.first?.readsNeighbours ?? false
                $0.growth = .product(operations)
            }
        }
    }

    /// The operations of a sequence in order, or the operation itself; without `none` and separable kernels of one
    /// weight.
    package var flattened: [EffectOperation] {
        switch self {
        case .none: []
        case .sequence(let operations): operations.flatMap(\.flattened)
        case .separable(let weights) where weights.count <= 1: []
        default: [self]
        }
    }

    /// The largest factor by which a symmetric kernel can amplify a value.
    ///
    /// The centre's weight comes first.
    private static func gain(of weights: [Double]) -> Double {
        weights.dropFirst().reduce(abs(weights.first ?? 1)) { $0 + 2 * abs($1) }
    }

    /// True when a symmetric kernel keeps the value of a flat area, that is, when its weights sum to 1.
    ///
    /// Any other sum would also scale the offsets of Y'CbCr. An error of 1/1024 changes neutral chroma by at most a
    /// quarter of an 8-bit step.
    private static func keepsFlatColors(_ weights: [Double]) -> Bool {
        let sum = weights.dropFirst().reduce(weights.first ?? 1) { $0 + 2 * $1 }
        return abs(sum - 1) <= 1.0 / 1024
    }
}

/// A symmetric kernel that is applied horizontally and then vertically.
package enum SymmetricFilter: Sendable, Hashable {
    /// A Gaussian with a standard deviation in pixels.
    case gaussian(deviation: Double)
    /// The weights of one side of the kernel, the centre's first.
    case kernel([Double])

    /// The weights of one side of the kernel, the centre's first.
    package var weights: [Double] {
        switch self {
        case .gaussian(let deviation): GaussianKernel.weights(deviation: deviation)
        case .kernel(let weights): weights
        }
    }
}
