import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipPlan
import Testing

@Suite("Blurs at a reduced size", .serialized)
struct ReducedBlurTests {
    private static let blurs: [any Effect] = [
        GaussianBlur(radius: 2), GaussianBlur(radius: 4), GaussianBlur(radius: 7), GaussianBlur(radius: 12),
        BoxBlur(radius: 8), BoxBlur(radius: 17.5),
    ]

    // At the picture's edges, a reduced blur repeats the outermost means instead of the outermost pixels.
    @Test(
        "a reduced blur equals a full-size blur within three steps, away from the picture's edges",
        arguments: blurs.indices)
    func likeFull(index: Int) async throws {
        let gpu = try await SharedContext.get()
        // Fine stripes and a hard edge are the most difficult to preserve.
        let picture = makeFrame(.rgba, PixelSize(120, 90)) { _, column, row in
            if column % 4 == 3 { return 255 }
            return column / 4 < 60 ? 60 : (column / 4 + row) % 8 < 4 ? 90 : 180
        }
        let source = TestSource(picture)
        let chain = AnyProducer(node: source.node).applying(Gamma(1.2)).applying(Self.blurs[index])
        let full = try await rendered(chain, [source], to: .rgba, on: gpu)
        let reduced = try await rendered(chain, [source], to: .rgba, effectQuality: .reduced, on: gpu)
        let (one, other) = (bytes(of: full, plane: 0), bytes(of: reduced, plane: 0))
        let inner = (30..<60).flatMap { row in (30..<90).map { (row * 120 + $0) * 4 } }
        let difference = inner.map { abs(Int(one[$0]) - Int(other[$0])) }.max() ?? 255
        #expect(difference <= 3, "\(Self.blurs[index].label): \(difference)")
        #expect(one != other)
    }
}
