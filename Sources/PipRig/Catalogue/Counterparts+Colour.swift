internal import PipCompose

extension CounterpartFamily {
    static let colour = CounterpartFamily(
        "Colour",
        [
            .effect(
                Brightness.self, .gpuImage("Brightness"), .gpuImage2("BrightnessAdjustment"), .dtLiving("brightness"),
                .metalPetal("Brightness"),
                .coreImage(
                    "CIColorControls", .differs("write brightness, contrast and saturation, each an effect of its own"))
            ),
            .effect(
                Exposure.self, .gpuImage("Exposure"), .gpuImage2("ExposureAdjustment"), .dtLiving("exposure"),
                .metalPetal("Exposure"), .ffmpeg("exposure"), .coreImage("CIExposureAdjust")),
            .effect(
                Contrast.self, .gpuImage("Contrast"), .gpuImage2("ContrastAdjustment"), .dtLiving("contrast"),
                .metalPetal("Contrast"),
                .ffmpeg("eq", .differs("write contrast, brightness, saturation and gamma, each an effect of its own"))),
            .effect(
                Saturation.self, .gpuImage("Saturation"), .gpuImage2("SaturationAdjustment"), .dtLiving("saturation"),
                .metalPetal("Saturation")),
            .effect(
                Gamma.self, .gpuImage("Gamma"), .gpuImage2("GammaAdjustment"), .dtLiving("gamma"),
                .coreImage("CIGammaAdjust")),
            .effect(
                Levels.self, .gpuImage("Levels"), .gpuImage2("LevelsAdjustment"), .dtLiving("levels"),
                .ffmpeg(
                    "colorlevels",
                    .noted("min, max, min-out and max-out are for all colours, red, green and blue for one"))),
            .effect(
                ColorMatrix.self, .gpuImage("ColorMatrix"), .gpuImage2("ColorMatrixFilter"), .dtLiving("colorMatrix"),
                .metalPetal("ColorMatrix"),
                .ffmpeg("colorchannelmixer", .noted("FFmpeg's 16 numbers are one value, with blanks between them")),
                .coreImage("CIColorMatrix", .noted("matrix has Core Image's four vectors as 16 numbers, and no bias"))),
            .effect(
                ChannelGain.self, .gpuImage("RGB"), .gpuImage2("RGBAdjustment"), .dtLiving("rgb"),
                .coreImage("CIWhitePointAdjust", .differs("red, green and blue are factors, in place of a white point"))
            ),
            .effect(
                Hue.self, .gpuImage("Hue"), .gpuImage2("HueAdjustment"), .dtLiving("hue"),
                .ffmpeg(
                    "hue",
                    .differs(
                        "ours turns the colour differences of BT.601; FFmpeg's s and b are saturation and brightness")),
                .coreImage("CIHueAdjust", .noted("hue is in degrees, not in radians"))),
            .effect(
                HSB.self,
                .ffmpeg("huesaturation", .differs("saturation and brightness are factors, and for all colours alike")),
                note: "GPUImage has it as HSBFilter, outside its list, with luma weights of its own: see Porting"),
            .effect(
                Vibrance.self, .gpuImage("Vibrance"), .gpuImage2("Vibrance"), .metalPetal("Vibrance"),
                .ffmpeg("vibrance", .differs("the formulas differ")),
                .coreImage("CIVibrance", .differs("Core Image's formula is not published"))),
            .effect(
                WhiteBalance.self,
                .gpuImage("WhiteBalance", .noted("the tint is another, since the original transposes its matrices")),
                .gpuImage2("WhiteBalance", .noted("the tint is another, since the original transposes its matrices")),
                .ffmpeg("colortemperature", .differs("temperature is 4000 to 7000 K, 5000 changing nothing")),
                .coreImage("CITemperatureAndTint", .differs("temperature and tint take the place of two white points"))),
            .effect(
                ToneCurve.self, .gpuImage("ToneCurve"), .metalPetal("RGBToneCurve"),
                .ffmpeg("curves", .noted("all is FFmpeg's curve of that name; tone-curve has no presets")),
                .ffmpeg("lutrgb", .differs("curves go through points; an effect of a GLSL file takes any formula")),
                .ffmpeg("lut1d", .differs("curves go through points; file takes an .acv file")),
                .coreImage("CIToneCurve", .noted("all is the list of Core Image's points"))),
            .effect(
                HighlightShadow.self, .gpuImage("HighlightShadow"), .gpuImage2("HighlightsAndShadows"),
                .coreImage("CIHighlightShadowAdjust", .differs("each pixel counts alone; there is no radius"))),
            .effect(HighlightShadowTint.self, .gpuImage("HighlightShadowTint"), .gpuImage2("HighlightAndShadowTint")),
            .effect(
                Lookup.self, .gpuImage("Lookup"), .gpuImage2("LookupFilter"), .metalPetal("ColorLookup"),
                .ffmpeg(
                    "haldclut",
                    .differs("the table is a picture of 64 tiles, not a Hald picture; cube=FILE takes a .cube file")),
                .ffmpeg("lut", .differs("a table in a picture is lookup=FILE, one in a .cube file cube=FILE"))),
            .effect(
                Lookup.self, .gpuImage("Amatorka", .differs("the preset is a picture of a table: lookup=FILE")),
                .gpuImage2("AmatorkaFilter", .differs("the preset is a picture of a table: lookup=FILE"))),
            .effect(
                Lookup.self, .gpuImage("MissEtikate", .differs("the preset is a picture of a table: lookup=FILE")),
                .gpuImage2("MissEtikateFilter", .differs("the preset is a picture of a table: lookup=FILE"))),
            .effect(
                SoftElegance.self,
                .gpuImage("SoftElegance", .differs("ours is a paler look, by matrices in place of GPUImage's tables")),
                .gpuImage2("SoftElegance", .differs("ours is a paler look, by matrices in place of GPUImage2's tables"))
            ),
            .effect(
                Cube.self, .ffmpeg("lut3d"),
                .coreImage("CIColorCube", .noted("file is a .cube file, in place of Core Image's data")),
                note: "a table from a `.cube` file"),
            .effect(SkinTone.self, .gpuImage("SkinTone")),
            .effect(
                Invert.self, .gpuImage("ColorInvert"), .gpuImage2("ColorInversion"), .metalPetal("ColorInvert"),
                .ffmpeg("negate"), .coreImage("CIColorInvert")),
            .effect(Grayscale.self, .gpuImage("Grayscale"), .gpuImage2("Luminance"), .dtLiving("grayscale")),
            .effect(
                Monochrome.self, .gpuImage("Monochrome"), .gpuImage2("MonochromeFilter"),
                .ffmpeg("colorize", .differs("color takes the place of FFmpeg's hue, saturation and lightness")),
                .ffmpeg("monochrome", .differs("FFmpeg's filters one hue to grey, ours has shades of one colour")),
                .coreImage("CIColorMonochrome")),
            .effect(
                FalseColor.self, .gpuImage("FalseColor"), .gpuImage2("FalseColor"),
                .ffmpeg("pseudocolor", .differs("two colours take the place of FFmpeg's presets")),
                .coreImage("CIFalseColor")),
            .effect(Haze.self, .gpuImage("Haze"), .gpuImage2("Haze")),
            .effect(
                Sepia.self, .gpuImage("Sepia"), .gpuImage2("SepiaToneFilter"), .dtLiving("sepia"),
                .coreImage("CISepiaTone")),
            .effect(Opacity.self, .gpuImage("Opacity"), .gpuImage2("OpacityAdjustment"), .metalPetal("Opacity")),
            .other(
                "a canvas or layer of one colour", .gpuImage("SolidColorGenerator"), .gpuImage2("SolidColorGenerator"),
                .coreImage("CIConstantColorGenerator")),
            .effect(
                LuminanceThreshold.self, .gpuImage("LuminanceThreshold"), .gpuImage2("LuminanceThreshold"),
                .coreImage("CIColorThreshold", .differs("luma counts, not each colour alone"))),
            .effect(LuminanceRange.self, .gpuImage2("LuminanceRangeReduction")),
            .effect(Solarize.self, .gpuImage2("Solarize")),
            .effect(
                Posterize.self, .gpuImage("Posterize"), .gpuImage2("Posterize"),
                .ffmpeg("elbg", .differs("the colours are evenly spaced, not found in the picture")),
                .coreImage("CIColorPosterize")),
            .effect(
                ChromaKey.self, .gpuImage("ChromaKey"), .gpuImage2("ChromaKeying"),
                .ffmpeg("chromakey", .noted("sensitivity and smoothing take the place of similarity and blend")),
                .ffmpeg("colorkey", .noted("the distance of colour differences counts, not that of RGB"))),
            .effect(
                LiftGammaGain.self,
                .ffmpeg(
                    "colorbalance",
                    .differs("FFmpeg's shadows, middle and highlights do not overlap as lift, gamma and gain do")),
                note: "from Movit"),
            .effect(
                Dither.self, .coreImage("CIDither", .differs("bits take the place of Core Image's intensity")),
                note: "from Movit"),
            .leftOut(
                "Apple's tables are not published; cube=FILE takes one of your own", .coreImage("CIPhotoEffectMono"),
                .coreImage("CIPhotoEffectNoir"), .coreImage("CIPhotoEffectTonal"), .coreImage("CIPhotoEffectChrome"),
                .coreImage("CIPhotoEffectFade"), .coreImage("CIPhotoEffectInstant"), .coreImage("CIPhotoEffectProcess"),
                .coreImage("CIPhotoEffectTransfer")),
            .leftOut("cube=FILE takes a table that was made with it", .ffmpeg("selectivecolor")),
        ])

