public import PipFrames
public import PipGraph

/// A plane of a source's frame, or a part of it, to be copied into a texture.
public struct Upload: Sendable, Hashable {
    public var source: NodeID
    public var plane: Int
    public var texture: RenderPlan.TextureIndex
    /// In texels of the plane.
    ///
    /// It goes to the texture's upper left corner.
    public var region: PixelRect
    public var bytesPerTexel: Int
    /// Whether passes read the source's own memory, without a copy; a frame for which that cannot be is copied all the
    /// same.
    public var isShared = false

    public var byteCount: Int { region.size.area * bytesPerTexel }
}

/// A texture to be filled with one value.
public struct Clear: Sendable, Hashable {
    public var texture: RenderPlan.TextureIndex
    public var red: Float
    public var green: Float
    public var blue: Float
    public var alpha: Float
}

/// A part of an output's plane that the CPU makes of a source's frame, sample by sample.
public struct PlaneCopy: Sendable, Hashable {
    public var source: NodeID
    /// Of the output.
    public var plane: Int
    /// In samples of the output's plane; pairs and pixels are one sample.
    public var region: PixelRect
    /// The first sample of the source's plane that it is made of.
    public var firstColumn = 0
    public var firstRow = 0
    public var conversion: PlaneConversion
    /// What is written.
    public var byteCount: Int
}

/// How samples of an output follow from a source's frame.
public struct PlaneConversion: Sendable, Hashable {
    /// Where they come from.
    public enum Samples: Sendable, Hashable {
        /// From the same plane: the mean of so many by so many.
        case plane(mean: Int)
        /// Every other byte, from a first one on: luma of packed 4:2:2, or one half of pairs of chroma. The mean of so
        /// many by so many.
        case everySecond(first: Int, mean: Int = 1)
        /// Pairs of what two planes of chroma have: the mean of so many by so many.
        case bothPlanes(mean: Int = 1)
        /// Of each four bytes of packed 4:2:2 those at some places: the mean of so many by twice as many rows.
        case packedChroma(places: [Int], mean: Int = 1)

        /// How many by how many samples make one.
        package var mean: Int {
            switch self {
            case .plane(let mean), .everySecond(_, let mean), .bothPlanes(let mean), .packedChroma(_, let mean): mean
            }
        }
    }

    /// What becomes of them.
    public enum Values: Sendable, Hashable {
        case same
        /// Each byte times `scale` and `offset` more, in shares of 255.
        case affine(scale: Double, offset: Double)
        /// The same for pairs: a 2×2 matrix row by row, and two offsets.
        case affinePairs(matrix: [Double], offset: [Double])
        /// The same for a chroma plane of its own: factors of its sample and of the other chroma plane's, and an
        /// offset.
        case affineOfBoth(own: Double, other: Double, offset: Double)
    }

    public var samples = Samples.plane(mean: 1)
    /// What makes another number of them; nil where there are as many as the output has.
    ///
    /// It has rows of chroma of packed 4:2:2 as they are, not the means of two.
    public var scaling: PlaneScaling?
    /// What mixes them with their neighbours, before their values change; nil where nothing does, or where there is a
    /// scaling.
    public var kernel: PlaneKernel?
    public var values = Values.same

    public init(_ samples: Samples = .plane(mean: 1), _ values: Values = .same) {
        self.samples = samples
        self.values = values
    }
}

/// How a plane is made smaller or larger: each sample is the mean of what it covers of another plane, at least one
/// sample wide and high.
///
/// What is beyond the plane's edges does not count.
public struct PlaneScaling: Sendable, Hashable {
    /// Where samples lie along one side of a plane, in its samples: the first one begins at 0.
    public struct Axis: Sendable, Hashable {
        /// The middle of the first sample that is made.
        public var first: Double
        /// From one to the next.
        public var step: Double

        public init(first: Double, step: Double) {
            self.first = first
            self.step = step
        }
    }

    public var across: Axis
    public var down: Axis
    /// The size of the plane that they are made of, in samples or pairs.
    public var source: PixelSize

    public init(across: Axis, down: Axis, source: PixelSize) {
        self.across = across
        self.down = down
        self.source = source
    }

    /// How many samples are read for each one that is made, roughly.
    package var work: Double {
        let (columns, rows) = (max(across.step, 1) + 1, max(down.step, 1) + 1)
        return columns + rows * max(across.step, 1)
    }
}

/// A symmetric kernel over a plane's samples, across and down.
///
/// What is beyond the plane's edges is as the samples there.
public struct PlaneKernel: Sendable, Hashable {
    /// The centre's weight first; none is below 0, and all together, both sides, are 1.
    public var weights: [Double]
    /// Whether it is applied at half the size: the plane becomes smaller before, and larger after, by (1 3 3 1)/8.
    public var isHalved: Bool

    public init(_ weights: [Double], isHalved: Bool = false) {
        self.weights = weights
        self.isHalved = isHalved
    }

    /// How many pairs of samples are added up for each sample that it gives, roughly.
    package var work: Int { isHalved ? weights.count / 2 + 4 : 2 * weights.count }
}

/// A part of a texture to be copied into a plane of an output.
public struct Readback: Sendable, Hashable {
    public var texture: RenderPlan.TextureIndex
    /// In texels.
    public var region: PixelRect
    public var plane: Int
    /// Bytes from the plane's first sample to where the region's first texel goes.
    public var offset: Int
    /// Rows of the plane from one row of the texture to the next: 2 when it holds every other one.
    public var rowStep = 1
    public var bytesPerTexel: Int

    public var byteCount: Int { region.size.area * bytesPerTexel }
}
