internal import PipCompose

extension CounterpartFamily {
    static let looks = CounterpartFamily(
        "Visual effects",
        [
            .effect(
                Pixellate.self, .gpuImage("Pixellate"), .gpuImage2("Pixellate"), .metalPetal("Pixellate"),
                .ffmpeg(
                    "pixelize",
                    .differs(
                        "a square has the colour of its centre, not its mean, and size is a share of the shorter side")),
                .coreImage("CIPixellate", .noted("size is a share of the shorter side, not in pixels")),
                .coreImage("CIHexagonalPixellate", .differs("cells are squares"))),
            .effect(PixellatePosition.self, note: "GPUImage has it as PixellatePositionFilter, outside its list"),
            .effect(
                PolarPixellate.self,
                .gpuImage("PolarPixellate", .noted("size is half of GPUImage's ring, and angle in degrees")),
                .gpuImage2("PolarPixellate", .noted("size is half of GPUImage2's ring, and angle in degrees"))),
            .effect(
                PolkaDot.self, .gpuImage("PolkaDot"), .gpuImage2("PolkaDot"),
                .coreImage("CIPointillize", .differs("dots lie in rows"))),
            .effect(Halftone.self, .gpuImage("Halftone"), .gpuImage2("Halftone")),
            .effect(
                ColorHalftone.self, .metalPetal("ColorHalftone"),
                .coreImage("CICMYKHalftone", .noted("size is a share of the shorter side, and angle in degrees"))),
            .effect(
                DotScreen.self, .metalPetal("DotScreen"),
                .coreImage("CIDotScreen", .noted("size is a share of the shorter side, and angle in degrees"))),
            .effect(
                Crosshatch.self, .gpuImage("Crosshatch"), .gpuImage2("Crosshatch"),
                .coreImage("CIHatchedScreen", .differs("Core Image's lines are softer"))),
            .effect(
                Sketch.self, .gpuImage("Sketch"), .gpuImage2("SketchFilter"), .dtLiving("sketch"),
                .coreImage("CILineOverlay", .differs("strength takes the place of Core Image's thresholds")),
                .coreImage("CIEdgeWork", .differs("strength takes the place of Core Image's radius"))),
            .effect(ThresholdSketch.self, .gpuImage("ThresholdSketch"), .gpuImage2("ThresholdSketchFilter")),
            .effect(
                Toon.self, .gpuImage("Toon"), .gpuImage2("ToonFilter"), .dtLiving("toon"),
                .coreImage("CIComicEffect", .differs("ours has no dots"))),
            .effect(SmoothToon.self, .gpuImage("SmoothToon"), .gpuImage2("SmoothToonFilter")),
            .effect(Emboss.self, .gpuImage("Emboss"), .gpuImage2("EmbossFilter"), .dtLiving("emboss")),
            .effect(
                Swirl.self, .gpuImage("Swirl", .noted("angle is in degrees: 458 for GPUImage's 1")),
                .gpuImage2("SwirlDistortion", .noted("angle is in degrees: 458 for GPUImage2's 1")),
                .coreImage("CITwirlDistortion", .noted("radius is a share of the shorter side, and angle in degrees"))),
            .effect(
                Bulge.self, .gpuImage("Bulge"), .gpuImage2("BulgeDistortion"), .metalPetal("BulgeDistortion"),
                .ffmpeg("lenscorrection", .differs("ours magnifies a round part")),
                .coreImage("CIBumpDistortion", .noted("radius is a share of the shorter side"))),
            .effect(
                Pinch.self, .gpuImage("Pinch"), .gpuImage2("PinchDistortion"),
                .coreImage("CIPinchDistortion", .noted("radius is a share of the shorter side"))),
            .effect(Stretch.self, .gpuImage("Stretch"), .gpuImage2("StretchDistortion")),
            .effect(SphereRefraction.self, .gpuImage("SphereRefraction"), .gpuImage2("SphereRefraction")),
            .effect(
                GlassSphere.self, .gpuImage("GlassSphere"), .gpuImage2("GlassSphereRefraction"),
                .coreImage("CITorusLensDistortion", .differs("ours is a ball, not a ring"))),
            .effect(
                Vignette.self, .gpuImage("Vignette"), .gpuImage2("Vignette"),
                .ffmpeg("vignette", .differs("strength, start and end take the place of FFmpeg's angle")),
                .coreImage(
                    "CIVignette",
                    .differs("strength, start and end take the place of Core Image's intensity and radius")),
                .coreImage(
                    "CIVignetteEffect",
                    .differs("strength, start and end take the place of Core Image's radius and falloff"))),
            .effect(Kuwahara.self, .gpuImage("Kuwahara"), .gpuImage2("KuwaharaFilter")),
            .effect(Kuwahara.self, .gpuImage("KuwaharaRadius3"), .gpuImage2("KuwaharaRadius3Filter")),
            .effect(PerlinNoise.self, .gpuImage("PerlinNoise")),
            .effect(CGAColors.self, .gpuImage("CGAColorspace"), .gpuImage2("CGAColorspaceFilter")),
            .effect(Mosaic.self, .gpuImage("Mosaic"), .dtLiving("mosaic")),
            .effect(
                Voronoi.self, with: "show=position", .gpuImage("JFAVoronoi"),
                .coreImage("CICrystallize", .noted("size is a share of the shorter side, not in pixels"))),
            .effect(Voronoi.self, .gpuImage("VoronoiConsumer", .noted("the points lie in a mesh, or at places"))),
        ])