    static let measuring = CounterpartFamily(
        "Measuring",
        [
            .effect(AdaptiveThreshold.self, .gpuImage("AdaptiveThreshold"), .gpuImage2("AdaptiveThreshold")),
            .effect(
                AverageLuminanceThreshold.self, .gpuImage("AverageLuminanceThreshold"),
                .gpuImage2("AverageLuminanceThreshold"),
                .coreImage("CIColorThresholdOtsu", .differs("the threshold is the mean, not Otsu's"))),
            .other(
                "`HistogramMeter`", .gpuImage("Histogram"), .gpuImage2("Histogram"), .coreImage("CIAreaHistogram"),
                note: "counts for the app; `histogram-display` shows them"),
            .effect(
                HistogramDisplay.self, .gpuImage("HistogramGenerator"), .gpuImage2("HistogramDisplay"),
                .ffmpeg("histogram", .noted("drawn over the picture")),
                .coreImage("CIHistogramDisplayFilter", .noted("drawn over the picture"))),
            .effect(
                HistogramEqualization.self, .gpuImage2("HistogramEqualization"),
                .ffmpeg("histeq", .differs("amount takes the place of FFmpeg's strength and intensity"))),
            .effect(
                AverageColor.self, .gpuImage("AverageColor"), .gpuImage2("AverageColorExtractor"),
                .coreImage("CIAreaAverage")),
            .effect(Luminosity.self, .gpuImage("Luminosity"), .gpuImage2("AverageLuminanceExtractor")),
            .effect(CLAHE.self, .metalPetal("CLAHE")),
        ])
}
