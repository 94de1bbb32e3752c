public import PipFrames

/// The dependence of an effect's output on its input, by which the planner knows what can share a pass.
///
/// A new operation has four places: the case here, its answers in `EffectOperation.traits`, its drawing in the
/// planner's `ChainBuilder.draw`, and a test.
public enum EffectOperation: Sendable, Hashable {
    /// Nothing: identity parameters. Costs nothing.
    case none
    /// An affine map of R'G'B'. Neighbours fold into one matrix, together with colour conversion.
    case affine(ColorTransform)
    /// A curve for each of red, green and blue. Neighbours fold into one.
    case curve(Curve)
    /// A function `vec4 EFFECT(vec4 color, vec2 position)` of the own pixel and its place (0…1, y down).
    case pixel(ShaderCall)
    /// A function `vec4 EFFECT(vec4 around[9])` of the 3×3 pixels around, row by row, the own one at index 4.
    case neighbourhood(ShaderCall)
    /// A symmetric kernel, the centre's weight first, applied across and then down.
    case separable([Double])
    /// A gaussian bell by its standard deviation in pixels; drawn as is cheapest.
    case gaussian(Double)
    /// A function `vec2 EFFECT(vec2 position)` from a place in the output (0…1, y down) to the place that is shown
    /// there.
    case warp(ShaderCall)
    /// A turn or mirroring, exact.
    case orientation(Orientation)
    /// A symmetric kernel, the centre's weight first, in one direction.
    case kernel([Double], KernelAxis)
    /// A function `vec4 EFFECT(vec2 position)` that reads the picture wherever it likes. Colours are premultiplied,
    /// what it reads and what it gives.
    ///
    /// It may call `vec4 SAMPLE(vec2 position)` (0…1, y down; interpolated, clamped at the edge) and `vec4 PIXEL(ivec2
    /// offset)` (so many pixels from its own; exact, clamped at the edge), and read `TEXEL` (a pixel's width and height
    /// in positions).
    case sampler(ShaderCall)
    /// A function `vec4 EFFECT(vec4 color, vec4 other, vec2 position)` of the own pixel and the same pixel of the
    /// picture after other operations (any but turns); with a third branch, `vec4 EFFECT(vec4 color, vec4 other, vec4
    /// third, vec2 position)`.
    case combine(with: [EffectOperation], and: [EffectOperation]? = nil, ShaderCall)
    /// The picture at a part of its size, in means of so many by so many pixels, for the operations that follow.
    case shrink(Int)
    /// The picture's mean everywhere.
    case mean
    /// A function `vec4 EFFECT(vec4 color, vec4 previous, vec2 position)` of the own pixel and what the function gave
    /// there for the frame before. The first frame sees its own colour. Results are kept within 0…1, as floating-point
    /// numbers where the renderer can.
    case temporal(ShaderCall)
    /// A function `vec4 EFFECT(vec4 color, vec2 position)` of the own pixel that reads a table of the whole picture, by
    /// a `uniform sampler2D PREFIX(table);`.
    ///
    /// The operations of `of` are done to the picture before its table is made.
    case tabulated(of: [EffectOperation] = [], Tabulation, ShaderCall)
    /// A table of the whole picture in its place.
    case table(Tabulation)
    /// The picture at the size at which it is seen, by Lanczos's kernel; what it does nothing to where it has that
    /// size.
    case lanczos
    /// A part of the picture, in shares of its width and height: the picture becomes as large as that.
    case crop(x: Double, y: Double, width: Double, height: Double)
    /// Several, one after the other.
    case sequence([EffectOperation])
}

/// The direction of a one-dimensional kernel.
public enum KernelAxis: Sendable, Hashable {
    case across, down
}
