public import PipFrames

/// Tables that compute shaders make of a whole picture, one from the other.
///
/// An effect reads the last one.
///
/// A table is a picture of four 32-bit floats to a texel.
public struct Tabulation: Sendable, Hashable {
    /// The steps.
    ///
    /// The first one reads the picture; the others may read it, too.
    public var steps: [TableStep]

    /// Tables in the order in which they are made.
    public init(_ steps: [TableStep]) { self.steps = steps }
}

/// One table, and the compute shader that makes it.
///
/// The shader is a function `void EFFECT()` that runs in groups of 64, numbered by `lane` from 0. It may read the
/// picture by `vec4 PICTURE(ivec2 pixel)` (straight colours) within `pictureSize`, and the table before by
/// `texelFetch(table, …, 0)`. It writes by `imageStore(result, …)`.
///
/// Beside its own shared memory it may use `bins` with `loadBins` and `accumulateBins`. It must call `meet()` between
/// writing and reading memory that lanes share.
public struct TableStep: Sendable, Hashable {
    /// The compute shader.
    public var call: ShaderCall
    /// The size of the table, in texels.
    public var size: PixelSize
    /// The number of work groups across and down.
    public var groups: PixelSize
    /// True when the shader reads the picture, which decides its cost.
    public var readsPicture: Bool

    /// A table from the shader that makes it.
    public init(_ call: ShaderCall, size: PixelSize, groups: PixelSize = PixelSize(1, 1), readsPicture: Bool = false) {
        self.call = call
        self.size = size
        self.groups = groups
        self.readsPicture = readsPicture
    }
}
