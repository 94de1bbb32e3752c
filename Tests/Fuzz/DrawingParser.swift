import PipCompose
import PipConcurrency
import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPixels
import PipPlan
import PipRender
import Synchronization

@testable import PipRig
@testable import pip_compose

/// Draws plans on the CPU, with two sources of varied formats, sizes, strides and orientations, and varied effects.
///
/// An input consists of the bytes of a ``Shape``, a line with the inset's layout, and a line for each further effect,
/// in the command line's syntax.
struct DrawingParser: Parser {
    let name = "drawing"

    func parse(_ bytes: [UInt8]) {
        guard let shape = Shape(bytes) else { return }
        let lines = bytes.dropFirst(Shape.byteCount).split(separator: UInt8(ascii: "\n"))
            .map { String(decoding: $0, as: UTF8.self) }
        let layout = lines.first.flatMap { try? InsetLayout($0) } ?? InsetLayout()
        let texts = zip(["main", "inset", "output"], shape.effects).map { "\($0):\($1.example)" } + lines.dropFirst()
        let effects = texts.prefix(6).compactMap { try? EffectArgument($0) }
        guard effects.allSatisfy({ $0.chain.count <= 4 }) else { return }

        let main = DrawnSource(shape.main), inset = DrawnSource(shape.inset)
        var pictures: [PictureTarget: any FrameProducer] = [.main: main, .inset(0): inset]
        func apply(_ target: PictureTarget) -> any FrameProducer {
            var producer = pictures[target] ?? main
            for effect in effects.filter({ $0.target == target }).flatMap(\.effects) { producer = producer --> effect }
            return producer
        }
        pictures[.output] = Compositor(canvas: shape.canvas) {
            Layer(apply(.main))
            Layer(apply(.inset(0))).placed(layout.placement(at: 0)).styled(by: layout)
        }
        let node = apply(.output).node
        guard let plan = try? plan(of: node, [main, inset], shape) else { return }

        // The picture must not depend on the bytes after the rows, on uninitialized memory, or on the number of drawing
        // threads.
        let first = Self.draw(plan, [main.frame(padding: 0), inset.frame(padding: 0)], of: [main, inset])
        let second = Self.draw(
            plan, [main.frame(padding: 255), inset.frame(padding: 255)], of: [main, inset], Self.threads)
        precondition(first == second, "the same plan, drawn twice, gives different pictures")
    }

    private func plan(of node: GraphNode, _ sources: [DrawnSource], _ shape: Shape) throws -> RenderPlan {
        var graph = node.wiring.graph
        let sink = NodeID()
        graph.set(.sink(SinkRecord(DrawnSink(), input: node.id)), for: sink)
        let formats = sources.map {
            ($0.node.id, SourceFormat(layout: $0.layout, colorimetry: .bt709, orientation: $0.shape.orientation))
        }
        return try Planner.plan(
            PlanInput(
                graph: graph, sources: Dictionary(formats, uniquingKeysWith: { first, _ in first }),
                sinks: [sink: SinkRequest(format: shape.format)], capabilities: Capabilities?.none.plan,
                fuses: shape.fuses, effectQuality: shape.quality))
    }

    private static let threads = RowThreads(count: 2, leastPixels: 64)

    private static let context = RenderContext(clock: MonotonicClock())

    /// The samples of the picture that a new renderer draws from frames; nil if the renderer refuses.
    private static func draw(
        _ plan: RenderPlan, _ frames: [Frame], of sources: [DrawnSource], _ threads: RowThreads? = nil
    ) -> [UInt8]? {
        let ids = sources.map(\.node.id)
        let result = Monitor<Result<[UInt8]?, GLError>?>(nil)
        Task {
            let drawn = await context.perform { gpu in
                Result { () throws(GLError) in try draw(plan, frames, ids, threads, gpu) }
            }
            result.update { $0 = drawn }
        }
        return try? result.wait { $0 }?.get()
    }

    private static func draw(
        _ plan: RenderPlan, _ frames: [Frame], _ ids: [NodeID], _ threads: RowThreads?, _ gpu: isolated RenderContext
    ) throws(GLError) -> [UInt8]? {
        let renderer = Renderer()
        renderer.threads = threads
        let prepared = try renderer.prepare(plan, framesInFlight: 1, on: gpu)
        renderer.use(prepared)
        let shown = prepared.sources.map { id in ids.firstIndex(of: id).map { frames[$0] } }
        _ = try renderer.draw(shown, timestamp: .zero, sequence: 0, on: gpu)
        var samples: [UInt8]?
        try renderer.collect(timeout: .seconds(5), on: gpu) { _, frame in samples = frame.samples }
        return samples
    }
}

