internal import PipEffects
internal import PipFrames
internal import PipGraph

/// Filters packed 4:2:0 planes, with the same kernel for all samples of a plane.
///
/// The filter needs no conversion to R'G'B', and reads four samples at a time.
struct PlaneFilter {
    let image: Image
    /// The filter's name in labels of passes.
    let label: String
    /// The texel format of intermediate samples.
    let texel: TexelFormat

    /// The margin around planes of half the width and height: in texels on the left and right, in rows above and below.
    ///
    /// The margin supplies the samples beyond the edges when the planes are enlarged again.
    static let margin = 1

    /// The map from samples of the whole plane to stored samples of a plane of half the size, with `count` samples to a
    /// texel.
    static func halfSizeMapping(samplesPerTexel count: Int) -> Mapping {
        Mapping.scale(0.5, 0.5).then(.translation(Double(margin * count), Double(margin)))
    }

    /// Plans the filter's passes, and returns the filtered image.
    ///
    /// The result's luma may be stored at half the width and height.
    func applying(_ filter: SymmetricFilter, in recorder: inout StepRecorder) throws(GraphError) -> Image {
        switch filter {
        case .gaussian(let deviation): try blurred(deviation: deviation, in: &recorder)
        case .kernel(let weights): try convolved(weights, in: &recorder)
        }
    }

    /// Blurs the image with a Gaussian.
    ///
    /// The result's luma may be stored at half the width and height.
    private func blurred(deviation: Double, in recorder: inout StepRecorder) throws(GraphError) -> Image {
        var result = image
        for (index, plane) in planes(in: recorder).enumerated() {
            let isLuma = index == 0
            var plane = plane
            let bell = Bell(deviation: deviation, isLuma: isLuma)
            for _ in 0..<bell.halvings { plane = try add(.halve, to: plane, in: &recorder) }
            var level = bell.halvings
            plane = try add(.across(bell.weights), to: plane, in: &recorder)
            plane = try add(.down(bell.weights), to: plane, in: &recorder)
            // The pass that reads luma enlarges it to its full size.
            while level > (isLuma ? 1 : 0) {
                plane = try add(
                    .double(isLast: level == 1), to: plane,
                    size: size(ofPlane: index, level: level - 1), in: &recorder)
                level -= 1
            }
            if isLuma { result.hasHalfLuma = level == 1 }
            result.textures[index] = plane.texture
        }
        return result
    }

    /// Applies a symmetric kernel to the image across and then down.
    private func convolved(_ kernel: [Double], in recorder: inout StepRecorder) throws(GraphError) -> Image {
        var result = image
        for (index, plane) in planes(in: recorder).enumerated() {
            let weights = index == 0 ? kernel : GaussianKernel.folded(kernel)
            let across = try add(.across(weights), to: plane, in: &recorder)
            result.textures[index] = try add(.down(weights), to: across, in: &recorder).texture
        }
        return result
    }

    private func planes(in recorder: StepRecorder) -> [Plane] {
        image.textures.enumerated().map { index, texture in
            Plane(
                texture: texture, size: size(ofPlane: index, level: 0),
                isPairs: index > 0 && image.format.family == .semiplanar, sources: image.sources,
                label: recorder.textures[texture].label)
        }
    }

    private func size(ofPlane plane: Int, level: Int) -> PixelSize {
        var size = plane == 0 ? image.size : image.chromaSize
        for _ in 0..<level { size = PixelSize(size.width.dividedUp(by: 2), size.height.dividedUp(by: 2)) }
        return size
    }

    /// Adds the pass that draws a step of the filter.
    ///
    /// `size`: The size of the result; nil for the size that the step gives to the plane.
    private func add(
        _ step: Step, to plane: Plane, size: PixelSize? = nil, in recorder: inout StepRecorder
    ) throws(GraphError) -> Plane {
        var result = plane
        result.size = size ?? plane.size
        if case .halve = step {
            result.size = PixelSize(plane.size.width.dividedUp(by: 2), plane.size.height.dividedUp(by: 2))
            result.margin = PlaneFilter.margin
        }
        if case .double(isLast: true) = step { result.margin = 0 }
        let texels = PixelSize(
            result.size.width.dividedUp(by: plane.samplesPerTexel) + 2 * result.margin,
            result.size.height + 2 * result.margin)
        result.texture = try recorder.addTexture("\(plane.label), \(label)", texels, texel)
        let text = Text(step, plane, resultMargin: result.margin)
        recorder.append(
            .draw(
                Pass(
                    label: "\(label) \(text.name) of \(plane.label)", program: text.program, targets: [result.texture],
                    regions: [texels.bounds], blending: .none,
                    inputs: [PassInput(sampler: "plane0", texture: plane.texture)], uniforms: text.uniforms,
                    sources: plane.sources, pixels: result.size.area)))
        return result
    }
}

extension PlaneFilter {
    /// The precision that planes need while they are filtered.
    enum Precision {
        /// Eight bits suffice, because later steps hardly amplify the rounding errors.
        case rounded
        /// Floating-point numbers are needed, where the executor has them.
        case exact

        static let largestGrowthOfRounded = 1.05
        static let largestGrowth = 4.0
    }

    /// The kernel of a Gaussian for a plane, at a reduced size for a wide Gaussian.
    struct Bell {
        /// The largest deviation that is blurred at the plane's own size, in samples.
        ///
        /// A blur of a larger deviation at half the size differs by less than one 8-bit step from one at full size.
        private static let largestDeviation = 2.25

        /// The number of times that the plane is halved in width and height before the kernel is applied.
        private(set) var halvings = 0
        /// The weights of one side of the kernel at the reduced size, beginning with the centre's.
        let weights: [Double]

