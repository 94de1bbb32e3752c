import PipFrames
import PipGraph
import PipPlan
import PipShaders
import Testing

@Suite("What work costs on a machine")
struct WorkWeightsTests {
    /// The plan of an inset on an untouched picture.
    private func insetPlan(_ weights: WorkWeights?, isSoftware: Bool) throws -> RenderPlan {
        let (back, front) = (TestSource("back"), TestSource("front"))
        let picture = Compositor {
            Layer(back)
            Layer(front).placed(.topRight, width: 0.25, margin: 24)
        }
        var capabilities = PlanCapabilities()
        (capabilities.isSoftware, capabilities.weights) = (isSoftware, weights)
        return try plan(picture, [(back, .nv12, .hd720), (front, .nv12, .hd720)], capabilities: capabilities)
    }

    @Test("decides between plans that draw the same picture", arguments: [true, false])
    func decides(isSoftware: Bool) throws {
        let dearDrawing = WorkWeights(pixel: 5, movedByte: 1, copiedByte: 0.1)
        let dearCopying = WorkWeights(pixel: 0.01, movedByte: 0.1, copiedByte: 5)
        #expect(try insetPlan(dearDrawing, isSoftware: isSoftware).cost.bytesCopied > 0)
        #expect(try insetPlan(dearCopying, isSoftware: isSoftware).cost.bytesCopied == 0)
        #expect(
            try insetPlan(nil, isSoftware: isSoftware).cost
                == insetPlan(.typical(isSoftware: isSoftware), isSoftware: isSoftware).cost)
    }

    @Test("where reading an inset is all that is dear, only the main picture is copied")
    func partly() throws {
        // Means of 4 by 4 samples read all of the inset's frame.
        let weights = WorkWeights(pixel: 0.1, movedByte: 0.5, copiedByte: 0.6)
        let plan = try insetPlan(weights, isSoftware: true)
        #expect(plan.outputs[0].copies.allSatisfy { $0.region.size.width >= 640 } && !plan.passes.isEmpty)
        #expect(plan.cost.bytesCopied == 1280 * 720 * 3 / 2)
    }

    @Test("is the sum of pixels, bytes that are moved and bytes that are read to be copied")
    func time() throws {
        let plan = try insetPlan(nil, isSoftware: false)
        let cost = plan.cost
        #expect(plan.time(by: WorkWeights(pixel: 1, movedByte: 0, copiedByte: 0)) == Double(cost.pixels))
        #expect(
            plan.time(by: WorkWeights(pixel: 0, movedByte: 2, copiedByte: 0))
                == Double(2 * (cost.bytesUploaded + cost.bytesReadBack)))
        #expect(plan.time(by: WorkWeights(pixel: 0, movedByte: 0, copiedByte: 1)) == Double(cost.bytesCopied))
        let copied = try insetPlan(nil, isSoftware: true)
        // A quarter of the width: 16 samples for each that is written.
        #expect(
            copied.time(by: WorkWeights(pixel: 0, movedByte: 0, copiedByte: 1))
                == Double(1280 * 720 * 3 / 2 + 16 * 320 * 180 * 3 / 2))
    }
}
