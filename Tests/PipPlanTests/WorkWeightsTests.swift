import PipEffects
import PipFrames
import PipGraph
import PipPlan
import Testing

@Suite("Costs of work on a machine")
struct WorkWeightsTests {
    /// The plan of an inset on an untouched picture.
    private func insetPlan(_ weights: WorkWeights?, isSoftware: Bool) throws -> RenderPlan {
        let (back, front) = (TestSource("back"), TestSource("front"))
        let picture = Compositor {
            Layer(back)
            Layer(front).placed(.topRight, width: 0.25, margin: 24)
        }
        var capabilities = PlanCapabilities()
        (capabilities.renderer, capabilities.weights) = (isSoftware ? .software : .gpu, weights)
        return try plan(picture, [(back, .nv12, .hd720), (front, .nv12, .hd720)], capabilities: capabilities)
    }

    @Test("costs decide between plans that draw the same picture", arguments: [true, false])
    func decides(isSoftware: Bool) throws {
        let dearDrawing = Self.weights(pixel: 5, moved: 1, copied: 0.1)
        let dearCopying = Self.weights(pixel: 0.01, moved: 0.1, copied: 5)
        #expect(try insetPlan(dearDrawing, isSoftware: isSoftware).cost.bytesBlitted > 0)
        #expect(try insetPlan(dearCopying, isSoftware: isSoftware).cost.bytesBlitted == 0)
        #expect(
            try insetPlan(nil, isSoftware: isSoftware).cost
                == insetPlan(.typical(shadesOnCPU: isSoftware), isSoftware: isSoftware).cost)
    }

    @Test("where only the reading of an inset is expensive, only the main picture is copied")
    func partly() throws {
        var weights = Self.weights(pixel: 1, moved: 0.2, copied: 0.1)
        weights.averagedByte = 5
        let plan = try insetPlan(weights, isSoftware: true)
        #expect(plan.outputs[0].blits.allSatisfy { $0.region.size.width >= 640 } && !plan.passes.isEmpty)
        #expect(plan.cost.bytesBlitted == 1280 * 720 * 3 / 2)
    }

    @Test("the cost is the sum of pixels and of bytes that are moved, copied, changed or averaged")
    func time() throws {
        let plan = try insetPlan(nil, isSoftware: false)
        let cost = plan.cost
        #expect(plan.time(by: Self.weights(pixel: 1)) == Double(cost.pixels))
        #expect(plan.time(by: Self.weights(moved: 2)) == Double(2 * (cost.bytesUploaded + cost.bytesReadBack)))
        #expect(plan.time(by: Self.weights(copied: 1)) == Double(cost.bytesBlitted))
        let copied = try insetPlan(nil, isSoftware: true)
        // At a quarter of the width, each written sample reads 16 samples.
        #expect(copied.time(by: Self.weights(copied: 1)) == Double((1280 * 720 + 16 * 320 * 180) * 3 / 2))
        var changes = Self.weights()
        changes.changedByte = 1
        #expect(copied.time(by: changes) == 0)
        #expect(try written(Contrast(1.5)).time(by: changes) == Double(1280 * 720 * 3 / 2))
        var filters = Self.weights()
        filters.filteredByte = 1
        // The kernels of luma and chroma have seven and four weights, both across and down.
        #expect(try written(GaussianBlur(radius: 2)).time(by: filters) == Double(1280 * 720 * (14 + 8 / 2)))
        var scales = Self.weights()
        scales.scaledByte = 1
        // Each result averages 1.5 by 1.5 samples: the CPU reads 2.5 rows in each of 1.5 columns, and then adds 2.5
        // column sums.
        let scaled = try written(Contrast(1), from: PixelSize(1920, 1080)).time(by: scales)
        #expect(scaled == 1280 * 720 * 1.5 * (2.5 + 2.5 * 1.5))
    }

    /// The plan of a picture with an effect that the CPU writes.
    private func written(_ effect: some Effect, from size: PixelSize = .hd720) throws -> RenderPlan {
        let source = TestSource()
        var capabilities = PlanCapabilities()
        capabilities.renderer = .software
        let picture = Compositor(canvas: .hd720) { Layer(source --> effect) }
        return try plan(picture, [(source, .nv12, size)], capabilities: capabilities)
    }

    /// Weights in which copied, changed and averaged bytes cost the same.
    private static func weights(pixel: Double = 0, moved: Double = 0, copied: Double = 0) -> WorkWeights {
        WorkWeights(
            pixel: pixel, movedByte: moved, copiedByte: copied, changedByte: copied, averagedByte: copied,
            filteredByte: 0, scaledByte: 0, rowPixel: 0)
    }
}
