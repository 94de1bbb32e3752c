import PipEffects
import PipFrames
import Testing

/// Tests how far effects read around a pixel, for scales of the picture.
struct WindowTests {
    @Test(
        "a window reaches no further than the effect's longest radius, however large the picture is drawn",
        arguments: [Kuwahara(radius: 10) as any Effect, SurfaceBlur()])
    func reach(_ effect: any Effect) {
        for scale in [0.5, 1, 1.7, 16, 129] {
            let context = EffectContext(matrix: .bt709, scale: scale, size: PixelSize(1920, 1080))
            let calls = Self.calls(effect.operation(in: context))
            #expect(calls.count == 1)
            let reaches = calls.flatMap(\.uniforms).filter { $0.name == "reach" }.map { Self.first(of: $0.value) }
            #expect(reaches.count == 1 && reaches.allSatisfy { (1...12).contains($0) }, "at \(scale): \(reaches)")
        }
    }

    @Test("a window of one pixel changes nothing")
    func ownPixel() {
        let context = EffectContext(matrix: .bt709, scale: 0.1, size: PixelSize(192, 108))
        #expect(Kuwahara(radius: 3).operation(in: context) == .none)
    }

    @Test(
        "a Gaussian has 1486 weights a side at most, however large the picture is drawn",
        arguments: [LineBlur() as any Effect, FrostedGlass(), GaussianBlur(radius: 8)])
    func deviation(_ effect: any Effect) {
        let context = EffectContext(matrix: .bt709, scale: 4096, size: PixelSize(1920, 1080))
        #expect(Self.kernels(effect.operation(in: context)) == [1486])
    }

    /// The number of weights on one side of each kernel, the centre's included.
    private static func kernels(_ operation: EffectOperation) -> [Int] {
        switch operation {
        case .kernel(let weights, _): [weights.count]
        case .gaussian(let deviation): [GaussianKernel.weights(deviation: deviation).count]
        case .sequence(let operations): operations.flatMap(kernels)
        default: []
        }
    }

    private static func first(of value: UniformValue) -> Float {
        switch value {
        case .float(let value), .vector2(let value, _): value
        default: .nan
        }
    }

    private static func calls(_ operation: EffectOperation) -> [ShaderCall] {
        switch operation {
        case .sampler(let call): [call]
        case .sequence(let operations): operations.flatMap(calls)
        default: []
        }
    }
}
