internal import PipCompose

extension CounterpartFamily {
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
                .coreImage("CIDissolveTransition", .noted("mix is its time"))),
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
