package import PipFrames

/// A copy by the CPU of a part of a source's frame into an output's plane: unchanged, or scaled, filtered or converted.
package struct Blit: Sendable, Hashable {
    /// The source whose frame is read.
    package var source: NodeID
    /// The index of the output's plane.
    package var plane: Int
    /// The region in samples of the output's plane.
    ///
    /// A pair or a pixel is one sample.
    package var region: PixelRect
    /// The column of the first sample that is read from the source's plane.
    package var firstColumn = 0
    /// The row of the first sample that is read.
    package var firstRow = 0
    /// The conversion from the source's samples.
    package var conversion: Conversion
    /// Bytes that the blit writes.
    package var byteCount: Int

    /// The samples of the source from which one sample of the output is made.
    package enum Samples: Sendable, Hashable {
        /// The mean of `mean` × `mean` samples of the same plane.
        case plane(mean: Int)
        /// The mean of `mean` × `mean` samples of every other byte from `first` on: luma of packed 4:2:2, or one half
        /// of chroma pairs.
        case everySecond(first: Int, mean: Int = 1)
        /// Pairs of means of `mean` × `mean` samples of two chroma planes.
        case bothPlanes(mean: Int = 1)
        /// Components of packed 4:2:2 macropixels, by their positions in four bytes. Each is the mean over an area of
        /// `mean` columns by 2·`mean` rows.
        case packedChroma(places: [Int], mean: Int = 1)

        /// The number of source samples, across and down, for one sample of the output.
        package var mean: Int {
            switch self {
            case .plane(let mean), .everySecond(_, let mean), .bothPlanes(let mean), .packedChroma(_, let mean): mean
            }
        }
    }

    /// The change of sample values.
    package enum Values: Sendable, Hashable {
        /// No change.
        case same
        /// Each byte times `scale` plus `offset`, in shares of 255.
        case affine(scale: Double, offset: Double)
        /// Each pair of bytes by a 2×2 matrix row by row, and two offsets.
        case affinePairs(matrix: [Double], offset: [Double])
        /// Each byte of a chroma plane of its own: factors of its sample and of the other chroma plane's, and an
        /// offset.
        case affineOfBoth(own: Double, other: Double, offset: Double)
    }

    /// The conversion of the source's samples to the output's: they are taken, then scaled or filtered, then changed in
    /// value.
    package struct Conversion: Sendable, Hashable {
        /// The samples of the source that are taken.
        package var samples = Samples.plane(mean: 1)
        /// The resampling to another number of samples; nil where the numbers are equal.
        ///
        /// A resampling reads single rows of packed 4:2:2 chroma, not the means of two.
        package var scaling: Scaling?
        /// The kernel over the samples, before their values change; nil for none, and with a scaling.
        package var kernel: Kernel?
        /// The change of values.
        package var values = Values.same

        /// A conversion without scaling or kernel.
        package init(_ samples: Samples = .plane(mean: 1), _ values: Values = .same) {
            self.samples = samples
            self.values = values
        }
    }

    /// Resampling of a plane by an area filter: each sample is the mean of an area of another plane, at least one
    /// sample wide and high.
    ///
    /// The area beyond the plane's edges does not count.
    package struct Scaling: Sendable, Hashable {
        /// The positions of samples along one side of a plane, in that plane's samples, from 0.
        package struct Axis: Sendable, Hashable {
            /// The middle of the first sample that is made.
            package var first: Double
            /// The distance from one sample to the next.
            package var step: Double

            /// Positions from `first` on, `step` apart.
            package init(first: Double, step: Double) {
                self.first = first
                self.step = step
            }
        }

        /// The columns.
        package var across: Axis
        /// The rows.
        package var down: Axis
        /// The size of the source plane, in samples or pairs.
        package var source: PixelSize

        /// A resampling of a plane of `source` samples.
        package init(across: Axis, down: Axis, source: PixelSize) {
            self.across = across
            self.down = down
            self.source = source
        }

        /// The number of samples read for each sample of the result, roughly.
        package var work: Double {
            let (columns, rows) = (max(across.step, 1) + 1, max(down.step, 1) + 1)
            return columns + rows * max(across.step, 1)
        }
    }

    /// A symmetric kernel over a plane's samples, across and down.
    ///
    /// Samples beyond the plane's edges repeat those at the edge.
    package struct Kernel: Sendable, Hashable {
        /// The weights, the centre's first.
        ///
        /// None is below 0; with both sides they add up to 1.
        package var weights: [Double]
        /// True when the kernel is applied at half the size: the plane is made smaller before, and larger after, by (1
        /// 3 3 1)/8.
        package var isHalved: Bool

        /// A kernel from its weights, the centre's first.
        package init(_ weights: [Double], isHalved: Bool = false) {
            self.weights = weights
            self.isHalved = isHalved
        }

        /// The number of sample pairs that are added up for each sample of the result, roughly.
        package var work: Int { isHalved ? weights.count / 2 + 4 : 2 * weights.count }
    }
}
