package import PipFrames

/// A copy of a part of a source's frame into an output's plane by the CPU: unchanged, scaled, filtered or converted.
package struct Blit: Sendable, Hashable {
    /// The source whose frame is read.
    package var source: NodeID
    /// The index of the output's plane.
    package var plane: Int
    /// The region that is written, in samples of the output's plane.
    ///
    /// A chroma pair or an RGB pixel counts as one sample.
    package var region: PixelRect
    /// The column of the first sample read from the source's plane.
    package var firstColumn = 0
    /// The row of the first sample read from the source's plane.
    package var firstRow = 0
    /// The conversion of the source's samples to the output's.
    package var conversion: Conversion
    /// The number of bytes that the blit writes.
    package var byteCount: Int

    /// The samples of the source that make up one sample of the output.
    package enum Samples: Sendable, Hashable {
        /// The mean of `mean` × `mean` samples of the same plane.
        case plane(mean: Int)
        /// The mean of `mean` × `mean` samples, counting only every second byte from `first` on.
        ///
        /// Takes luma out of packed 4:2:2, or one half out of chroma pairs.
        case everySecond(first: Int, mean: Int = 1)
        /// Pairs of two means, one of each chroma plane, over `mean` × `mean` samples.
        case bothPlanes(mean: Int = 1)
        /// Components of packed 4:2:2 macropixels; `places` are their byte positions, 0…3.
        ///
        /// Each component is the mean over an area of `mean` columns by 2·`mean` rows.
        case packedChroma(places: [Int], mean: Int = 1)

        /// The width of the source area, in samples, that makes one sample of the output.
        ///
        /// The area is as high as it is wide, or twice as high for ``packedChroma(places:mean:)``.
        package var mean: Int {
            switch self {
            case .plane(let mean), .everySecond(_, let mean), .bothPlanes(let mean), .packedChroma(_, let mean): mean
            }
        }
    }

    /// The function that changes the values of samples.
    package enum Values: Sendable, Hashable {
        /// Leaves values unchanged.
        case same
        /// Multiplies each byte by `scale` and adds `offset`, a share of 255.
        case affine(scale: Double, offset: Double)
        /// Multiplies each pair of bytes by a 2×2 matrix, row by row, and adds two offsets, which are shares of 255.
        case affinePairs(matrix: [Double], offset: [Double])
        /// Computes each byte of a chroma plane from its sample and the other chroma plane's, with a factor for each,
        /// plus an offset, a share of 255.
        case affineOfBoth(own: Double, other: Double, offset: Double)
    }

    /// The conversion of the source's samples to the output's, in this order: select, scale or filter, change values.
    package struct Conversion: Sendable, Hashable {
        /// The samples that are read from the source.
        package var samples = Samples.plane(mean: 1)
        /// The resampling where no mean of whole samples fits; nil for none.
        ///
        /// A resampling of packed 4:2:2 chroma reads single rows, not means of two.
        package var scaling: Scaling?
        /// The kernel over the samples, applied before their values change; nil for none, and when `scaling` is set.
        package var kernel: Kernel?
        /// The change of sample values.
        package var values = Values.same

        /// Creates a conversion without scaling or kernel.
        package init(_ samples: Samples = .plane(mean: 1), _ values: Values = .same) {
            self.samples = samples
            self.values = values
        }
    }

    /// Resampling of a plane by an area filter.
    ///
    /// Each sample is the mean of an area of the source plane, at least one sample wide and high. The part of the area
    /// beyond the plane's edges does not count.
    package struct Scaling: Sendable, Hashable {
        /// The centres of the result's samples along one axis, in samples of the source plane from 0.
        package struct Axis: Sendable, Hashable {
            /// The centre of the result's first sample.
            package var first: Double
            /// The distance between the centres of two neighbouring samples of the result.
            package var step: Double

            /// Creates centres that begin at `first` and lie `step` apart.
            package init(first: Double, step: Double) {
                self.first = first
                self.step = step
            }
        }

        /// The centres of the result's columns.
        package var across: Axis
        /// The centres of the result's rows.
        package var down: Axis
        /// The size of the source plane, in samples or pairs.
        package var source: PixelSize

        /// Creates a resampling of a plane of `source` samples.
        package init(across: Axis, down: Axis, source: PixelSize) {
            self.across = across
            self.down = down
            self.source = source
        }

        /// The approximate number of additions for each sample of the result: of rows in each source column, then of
        /// the columns' sums.
        package var work: Double {
            let (columns, rows) = (max(across.step, 1) + 1, max(down.step, 1) + 1)
            return columns + rows * max(across.step, 1)
        }
    }

    /// A symmetric kernel over a plane's samples, across and down.
    ///
    /// Samples beyond the plane's edges repeat the samples at the edge.
    package struct Kernel: Sendable, Hashable {
        /// The weights of one side, beginning with the centre's.
        ///
        /// No weight may be negative, and all weights of both sides must add up to 1.
        package var weights: [Double]
        /// True when the kernel is applied at half the plane's width and height.
        ///
        /// The filter (1 3 3 1)/8 reduces the plane before and enlarges it after.
        package var isHalved: Bool

        /// Creates a kernel from the weights of one side, beginning with the centre's.
        package init(_ weights: [Double], isHalved: Bool = false) {
            self.weights = weights
            self.isHalved = isHalved
        }

        /// The approximate number of sample pairs added up for each sample of the result.
        package var work: Int { isHalved ? weights.count / 2 + 4 : 2 * weights.count }
    }
}
