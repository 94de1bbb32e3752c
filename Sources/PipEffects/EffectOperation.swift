public import PipFrames

/// The dependence of an effect's output on its input, from which the planner knows which effects can share a pass.
///
/// An effect returns one for its present parameters.
///
/// A new operation needs four changes: the case here, its traits in `EffectOperation.traits`, its drawing in the
/// planner's `ChainBuilder.draw`, and a test.
public enum EffectOperation: Sendable, Hashable {
    /// No change: identity parameters. Costs nothing.
    case none
    /// An affine map of R'G'B'. Neighbours fold into one matrix, together with colour conversion.
    case affine(ColorTransform)
    /// A curve for each of red, green and blue. Neighbours fold into one.
    case curve(Curve)
    /// A function `vec4 EFFECT(vec4 color, vec2 position)` of the own pixel and its position (0…1, y down).
    case pixel(ShaderCall)
    /// A function `vec4 EFFECT(vec4 around[9])` of the 3×3 pixels around, row by row, the own one at index 4.
    case neighbourhood(ShaderCall)
    /// A symmetric kernel, the centre's weight first, applied across and then down.
    case separable([Double])
    /// A Gaussian with a standard deviation in pixels, drawn in the cheapest way.
    case gaussian(Double)
    /// A function `vec2 EFFECT(vec2 position)` from a position in the output (0…1, y down) to the position that is
    /// shown there.
    case warp(ShaderCall)
    /// An exact turn or mirroring.
    case orientation(Orientation)
    /// A symmetric kernel, the centre's weight first, in one direction.
    case kernel([Double], KernelAxis)
    /// A function `vec4 EFFECT(vec2 position)` that reads the picture at any position. Colours are premultiplied, both
    /// those that it reads and its results.
    ///
    /// The function may call `vec4 SAMPLE(vec2 position)` (0…1, y down; interpolated, clamped at the edge) and `vec4
    /// PIXEL(ivec2 offset)` (an offset from its own pixel; exact, clamped at the edge). It may read `TEXEL`, a pixel's
    /// width and height in positions.
    case sampler(ShaderCall)
    /// A function `vec4 EFFECT(vec4 color, vec4 other, vec2 position)` of the own pixel and the same pixel of the
    /// picture after other operations (any but turns).
    ///
    /// With a third branch, it is `vec4 EFFECT(vec4 color, vec4 other, vec4 third, vec2 position)`.
    case combine(with: [EffectOperation], and: [EffectOperation]? = nil, ShaderCall)
    /// The picture at a reduced size, from means of n × n pixels, for the operations that follow.
    case shrink(Int)
    /// The picture's mean in every pixel.
    case mean
    /// A function `vec4 EFFECT(vec4 color, vec4 previous, vec2 position)` of the own pixel and the function's result
    /// there for the frame before. In the first frame, this is the own colour. Results are kept within 0…1, as
    /// floating-point numbers where the renderer supports them.
    case temporal(ShaderCall)
    /// A function `vec4 EFFECT(vec4 color, vec2 position)` of the own pixel that reads a table of the whole picture, by
    /// a `uniform sampler2D PREFIX(table);`.
    ///
    /// The operations of `of` are applied to the picture before its table is made.
    case tabulated(of: [EffectOperation] = [], Tabulation, ShaderCall)
    /// A table of the whole picture, in place of the picture.
    case table(Tabulation)
    /// The picture at its visible size, resampled by Lanczos's kernel. It changes nothing where the picture has that
    /// size.
    case lanczos
    /// A part of the picture, in shares of its width and height. The picture takes the size of that part.
    case crop(x: Double, y: Double, width: Double, height: Double)
    /// Several operations, one after the other.
    case sequence([EffectOperation])
}

/// The direction of a one-dimensional kernel, for blurs along one axis.
public enum KernelAxis: Sendable, Hashable {
    case across, down
}
