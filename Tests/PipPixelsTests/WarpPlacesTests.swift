import CPixels
import PipEffects
import PipFrames
import PipPlan
import Testing

@testable import PipPixels

@Suite("The places that a warp reads")
struct WarpPlacesTests {
    private static let size = PixelSize(320, 180)

    private func function(of effect: some Effect) throws -> ShaderCall {
        let context = EffectContext(matrix: .bt709, scale: 1, size: Self.size)
        guard case .warp(let function) = effect.operation(in: context) else { throw NoWarp() }
        return function
    }

    private struct NoWarp: Error {}

    private func places(of function: ShaderCall) throws -> (EffectCall, WarpPlaces) {
        let set = RowSet.best
        let call = try #require(EffectCall(function, set.set))
        let (width, height) = (Double(Self.size.width), Double(Self.size.height))
        let places = WarpPlaces(
            call,
            WarpGrid(
                region: RowRegion(columns: 0..<Self.size.width, rows: 0..<Self.size.height),
                positions: .scale(1 / width, 1 / height)),
            place: .scale(width, height), size: Self.size, set.functions)
        return (call, places)
    }

    @Test("pixels that a swirl leaves in place are copied, and only the others have places")
    func runs() throws {
        let (_, places) = try places(of: try function(of: Swirl()))
        places.update()
        let first = Array(places.runs(0))
        // The swirl reaches the picture's upper edge in the middle.
        #expect(first[0].copied ?? (1, 1) == (0, 0) && first[0].count >= 128)
        let middle = Array(places.runs(90))
        #expect(middle.map(\.count).reduce(0, +) == 320)
        #expect(middle[0].copied ?? (1, 1) == (0, 90))
        // The swirl covers 180 columns, rounded to blocks of 16.
        #expect(middle.contains { $0.copied == nil && (176...208).contains($0.count) })
    }

    @Test("places are computed again when a uniform changes with time, and only then")
    func changes() throws {
        var function = try function(of: PixellatePosition())
        for index in function.uniforms.indices where function.uniforms[index].name == "radius" {
            function.uniforms[index].value = .share(ActivePeriod(fade: .seconds(10)))
        }
        let (call, places) = try places(of: function)
        func copied(at time: Duration) -> Int {
            call.begin(PlaneMemory(count: 0), at: time)
            places.update()
            return places.runs(90).reduce(0) { $0 + ($1.copied == nil ? 0 : $1.count) }
        }
        #expect(copied(at: .zero) >= 304)
        let changes = call.changes
        #expect(copied(at: .seconds(5)) < 200 && call.changes == changes + 1)
        #expect(copied(at: .seconds(5)) < 200 && call.changes == changes + 1)
    }
}
