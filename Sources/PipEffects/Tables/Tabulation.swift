public import PipFrames

/// Tables that compute shaders make: the first from a complete picture, each later one from the previous table.
///
/// An effect reads the last table. A table is a texture with four 32-bit floats in each texel.
public struct Tabulation: Sendable, Hashable {
    /// The steps, in order.
    ///
    /// The first step reads the picture; later steps may read it, too.
    public var steps: [TableStep]

    /// Creates a tabulation from its steps, in the order in which they run.
    public init(_ steps: [TableStep]) { self.steps = steps }
}

/// One table, and the compute shader that makes it.
///
/// The shader is a function `void EFFECT()` that runs in groups of 64 lanes, numbered by `lane` from 0. The shader may
/// read the picture with `vec4 PICTURE(ivec2 pixel)`, which returns straight colours, within `pictureSize`. The shader
/// may read the previous table with `texelFetch(table, …, 0)`, and writes with `imageStore(result, …)`.
///
/// Besides shared memory of its own, the shader may use `bins` with `loadBins` and `accumulateBins`. The shader must
/// call `meet()` between writes and reads of shared memory.
public struct TableStep: Sendable, Hashable {
    /// The compute shader that makes the table.
    public var call: ShaderCall
    /// The size of the table, in texels.
    public var size: PixelSize
    /// The number of work groups, horizontally and vertically.
    public var groups: PixelSize
    /// True when the shader reads the picture, which the planner's cost estimate needs to know.
    public var readsPicture: Bool

    /// Creates a step from the compute shader and the table's size.
    public init(_ call: ShaderCall, size: PixelSize, groups: PixelSize = PixelSize(1, 1), readsPicture: Bool = false) {
        self.call = call
        self.size = size
        self.groups = groups
        self.readsPicture = readsPicture
    }
}