        /// Creates the kernel for a Gaussian; `mostHalvings` is the number of times that the executor can halve a
        /// plane.
        init(deviation: Double, isLuma: Bool, mostHalvings: Int = .max) {
            // Chroma samples stand for 2×2 pixels, so chroma has its own kernel.
            var rest = isLuma ? deviation : deviation / 2
            while rest > Self.largestDeviation && halvings < mostHalvings {
                halvings += 1
                // Reducing and enlarging the plane blur it as well, by variances of 3/4 each, in pixels of the larger
                // size.
                rest = max((rest * rest - 1.5) / 4, 0.01).squareRoot()
            }
            let own = GaussianKernel.weights(deviation: halvings > 0 ? rest : deviation)
            weights = halvings > 0 || isLuma ? own : GaussianKernel.folded(own)
        }
    }

    /// One packed plane of the image.
    private struct Plane {
        var texture: RenderPlan.TextureIndex
        /// The plane's size in samples, or in chroma pairs.
        var size: PixelSize
        /// True when a texel holds two chroma pairs, false when it holds four samples.
        var isPairs: Bool
        /// The number of texels around the plane: ``PlaneFilter/margin``, or 0.
        var margin = 0
        var sources: [NodeID]
        var label: String

        var samplesPerTexel: Int { isPairs ? 2 : 4 }
    }

    /// One step of a filter, which ``LibraryShader/planeFilter`` draws.
    private enum Step {
        /// Applies a symmetric kernel across; the centre's weight comes first.
        case across([Double])
        case down([Double])
        case halve
        case double(isLast: Bool)
    }

    /// The shader and the uniforms of one step.
    private struct Text {
        let name: String
        private(set) var program: FragmentProgram
        private(set) var uniforms: [Uniform]

        init(_ step: Step, _ plane: Plane, resultMargin: Int) {
            var writer = ProgramWriter()
            writer.define("PACKED")
            writer.add(LibraryShader.gray)
            if plane.isPairs { writer.define("PAIRS") }
            Self.addEdges(of: plane, to: &writer)
            switch step {
            case .across(let weights):
                name = "across"
                writer.define("FILTER", "0")
                let reach = (weights.count - 1).dividedUp(by: plane.samplesPerTexel)
                writer.define("TAPS", "\(2 * reach + 1)")
                let values = Self.taps(weights, reach: reach, isPairs: plane.isPairs)
                writer.add(Uniform("taps", plane.isPairs ? .vectors4(values) : .matrices4(values)))
            case .down(let weights):
                name = "down"
                writer.define("FILTER", "1")
                writer.define("TAPS", "\(2 * weights.count - 1)")
                let mirrored = weights.dropFirst().reversed() + weights
                writer.add(Uniform("taps", .floats(mirrored.map { Float($0) })))
            case .halve:
                name = "at half the size"
                writer.define("FILTER", "2")
                let shift = Int32(plane.margin - 2 * resultMargin)
                writer.add(Uniform("shift", .integers2(shift, shift)))
            case .double:
                name = "at twice the size"
                writer.define("FILTER", "3")
                writer.add(Uniform("shift", .integers2(Int32(-resultMargin), Int32(-resultMargin))))
                if !plane.isPairs { writer.add(LibraryShader.doubled) }
            }
            writer.add(LibraryShader.planeFilter)
            program = writer.program
            uniforms = writer.uniforms
        }

        /// Adds the code that repeats a plane's edge samples, and the position of the edges.
        private static func addEdges(of plane: Plane, to writer: inout ProgramWriter) {
            let count = plane.samplesPerTexel
            let texels = plane.size.width.dividedUp(by: count)
            // A plane with a margin has no partly filled texel.
            let filled = plane.margin > 0 ? count : plane.size.width - (texels - 1) * count
            let letters = plane.isPairs ? ["xy", "zw"] : ["x", "y", "z", "w"]
            func swizzle(_ part: (Int) -> Int) -> String { (0..<count).map { letters[part($0)] }.joined() }
            writer.define("FIRST", swizzle { _ in 0 })
            writer.define("LAST", swizzle { _ in filled - 1 })
            if filled < count { writer.define("PAD", swizzle { min($0, filled - 1) }) }
            let margins = 2 * plane.margin
            writer.add(
                Uniform(
                    "lastTexel", .integers2(Int32(texels + margins - 1), Int32(plane.size.height + margins - 1))))
        }

        /// The weights with which each texel, from the leftmost to the rightmost, contributes to the result's texel.
        ///
        /// The weights are ordered by sample of the texel, and then by sample of the result. Pairs come in another
        /// order: first the weights of both pairs in the first pair of the result, then in the second.
        private static func taps(_ weights: [Double], reach: Int, isPairs: Bool) -> [Float] {
            let count = isPairs ? 2 : 4
            return (-reach...reach).flatMap { texel in
                (0..<count * count).map { index in
                    let (outer, inner) = (index / count, index % count)
                    let (from, into) = isPairs ? (inner, outer) : (outer, inner)
                    let distance = abs(texel * count + from - into)
                    return distance < weights.count ? Float(weights[distance]) : 0
                }
            }
        }
    }
}

extension GaussianKernel {
    /// Folds a kernel for pixels into the kernel for samples that are means of two pixels.
    static func folded(_ kernel: [Double]) -> [Double] {
        func weight(_ index: Int) -> Double { abs(index) < kernel.count ? kernel[abs(index)] : 0 }
        return (0...kernel.count / 2).map { weight(2 * $0) + 0.5 * (weight(2 * $0 - 1) + weight(2 * $0 + 1)) }
    }
}
