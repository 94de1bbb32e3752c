import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPixels
import PipPlan
import PipRender
import Testing

struct NamedSource: SourceSpecification {
    var label: String
}

struct NamedSink: SinkSpecification {
    var label = "sink"
}

/// A source of one frame, which a test makes.
struct TestSource: FrameProducer {
    let node: GraphNode
    let frame: Frame
    let orientation: Orientation

    init(_ frame: Frame, orientation: Orientation = .identity) {
        node = GraphNode(.source(NamedSource(label: "source")))
        self.frame = frame
        self.orientation = orientation
    }
}

/// Plans a node's output for one sink.
func planned(
    _ producer: some FrameProducer, _ sources: [TestSource], to request: SinkRequest, capabilities: PlanCapabilities,
    fuses: Bool = true, effectQuality: EffectQuality = .full, isShareable: Bool = false
) throws -> RenderPlan {
    try planned(
        [(producer.node, request)], sources, capabilities: capabilities, fuses: fuses, effectQuality: effectQuality,
        isShareable: isShareable
    ).plan
}

/// Plans outputs of several nodes of one graph.
///
/// Also returns the sink of each output.
func planned(
    _ wishes: [(node: GraphNode, request: SinkRequest)], _ sources: [TestSource], capabilities: PlanCapabilities,
    fuses: Bool = true, effectQuality: EffectQuality = .full, isShareable: Bool = false
) throws -> (plan: RenderPlan, sinks: [NodeID]) {
    var graph = wishes.last?.node.wiring.graph ?? Graph()
    let sinks = wishes.map { _ in NodeID() }
    for (sink, wish) in zip(sinks, wishes) {
        graph.set(.sink(SinkRecord(NamedSink(), input: wish.node.id)), for: sink)
    }
    let formats = sources.map {
        (
            $0.node.id,
            SourceFormat(
                layout: $0.frame.layout, colorimetry: $0.frame.info.colorimetry, orientation: $0.orientation,
                isShareable: isShareable)
        )
    }
    let requests = Dictionary(uniqueKeysWithValues: zip(sinks, wishes.map(\.request)))
    let plan = try Planner.plan(
        PlanInput(
            graph: graph, sources: Dictionary(formats, uniquingKeysWith: { first, _ in first }), sinks: requests,
            capabilities: capabilities, fuses: fuses, effectQuality: effectQuality))
    return (plan, sinks)
}

/// Draws a node's output with OpenGL ES, and expects the same result from the CPU on several threads.
///
/// `rowsWithin` is the tolerance for the CPU's result in steps of 8 bits; nil skips the comparison. The CPU's result is
/// also not compared when `capabilities` changes the executors, or when the CPU cannot draw an effect.
func rendered(
    _ producer: some FrameProducer, _ sources: [TestSource], to format: PixelFormat, size: PixelSize? = nil,
    colorimetry: Colorimetry? = nil, fuses: Bool = true, effectQuality: EffectQuality = .full, rowsWithin: Int? = 1,
    on gpu: RenderContext, capabilities change: @Sendable (inout PlanCapabilities) -> Void = { _ in },
    location: SourceLocation = #_sourceLocation
) async throws -> Frame {
    var capabilities = gpu.capabilities.plan
    // These traits make the plan draw everything, unless a test wants the CPU to copy planes.
    capabilities.renderer = .gpu
    change(&capabilities)
    let request = SinkRequest(format: format, size: size, colorimetry: colorimetry)
    let frame = try await drawn(
        try planned(
            producer, sources, to: request, capabilities: capabilities, fuses: fuses, effectQuality: effectQuality),
        sources, on: gpu)
    guard let rowsWithin, capabilities.executors == [.gl] else { return frame }
    capabilities.executors = [.cpu]
    do {
        let plan = try planned(
            producer, sources, to: request, capabilities: capabilities, fuses: fuses, effectQuality: effectQuality)
        let difference = largestDifference(
            frame, try await drawn(plan, sources, onThreads: true, on: gpu))
        // Software GL mixes bytes in integers, which later layers reveal.
        //
        // A Gaussian blur of planes lies within 1.5 steps of the exact one, by either executor.
        let mixes = plan.rowPasses.count(where: \.contents.isBlended)
        let blits = plan.outputs.flatMap(\.blits)
        let isRoundedTwice = mixes > 1 || (mixes > 0 && !blits.isEmpty)
        let isBell = blits.contains { $0.conversion.kernel?.isHalved == true }
        #expect(
            difference <= rowsWithin + (isRoundedTwice || isBell ? 1 : 0) + Int(hardwareSlack(gpu) * 6),
            "by the CPU: \(plan.rowPasses.map(\.label))",
            sourceLocation: location)
    } catch GraphError.undrawable {
        // The CPU cannot draw a test's own GLSL.
    }
    return frame
}