/// The properties of the sources and of the plan, which the first bytes of an input select.
private struct Shape {
    struct Source {
        var format: PixelFormat
        var size: PixelSize
        /// The padding after each row, in bytes.
        var padding: Int
        var orientation: Orientation
        var seed: UInt8
    }

    static let byteCount = 19

    var format: PixelFormat
    var canvas: PixelSize
    var fuses: Bool
    var quality: EffectQuality
    var main: Source
    var inset: Source
    /// The effects of the two sources and of the output, in this order.
    var effects: [EffectEntry]

    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.byteCount else { return nil }
        func size(_ index: Int) -> PixelSize { PixelSize(1 + Int(bytes[index]) % 160, 1 + Int(bytes[index + 1]) % 96) }
        func source(_ index: Int) -> Source {
            Source(
                format: PixelFormat.allCases[Int(bytes[index]) % PixelFormat.allCases.count], size: size(index + 1),
                padding: Int(bytes[index + 3]) % 40, orientation: Orientation.allCases[Int(bytes[index + 4]) % 8],
                seed: bytes[index + 5])
        }
        format = SinkRequest.formats[Int(bytes[0]) % SinkRequest.formats.count]
        fuses = bytes[1] & 1 == 0
        quality = bytes[1] & 2 == 0 ? .full : .reduced
        canvas = size(2)
        main = source(4)
        inset = source(10)
        let entries = EffectCatalogue.entries
        effects = bytes[16..<Self.byteCount].map { entries[Int($0) % entries.count] }
    }
}

/// A source whose planes are separate allocations without spare bytes.
///
/// The sanitizer thus detects reads beyond a plane.
private struct DrawnSource: FrameProducer {
    let node = GraphNode(.source(DrawnSpecification()))
    let shape: Shape.Source
    let layout: FrameLayout

    init(_ shape: Shape.Source) {
        self.shape = shape
        var layout = FrameLayout(shape.format, shape.size)
        for index in layout.planes.indices {
            layout.planes[index].offset = 0
            layout.planes[index].strideInBytes += shape.padding
        }
        self.layout = layout
    }

    /// A frame with varied samples.
    ///
    /// The bytes after each row have the value `padding`.
    func frame(padding: UInt8) -> Frame {
        let blocks = Blocks(layout.planes.map(\.byteCount))
        for (number, plane) in layout.planes.enumerated() {
            let memory = unsafe blocks.memory[number]
            for index in 0..<plane.byteCount {
                let (row, column) = index.quotientAndRemainder(dividingBy: plane.strideInBytes)
                let value = UInt8(truncatingIfNeeded: column * 5 + row * 11 + Int(shape.seed) * (row ^ column))
                unsafe memory[index] = column < plane.rowBytes ? value : padding
            }
        }
        return unsafe Frame(
            info: FrameInfo(layout: layout, colorimetry: .bt709),
            buffer: FrameBuffer(planes: blocks.memory, backing: blocks))
    }
}

/// The memory of a frame, one allocation for each plane.
@safe private final class Blocks {
    let memory: [UnsafeMutableRawBufferPointer]

    init(_ counts: [Int]) {
        unsafe memory = counts.map { .allocate(byteCount: $0, alignment: 1) }
    }

    deinit {
        for index in unsafe memory.indices { unsafe memory[index].deallocate() }
    }
}

private struct DrawnSpecification: SourceSpecification {
    var label: String { "source" }
}

private struct DrawnSink: SinkSpecification {
    var label: String { "sink" }
}

extension Frame {
    /// The samples of all planes, without padding.
    fileprivate var samples: [UInt8] {
        layout.planes.indices.flatMap { plane in
            withPlane(plane) { bytes, layout in
                (0..<layout.dimensions.height).flatMap { row in
                    (0..<layout.rowBytes).map {
                        unsafe bytes.unsafeLoad(fromByteOffset: row * layout.strideInBytes + $0, as: UInt8.self)
                    }
                }
            }
        }
    }
}
