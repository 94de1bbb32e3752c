internal import PipCompose

extension CounterpartFamily {
    static let imageProcessing = CounterpartFamily(
        "Image processing",
        [
            .effect(
                Transform.self, .gpuImage("Transform"), .gpuImage2("TransformOperation"), .dtLiving("transform"),
                .metalPetal("Transform"), .ffmpeg("rotate", .noted("angle is in degrees, not in radians")),
                .ffmpeg("perspective", .differs("tilt-x and tilt-y take the place of FFmpeg's corners")),
                .ffmpeg("vflip", .differs("write transform=180,mirror")),
                .ffmpeg("transpose", .differs("a source or a layer has rotate=90")),
                .coreImage("CIAffineTransform", .differs("angle, scale and place take the place of a matrix")),
                .coreImage(
                    "CIPerspectiveTransform", .differs("tilt-x and tilt-y take the place of Core Image's corners")),
                .coreImage("CIStraightenFilter", .noted("angle is in degrees, not in radians"))),
            .effect(
                Crop.self, .gpuImage("Crop"), .gpuImage2("Crop"), .dtLiving("crop"), .metalPetal("Crop"),
                .ffmpeg(
                    "crop",
                    .differs(
                        "x, y, width and height are shares of the picture, which keeps its size; a layer has crop=X:Y:W:H in pixels"
                    )),
                .coreImage("CICrop", .differs("x, y, width and height are shares of the picture, which keeps its size"))
            ),
            .other(
                "a layer with `sampling=lanczos`", .gpuImage("LanczosResampling"), .gpuImage2("LanczosResampling"),
                .coreImage("CILanczosScaleTransform"), .ffmpeg("scale"), note: "limited so that edges do not ring"),
            .effect(
                Sharpen.self, .gpuImage("Sharpen"), .gpuImage2("Sharpen"), .dtLiving("sharpen"),
                .ffmpeg("cas", .differs("FFmpeg's sharpens less where there is contrast")),
                .coreImage("CISharpenLuminance", .differs("ours sharpens all colours"))),
            .effect(
                UnsharpMask.self, .gpuImage("UnsharpMask", .noted("amount is GPUImage's intensity less 1")),
                .gpuImage2("UnsharpMask", .noted("amount is GPUImage2's intensity less 1")),
                .metalPetal("MPSUnsharpMask"),
                .ffmpeg(
                    "unsharp",
                    .differs(
                        "amount is FFmpeg's luma_amount, radius the deviation of a Gauss curve in place of FFmpeg's matrix"
                    )),
                .coreImage("CIUnsharpMask", .noted("amount is Core Image's intensity"))),
            .effect(
                GaussianBlur.self, .gpuImage("GaussianBlur"), .gpuImage2("GaussianBlur"), .dtLiving("gaussianBlur"),
                .metalPetal("MPSGaussianBlur"), .ffmpeg("gblur", .noted("radius is FFmpeg's sigma, up to 24")),
                .coreImage("CIGaussianBlur", .noted("radius goes up to 24"))),
            .effect(
                BoxBlur.self, .gpuImage("BoxBlur"), .gpuImage2("BoxBlur"), .dtLiving("boxBlur"),
                .metalPetal("MPSBoxBlur"),
                .ffmpeg("avgblur", .noted("radius is FFmpeg's sizeX, the same in both directions")),
                .ffmpeg("boxblur", .noted("radius is FFmpeg's luma_radius, with a power of 1")), .coreImage("CIBoxBlur")
            ),
            .effect(LineBlur.self, note: "from GPUPixel"),
            .effect(
                GaussianBlur.self, .gpuImage("SingleComponentGaussianBlur", .differs("write grayscale,gaussian-blur")),
                .gpuImage2("SingleComponentGaussianBlur", .differs("write grayscale,gaussian-blur"))),
            .effect(SelectiveBlur.self, .gpuImage("GaussianSelectiveBlur")),
            .effect(BlurPosition.self, .gpuImage("GaussianBlurPosition")),
            .effect(
                FrostedGlass.self,
                .gpuImage("iOSBlur", .noted("radius counts pixels of the whole picture: 48 for GPUImage's 12")),
                .gpuImage2("iOSBlur", .noted("radius counts pixels of the whole picture: 48 for GPUImage2's 12"))),
            .effect(
                Median.self, .gpuImage("Median"), .gpuImage2("MedianFilter"), .ffmpeg("median"),
                .coreImage("CIMedianFilter")),
            .effect(
                Bilateral.self, .gpuImage("Bilateral"), .gpuImage2("BilateralBlur"), .dtLiving("bilateral"),
                .ffmpeg("bilateral", .differs("spacing and distance take the place of sigmaS and sigmaR")),
                .ffmpeg("sab", .differs("spacing and distance take the place of FFmpeg's radii")),
                .coreImage(
                    "CINoiseReduction",
                    .differs("spacing and distance take the place of Core Image's noise level and sharpness")
                )),
            .effect(
                SurfaceBlur.self, .metalPetal("SurfaceBlur"),
                .ffmpeg("smartblur", .differs("threshold is a difference of colours"))),
            .effect(TiltShift.self, .gpuImage("TiltShift"), .gpuImage2("TiltShift")),
            .effect(
                MotionBlur.self,
                .gpuImage("MotionBlur", .noted("size is in shares of the height, not in texels of the width")),
                .gpuImage2("MotionBlur", .noted("size is in shares of the height, not in texels of the width")),
                .ffmpeg("dblur", .differs("size takes the place of FFmpeg's radius")),
                .coreImage(
                    "CIMotionBlur", .noted("size takes the place of Core Image's radius, and angle is in degrees"))),
            .effect(
                ZoomBlur.self, .gpuImage("ZoomBlur"), .gpuImage2("ZoomBlur"),
                .coreImage(
                    "CIZoomBlur", .noted("size takes the place of Core Image's amount, and the centre is in shares"))),
            .effect(
                HexagonalBokeh.self, .metalPetal("HexagonalBokehBlur"),
                .coreImage("CIBokehBlur", .differs("a point becomes a hexagon")),
                .coreImage("CIDiscBlur", .differs("a point becomes a hexagon"))),
            .effect(
                Glow.self,
                .coreImage("CIBloom", .differs("amount and cutoff take the place of Core Image's intensity")),
                note: "from Movit"),
            .effect(
                Diffusion.self, .coreImage("CIGloom", .differs("ours brightens what is bright")), note: "from Movit"),
            .effect(
                Convolution.self, .gpuImage("3x3Convolution"), .gpuImage2("Convolution3x3"),
                .dtLiving("convolution3x3"), .metalPetal("MPSConvolution"),
                .ffmpeg("convolution", .differs("weights are nine numbers for all colours")),
                .coreImage("CIConvolution3X3", .noted("there is no bias"))),
            .effect(Laplacian.self, .gpuImage2("Laplacian")),
            .effect(
                Sobel.self, .gpuImage("SobelEdgeDetection"), .gpuImage2("SobelEdgeDetection"), .dtLiving("sobel"),
                .metalPetal("MPSSobel"), .ffmpeg("sobel", .differs("the scales of the strength differ")),
                .ffmpeg("scharr", .differs("the weights of neighbours are Sobel's")),
                .ffmpeg("roberts", .differs("the differences are Sobel's")),
                .ffmpeg("kirsch", .differs("the differences are Sobel's")),
                .coreImage("CIEdges", .differs("strength takes the place of Core Image's intensity"))),
            .effect(DirectionalSobel.self, note: "a stage of GPUImage's Canny"),
            .effect(
                Prewitt.self, .gpuImage("PrewittEdgeDetection"), .gpuImage2("PrewittEdgeDetection"),
                .ffmpeg("prewitt", .differs("the scales of the strength differ"))),
            .effect(
                ThresholdEdge.self, .gpuImage("ThresholdEdgeDetection", .noted("threshold is four times that of iOS")),
                .gpuImage2("ThresholdSobelEdgeDetection")),
            .effect(
                Canny.self, .gpuImage("CannyEdgeDetection"), .gpuImage2("CannyEdgeDetection"),
                .ffmpeg("edgedetect", .noted("lower and upper are FFmpeg's low and high; radius smooths more")),
                .coreImage("CICannyEdgeDetector", .noted("radius is Core Image's sigma"))),
            .effect(Corners.self, .gpuImage("HarrisCornerDetection"), .gpuImage2("HarrisCornerDetector")),
            .effect(Corners.self, with: "noble", .gpuImage("NobleCornerDetection"), .gpuImage2("NobleCornerDetector")),
            .effect(
                Corners.self, with: "shi-tomasi", .gpuImage("ShiTomasiCornerDetection"),
                .gpuImage2("ShiTomasiFeatureDetector")),
            .effect(ColorFAST.self, .gpuImage2("ColourFASTFeatureDetection")),
            .effect(
                NonMaximumSuppression.self, .gpuImage("NonMaximumSuppression"), .gpuImage2("NonMaximumSuppression")),
            .effect(
                XYDerivative.self, .gpuImage("XYDerivative"),
                .coreImage("CISobelGradients", .differs("the scales differ"))),
            .effect(
                Crosshairs.self, .gpuImage("CrosshairGenerator", .noted("drawn over the picture")),
                .gpuImage2("CrosshairGenerator", .noted("drawn over the picture"))),
            .effect(
                Lines.self, .gpuImage("LineGenerator", .noted("drawn over the picture")),
                .gpuImage2("LineGenerator", .noted("drawn over the picture"))),
            .effect(Circle.self, .gpuImage2("CircleGenerator", .noted("drawn over the picture"))),
            .effect(
                Dilation.self, .gpuImage("Dilation"), .gpuImage2("Dilation"), .ffmpeg("dilation"),
                .coreImage("CIMorphologyMaximum")),
            .effect(Dilation.self, .gpuImage("RGBDilation")),
            .effect(
                Erosion.self, .gpuImage("Erosion"), .gpuImage2("Erosion"), .ffmpeg("erosion"),
                .coreImage("CIMorphologyMinimum")),
            .effect(Erosion.self, .gpuImage("RGBErosion")),
            .effect(Opening.self, .gpuImage("Opening"), .gpuImage2("OpeningFilter")),
            .effect(Opening.self, .gpuImage("RGBOpening")),
            .effect(Closing.self, .gpuImage("Closing"), .gpuImage2("ClosingFilter")),
            .effect(Closing.self, .gpuImage("RGBClosing")),
            .effect(LocalBinaryPattern.self, .gpuImage("LocalBinaryPattern"), .gpuImage2("LocalBinaryPattern")),
            .effect(LocalBinaryPattern.self, with: "on", .gpuImage2("ColorLocalBinaryPattern")),
            .effect(
                LowPass.self, .gpuImage("LowPass"), .gpuImage2("LowPassFilter"),
                .ffmpeg("tmix", .differs("frames count less the older they are, and none ends")),
                .ffmpeg("hqdn3d", .differs("ours averages over time alone")),
                .ffmpeg("atadenoise", .differs("ours averages whatever moves, too"))),
            .effect(HighPass.self, .gpuImage("HighPass"), .gpuImage2("HighPassFilter")),
            .effect(MotionDetector.self, .gpuImage("MotionDetector"), .gpuImage2("MotionDetector")),
            .effect(Trails.self, .ffmpeg("lagfun", .noted("persistence is FFmpeg's decay")), note: "our own"),
            .effect(HoughLines.self, .gpuImage("HoughTransformLineDetector")),
            .effect(Mirror.self, .ffmpeg("hflip"), note: "from Movit; a layer's `mirror` as well"),
            .leftOut("cameras that stabilize have stabilization=on", .ffmpeg("deshake"), .ffmpeg("vidstabtransform")),
            .leftOut("no effect adds noise", .ffmpeg("noise")),
            .leftOut("an effect of a GLSL file can do it", .ffmpeg("chromashift"), .ffmpeg("rgbashift")),
            .other("an effect of a GLSL file: `./tint.glsl`", .ffmpeg("geq")),
        ])
}