/// Draws a node's output with the CPU, except for the effects that `isForRows` refuses.
///
/// - Returns: The frame; nil if one of the two executors would draw everything.
func renderedMixed(
    _ producer: some FrameProducer, _ sources: [TestSource], to format: PixelFormat, on gpu: RenderContext,
    byRows isForRows: (UInt64) -> Bool
) async throws -> Frame? {
    var capabilities = gpu.capabilities.plan
    capabilities.executors = [.cpu, .gl]
    capabilities.rows.effects = capabilities.rows.effects.filter(isForRows)
    // The CPU's rows cost nothing here, so that OpenGL ES draws only the effects that the CPU cannot.
    capabilities.weights = WorkWeights(
        pixel: 1, movedByte: 0, copiedByte: 0, changedByte: 0, averagedByte: 0, filteredByte: 0, scaledByte: 0,
        rowPixel: 0)
    let plan = try planned(producer, sources, to: SinkRequest(format: format), capabilities: capabilities)
    guard plan.isMixed else { return nil }
    return try await drawn(plan, sources, on: gpu)
}

/// Draws a plan once.
///
/// The CPU draws in bands of a few rows on several threads if `onThreads` is true.
func drawn(
    _ plan: RenderPlan, _ sources: [TestSource], onThreads: Bool = false, on gpu: RenderContext
) async throws -> Frame {
    let isShared = try await SharedContext.get() === gpu
    return try await gpu.perform { gpu in
        let renderer = SharedContext.renderer(on: gpu, isShared: isShared)
        // Each renderer gets its own threads, since only one thread may give a pool work.
        renderer.threads = onThreads ? RowThreads(count: 3, leastPixels: 100) : nil
        let prepared = try renderer.prepare(plan, framesInFlight: 1, on: gpu)
        renderer.use(prepared)
        let frames = prepared.sources.map { id in sources.first { $0.node.id == id }?.frame }
        _ = try renderer.draw(frames, timestamp: .zero, sequence: 0, on: gpu)
        var result: Frame?
        try renderer.collect(timeout: .seconds(10), on: gpu) { _, frame in result = frame }
        guard let result else { throw NoFrame() }
        return result
    }
}

struct NoFrame: Error {}

/// The additional tolerance for a GPU, in steps of 8 bits; 0 for a software renderer.
///
/// A GPU filters with 8-bit weights, and may round its results up or down.
func hardwareSlack(_ gpu: RenderContext) -> Double { gpu.capabilities.plan.renderer.shadesOnCPU ? 0 : 0.5 }

/// A frame whose bytes are a function of the plane, the byte's column and the row; padding bytes are 0xaa.
func makeFrame(
    _ format: PixelFormat, _ size: PixelSize, stride: Int? = nil, colorimetry: Colorimetry = .bt709,
    _ value: (Int, Int, Int) -> UInt8
) -> Frame {
    let layout = FrameLayout(format, size, stride: stride)
    let buffer = FrameBuffer(layout)
    for (plane, planeLayout) in layout.planes.enumerated() {
        let bytes = unsafe buffer.mutableBytes(ofPlane: plane)
        for row in 0..<planeLayout.dimensions.height {
            for column in 0..<planeLayout.strideInBytes {
                let inside = column < planeLayout.rowBytes
                unsafe bytes[planeLayout.offset + row * planeLayout.strideInBytes + column] =
                    inside ? value(plane, column, row) : 0xaa
            }
        }
    }
    return Frame(info: FrameInfo(layout: layout, colorimetry: colorimetry), buffer: buffer)
}

/// The bytes of a plane without padding.
func bytes(of frame: Frame, plane: Int) -> [UInt8] {
    frame.withPlane(plane) { span, layout in
        var result: [UInt8] = []
        for row in 0..<layout.dimensions.height {
            let start = row * layout.strideInBytes
            unsafe span.withUnsafeBytes { unsafe result.append(contentsOf: $0[start..<start + layout.rowBytes]) }
        }
        return result
    }
}

/// The largest difference between two frames of equal format and size.
func largestDifference(_ first: Frame, _ second: Frame) -> Int {
    var largest = 0
    for plane in first.layout.planes.indices {
        for (one, other) in zip(bytes(of: first, plane: plane), bytes(of: second, plane: plane)) {
            largest = max(largest, abs(Int(one) - Int(other)))
        }
    }
    return largest
}

/// A smooth picture with some detail, different for each seed, with codes from 70 to 160.
func testPicture(_ format: PixelFormat, _ size: PixelSize, seed: Int = 0, colorimetry: Colorimetry = .bt709) -> Frame {
    makeFrame(format, size, colorimetry: colorimetry) { (plane: Int, column: Int, row: Int) -> UInt8 in
        let (across, down): (Int, Int) = (column * (3 + seed), row * (5 + plane * 2))
        let wave: Int = (across + down + seed * 37) % 160
        let ramp: Int = wave < 80 ? wave : 160 - wave
        let detail: Int = (column * 7 + row * 13 + seed) % 11
        return UInt8(70 + ramp + detail)
    }
}
