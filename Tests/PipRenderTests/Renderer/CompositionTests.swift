import PipEffects
import PipFrames
import PipGL
import PipGraph
import PipTestSupport
import Testing

@Suite("Compositions on the GPU")
struct CompositionTests {
    @Test(
        "an untouched main picture arrives byte for byte, and the inset as the mean of its samples",
        arguments: [PixelFormat.nv12, .i420])
    func plainPictureInPicture(format: PixelFormat) async throws {
        let gpu = try await RenderContext()
        let main = TestSource(testPicture(format, PixelSize(320, 180)))
        let inset = TestSource(testPicture(format, PixelSize(320, 192), seed: 3))
        let picture = Compositor {
            Layer(main)
            Layer(inset).placed(x: 232, y: 8, width: 80)
        }
        let frame = try await rendered(picture, [main, inset], to: format, on: gpu)
        let luma = bytes(of: frame, plane: 0)
        let mainLuma = bytes(of: main.frame, plane: 0)
        let insetLuma = bytes(of: inset.frame, plane: 0)
        for y in 0..<180 {
            for x in 0..<320 {
                let actual = Int(luma[y * 320 + x])
                guard (232..<312).contains(x), (8..<56).contains(y) else {
                    if actual != Int(mainLuma[y * 320 + x]) { Issue.record("main differs at \(x), \(y)") }
                    continue
                }
                var sum = 0
                for j in 0..<4 { for i in 0..<4 { sum += Int(insetLuma[((y - 8) * 4 + j) * 320 + (x - 232) * 4 + i]) } }
                #expect(abs(Double(actual) - Double(sum) / 16) <= 0.51, "inset at \(x), \(y)")
            }
        }
    }
}
