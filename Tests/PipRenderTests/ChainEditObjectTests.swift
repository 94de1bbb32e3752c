import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPlan
import PipTestSupport
import Testing

@testable import PipRender

@Suite("A chain after a thousand edits", .serialized)
struct ChainEditObjectTests {
    /// Effects that keep grey pictures grey; some need additional textures and programs.
    private static func filters() -> [any EditableFilter] {
        [
            Filter(Invert()), Filter(Brightness(0.1)), Filter(Invert()), Filter(GaussianBlur(radius: 2)),
            Filter(Contrast(0.5)), Filter(Mirror()),
        ]
    }

    @Test("an edited chain is drawn correctly, and leaves the number of textures, framebuffers and buffers unchanged")
    func objects() async throws {
        let seed = 3
        print("a thousand edits of seed \(seed)")
        var dice = Dice(seed)
        let source = TestSource(makeFrame(.gray, PixelSize(24, 16)) { _, _, _ in 140 })
        // This filter stays at the end of the chain: other filters are inserted directly after the source.
        let end = AnyProducer(node: (source --> Brightness(0)).node)
        let gpu = try await RenderContext()
        let drawing = ChainDrawing()
        let first = try await drawing.draw(end, source, on: gpu)
        let filters = Self.filters()
        var order: [Int] = []
        for _ in 0..<1000 {
            let chosen = Int.random(in: filters.indices, using: &dice)
            switch Int.random(in: 0..<4, using: &dice) {
            case 0:
                filters[chosen].remove()
                order.removeAll { $0 == chosen }
            case 1: filters[chosen].isMuted.toggle()
            default:
                try filters[chosen].put(after: source)
                order.removeAll { $0 == chosen }
                order.insert(chosen, at: 0)
            }
            let drawn = try await drawing.draw(end, source, on: gpu)
            let shown = order.map { filters[$0] }.filter { !$0.isMuted }
            #expect(abs(Double(drawn.gray) - shown.reduce(first.gray) { $1.gray(of: $0) }) <= 2, "\(order)")
        }
        for filter in filters { filter.remove() }
        let last = try await drawing.draw(end, source, on: gpu)
        #expect(last.gray == first.gray)
        #expect(last.textures == first.textures)
        #expect(last.objects.framebuffers == first.objects.framebuffers)
        #expect(last.objects.buffers == first.objects.buffers)
    }
}

/// A filter whose effect's type is erased.
private protocol EditableFilter {
    var isMuted: Bool { get nonmutating set }
    func put(after producer: TestSource) throws
    func remove()
    /// The expected result for a grey, both from 0 to 255.
    func gray(of value: Double) -> Double
}

extension Filter: EditableFilter {
    fileprivate func put(after producer: TestSource) throws { try insert(after: producer) }

    fileprivate func gray(of value: Double) -> Double {
        switch effect {
        case is Invert: 255 - value
        case let effect as Brightness: value + 255 * Double(effect.brightness)
        case let effect as Contrast: (value - 127.5) * Double(effect.contrast) + 127.5
        default: value
        }
    }
}

/// A renderer with its own textures, which draws one plan after another.
private final class ChainDrawing: @unchecked Sendable {
    // Only the context's thread uses the textures and the renderer.
    private let textures = TexturePool(byteBudget: 0)
    private let renderer: Renderer

    init() { renderer = Renderer(programCache: ProgramCache(limit: 64, folder: nil), textures: textures) }

    struct Drawn {
        var gray: Double
        var textures: Int
        var objects: ObjectCounts
    }

    /// Plans and draws the present output of `end`.
    func draw(_ end: AnyProducer, _ source: TestSource, on gpu: RenderContext) async throws -> Drawn {
        let plan = try planned(
            end, [source], to: SinkRequest(format: .rgba), capabilities: gpu.capabilities.plan)
        return try await gpu.perform { [self] gpu in
            let prepared = try renderer.prepare(plan, framesInFlight: 1, on: gpu)
            renderer.use(prepared)
            _ = try renderer.draw([source.frame], timestamp: .zero, sequence: 0, on: gpu)
            var result: Frame?
            try renderer.collect(timeout: .seconds(10), on: gpu) { _, frame in result = frame }
            guard let result else { throw NoFrame() }
            gpu.deletePending()
            return Drawn(
                gray: Double(bytes(of: result, plane: 0)[0]), textures: textures.counters.live,
                objects: gpu.objectCounts)
        }
    }
}
