import PipCompose

extension EffectCatalogue {
    /// Effects that look at the pixels around.
    static let imageTypes: [any Effect.Type] = [
        BoxBlur.self, Sharpen.self, UnsharpMask.self, TiltShift.self, Bilateral.self, SkinSmoothing.self,
        Convolution.self, Transform.self,
    ]

    /// Effects that remember earlier frames.
    static let temporalTypes: [any Effect.Type] = [LowPass.self, HighPass.self, MotionDetector.self, Trails.self]

    /// Effects that change a picture's look or shape.
    static let visualTypes: [any Effect.Type] = [
        Emboss.self, Sketch.self, ThresholdSketch.self, Toon.self, SmoothToon.self, Pixellate.self, Swirl.self,
        Bulge.self, Pinch.self, Stretch.self, Halftone.self, Crosshatch.self,
    ]
}
