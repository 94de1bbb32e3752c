package import PipCompose

extension EffectCatalogue {
    /// Effects that change colour, such as contrast, and effects of histograms.
    package static let colorTypes: [any Effect.Type] = [
        Brightness.self, Contrast.self, Saturation.self, Gamma.self, Exposure.self, ChannelGain.self, Hue.self,
        Sepia.self, Grayscale.self, Invert.self, ColorMatrix.self, HSB.self, Levels.self, Vibrance.self,
        WhiteBalance.self, HighlightShadow.self, HighlightShadowTint.self, SkinTone.self, Monochrome.self,
        FalseColor.self, Haze.self, Opacity.self, ChromaKey.self, LuminanceThreshold.self, LuminanceRange.self,
        Solarize.self, Posterize.self, LiftGammaGain.self, Dither.self, ToneCurve.self, Lookup.self, Cube.self,
        HistogramEqualization.self, HistogramDisplay.self, CLAHE.self,
    ]
}
