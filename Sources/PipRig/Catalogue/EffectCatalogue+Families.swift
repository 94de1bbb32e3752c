package import PipCompose

extension EffectCatalogue {
    /// Filters, transforms, edge detectors and similar effects.
    package static let imageTypes: [any Effect.Type] =
        [
            Sharpen.self, UnsharpMask.self, Convolution.self, Transform.self, Crop.self, SkinSmoothing.self,
            HighPassSkinSmoothing.self,
        ] + blurTypes + edgeTypes + morphologyTypes

    private static let blurTypes: [any Effect.Type] = [
        BoxBlur.self, LineBlur.self, TiltShift.self, SelectiveBlur.self, BlurPosition.self, FrostedGlass.self,
        MotionBlur.self,
        ZoomBlur.self, HexagonalBokeh.self, Bilateral.self, SurfaceBlur.self, Median.self, Kuwahara.self, Glow.self,
        Diffusion.self,
    ]

    private static let edgeTypes: [any Effect.Type] = [
        Prewitt.self, ThresholdEdge.self, DirectionalSobel.self, Canny.self, Laplacian.self, Corners.self,
        LocalBinaryPattern.self,
        BoxHighPass.self, AdaptiveThreshold.self, AverageLuminanceThreshold.self, AverageColor.self,
        Luminosity.self, NonMaximumSuppression.self, XYDerivative.self, ColorFAST.self,
        HoughLines.self,
    ]

    private static let morphologyTypes: [any Effect.Type] = [
        Dilation.self, Erosion.self, Opening.self, Closing.self,
    ]

    /// Effects that read earlier frames.
    package static let temporalTypes: [any Effect.Type] = [
        LowPass.self, HighPass.self, MotionDetector.self, Trails.self,
    ]

    /// Effects that stylize or distort a picture, or draw shapes and patterns.
    package static let visualTypes: [any Effect.Type] = [
        Emboss.self, Sketch.self, ThresholdSketch.self, Toon.self, SmoothToon.self, Pixellate.self,
        PixellatePosition.self, PolarPixellate.self, PolkaDot.self, Halftone.self, ColorHalftone.self, DotScreen.self,
        Crosshatch.self, Mosaic.self, CGAColors.self, PerlinNoise.self, Swirl.self, Bulge.self, Pinch.self,
        Stretch.self, SoftElegance.self, SphereRefraction.self, GlassSphere.self, Crosshairs.self,
        Lines.self, Circle.self, Voronoi.self,
    ]
}
