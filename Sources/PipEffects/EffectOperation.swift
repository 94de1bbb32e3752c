public import PipFrames

/// The drawing operation of an effect, classified by how the output depends on the input.
///
/// An effect returns the operation for its present parameters. From the kind of operation, the planner knows which
/// effects can share a pass.
///
/// A new operation needs five changes: the case here, its traits in `EffectOperation.traits`, its drawing in the
/// planner's `ChainBuilder.draw`, its GLSL functions in the planner's `EffectOperation.shaders`, and a test.
public enum EffectOperation: Sendable, Hashable {
    /// The picture stays unchanged, at no cost, as with neutral parameters.
    case none
    /// An affine map of R'G'B'. The planner folds successive maps and colour conversions into one matrix.
    case affine(ColorTransform)
    /// A tone curve for each of red, green and blue. The planner folds successive curves into one.
    case curve(Curve)
    /// A function `vec4 EFFECT(vec4 color, vec2 position)` of a pixel's colour and position (0…1, y down).
    case pixel(ShaderCall)
    /// A function `vec4 EFFECT(vec4 around[9])` of a pixel and its neighbours: 3×3 pixels row by row, the pixel itself
    /// at index 4.
    case neighbourhood(ShaderCall)
    /// A symmetric kernel, the centre's weight first, applied horizontally and then vertically.
    case separable([Double])
    /// A Gaussian blur with a standard deviation in drawn pixels, drawn in the cheapest way.
    case gaussian(Double)
    /// A function `vec2 EFFECT(vec2 position)` that maps a position in the output to the position in the input that is
    /// shown there. Positions are 0…1, y down.
    case warp(ShaderCall)
    /// A lossless rotation by a multiple of 90°, or mirroring.
    case orientation(Orientation)
    /// A symmetric kernel, the centre's weight first, in one direction.
    case kernel([Double], KernelAxis)
    /// A function `vec4 EFFECT(vec2 position)` that reads the picture at any position. The colours that it reads and
    /// returns are premultiplied.
    ///
    /// The function may call `vec4 SAMPLE(vec2 position)`, which interpolates at a position (0…1, y down), and `vec4
    /// PIXEL(ivec2 offset)`, which reads the exact pixel at an offset from the drawn one. Both functions clamp at the
    /// edge. `TEXEL` holds the width and height of a pixel in the units of positions.
    case sampler(ShaderCall)
    /// A function `vec4 EFFECT(vec4 color, vec4 other, vec2 position)` of a pixel and the same pixel of a second
    /// branch. The branch applies other operations to the same picture, and ignores rotations and crops.
    ///
    /// With a third branch, the function is `vec4 EFFECT(vec4 color, vec4 other, vec4 third, vec2 position)`.
    case combine(with: [EffectOperation], and: [EffectOperation]? = nil, ShaderCall)
    /// A reduction of the picture to means of n × n pixels, for the operations that follow.
    case shrink(Int)
    /// A picture whose every pixel is the mean of the input.
    case mean
    /// A function `vec4 EFFECT(vec4 color, vec4 previous, vec2 position)` of a pixel and the function's own result for
    /// the previous frame.
    ///
    /// Without a previous result, as in the first frame, `previous` is the pixel's colour. Results are clamped to 0…1,
    /// and stored as floating-point numbers where the renderer supports them.
    case temporal(ShaderCall)
    /// A function `vec4 EFFECT(vec4 color, vec2 position)` of a pixel and a table computed from the complete picture.
    /// The function reads the table through a `uniform sampler2D PREFIX(table);`.
    ///
    /// The operations `of` are applied to the picture before the table is computed.
    case tabulated(of: [EffectOperation] = [], Tabulation, ShaderCall)
    /// A table computed from the complete picture, which replaces the picture.
    case table(Tabulation)
    /// A resampling of the picture to its visible size by the Lanczos kernel. Changes nothing where the picture already
    /// has that size.
    case lanczos
    /// A crop, in shares of the picture's width and height. The picture gets the size of the crop.
    ///
    /// A crop within a sequence or a branch is ignored.
    case crop(x: Double, y: Double, width: Double, height: Double)
    /// Several operations, one after the other.
    case sequence([EffectOperation])
}

/// The direction of a one-dimensional kernel, for blurs along one axis.
public enum KernelAxis: Sendable, Hashable {
    case across, down
}