    static let faces = CounterpartFamily(
        "Faces and skin",
        [
            .effect(SkinSmoothing.self, note: "GPUPixel's beauty face, without landmarks"),
            .effect(HighPassSkinSmoothing.self, .metalPetal("HighPassSkinSmoothing")),
            .effect(BoxHighPass.self, note: "a stage of GPUPixel's beauty face"),
            .leftOut(
                "GPUPixel's thin face, big eye, lipstick, blusher and make-up need a face detector, which we do not have"
            ),
        ])

    static let composition = CounterpartFamily(
        "Composition",
        [
            .other("a layer's radius, border and shadow", .metalPetal("RoundCorner")),
            .other("a compositor's layers", .metalPetal("MultilayerCompositing"), .ffmpeg("overlay")),
            .other(
                "a picture with alpha as a layer: `PictureSource(overlay:)`, `--watermark`", .dtLiving("watermark")),
            .other(
                "an animation or a sequence of pictures as a layer: `PictureSource(overlay:)`, `--sticker`",
                .dtLiving("animatedSticker")),
            .other(
                "text as a layer: `TextSource`, `--text`; also clocks", .dtLiving("text"), .ffmpeg("drawtext"),
                .coreImage("CITextImageGenerator")),
        ])

    static let blending = CounterpartFamily(
        "Blending",
        [
            .blend(
                .normal, .gpuImage("NormalBlend"), .gpuImage2("NormalBlend"), .metalPetal("Normal"), .ffmpeg("normal")),
            .blend(
                .sourceOver, .gpuImage("SourceOverBlend"), .gpuImage2("SourceOverBlend"),
                .coreImage("CISourceOverCompositing")),
            .blend(.alpha, .gpuImage("AlphaBlend"), .gpuImage2("AlphaBlend"), .dtLiving("alpha")),
            .blend(
                .dissolve, .gpuImage("DissolveBlend"), .gpuImage2("DissolveBlend"),
                .ffmpeg("average", .differs("write dissolve with mix=0.5")),
                .coreImage("CIDissolveTransition", .noted("mix is Core Image's time"))),
            .blend(
                .add, .gpuImage("AddBlend"), .gpuImage2("AddBlend"), .dtLiving("add"), .metalPetal("Add"),
                .metalPetal("LinearDodge"), .ffmpeg("addition"), .coreImage("CIAdditionCompositing"),
                .coreImage("CILinearDodgeBlendMode")),
            .blend(
                .subtract, .gpuImage("SubtractBlend"), .gpuImage2("SubtractBlend"), .metalPetal("Subtract"),
                .ffmpeg("subtract"), .coreImage("CISubtractBlendMode")),
            .blend(
                .multiply, .gpuImage("MultiplyBlend"), .gpuImage2("MultiplyBlend"), .dtLiving("multiply"),
                .metalPetal("Multiply"), .ffmpeg("multiply"), .coreImage("CIMultiplyBlendMode"),
                .coreImage("CIMultiplyCompositing")),
            .blend(
                .divide, .gpuImage("DivideBlend"), .gpuImage2("DivideBlend"), .metalPetal("Divide"), .ffmpeg("divide"),
                .coreImage("CIDivideBlendMode")),
            .blend(
                .screen, .gpuImage("ScreenBlend"), .gpuImage2("ScreenBlend"), .dtLiving("screen"),
                .metalPetal("Screen"), .ffmpeg("screen"), .coreImage("CIScreenBlendMode")),
            .blend(
                .overlay, .gpuImage("OverlayBlend"), .gpuImage2("OverlayBlend"), .dtLiving("overlay"),
                .metalPetal("Overlay"), .ffmpeg("overlay"), .coreImage("CIOverlayBlendMode")),
            .blend(
                .hardLight, .gpuImage("HardLightBlend"), .gpuImage2("HardLightBlend"), .dtLiving("hardLight"),
                .metalPetal("HardLight"), .ffmpeg("hardlight"), .coreImage("CIHardLightBlendMode")),
            .blend(.softLight, .dtLiving("softLight"), .metalPetal("SoftLight"), .coreImage("CISoftLightBlendMode")),
            .blend(.softLightPegtop, .gpuImage("SoftLightBlend"), .gpuImage2("SoftLightBlend"), .ffmpeg("softlight")),
            .blend(
                .darken, .gpuImage("DarkenBlend"), .gpuImage2("DarkenBlend"), .metalPetal("Darken"), .ffmpeg("darken"),
                .coreImage("CIDarkenBlendMode"), .coreImage("CIMinimumCompositing")),
            .blend(
                .lighten, .gpuImage("LightenBlend"), .gpuImage2("LightenBlend"), .metalPetal("Lighten"),
                .ffmpeg("lighten"), .coreImage("CILightenBlendMode"), .coreImage("CIMaximumCompositing")),
            .blend(.darkerColor, .metalPetal("DarkerColor")),
            .blend(.lighterColor, .metalPetal("LighterColor")),
            .blend(
                .colorBurn, .gpuImage("ColorBurnBlend"), .gpuImage2("ColorBurnBlend"), .metalPetal("ColorBurn"),
                .ffmpeg("burn"), .coreImage("CIColorBurnBlendMode")),
            .blend(
                .colorDodge, .gpuImage("ColorDodgeBlend"), .gpuImage2("ColorDodgeBlend"), .metalPetal("ColorDodge"),
                .ffmpeg("dodge"), .coreImage("CIColorDodgeBlendMode")),
            .blend(
                .linearBurn, .gpuImage("LinearBurnBlend"), .gpuImage2("LinearBurnBlend"), .metalPetal("LinearBurn"),
                .coreImage("CILinearBurnBlendMode")),
            .blend(.vividLight, .metalPetal("VividLight"), .ffmpeg("vividlight"), .coreImage("CIVividLightBlendMode")),
            .blend(
                .linearLight, .metalPetal("LinearLight"), .ffmpeg("linearlight"), .coreImage("CILinearLightBlendMode")),
            .blend(.pinLight, .metalPetal("PinLight"), .ffmpeg("pinlight"), .coreImage("CIPinLightBlendMode")),
            .blend(.hardMix, .metalPetal("HardMix"), .ffmpeg("hardmix"), .coreImage("CIHardMixBlendMode")),
            .blend(
                .difference, .gpuImage("DifferenceBlend"), .gpuImage2("DifferenceBlend"), .metalPetal("Difference"),
                .ffmpeg("difference"), .coreImage("CIDifferenceBlendMode")),
            .blend(
                .exclusion, .gpuImage("ExclusionBlend"), .gpuImage2("ExclusionBlend"), .metalPetal("Exclusion"),
                .ffmpeg("exclusion"), .coreImage("CIExclusionBlendMode")),
            .blend(
                .hue, .gpuImage("HueBlend"), .gpuImage2("HueBlend"), .metalPetal("Hue"), .coreImage("CIHueBlendMode")),
            .blend(
                .saturation, .gpuImage("SaturationBlend"), .gpuImage2("SaturationBlend"), .metalPetal("Saturation"),
                .coreImage("CISaturationBlendMode")),
            .blend(
                .color, .gpuImage("ColorBlend"), .gpuImage2("ColorBlend"), .metalPetal("Color"),
                .coreImage("CIColorBlendMode")),
            .blend(
                .luminosity, .gpuImage("LuminosityBlend"), .gpuImage2("LuminosityBlend"), .metalPetal("Luminosity"),
                .coreImage("CILuminosityBlendMode")),
            .blend(
                .mask, .gpuImage("Mask"), .dtLiving("mask"), .metalPetal("BlendWithMask"), .coreImage("CIBlendWithMask")
            ),
            .blend(
                .chromaKey, .gpuImage("ChromaKeyBlend"), .gpuImage2("ChromaKeyBlend"), .metalPetal("ChromaKeyBlend")),
            .blend(.lumaWipe, note: "from Movit"),
            .blend(.poisson, .gpuImage("PoissonBlend")),
            .leftOut(
                "no other library has it", .ffmpeg("and"), .ffmpeg("or"), .ffmpeg("xor"), .ffmpeg("freeze"),
                .ffmpeg("heat"), .ffmpeg("reflect"), .ffmpeg("glow"), .ffmpeg("phoenix"), .ffmpeg("negation"),
                .ffmpeg("extremity"), .ffmpeg("grainextract"), .ffmpeg("grainmerge")),
        ])
}
