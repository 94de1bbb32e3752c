extension Workloads {
    private static let balanced = "brightness=0.05 contrast=1.2 saturation=1.3"
    private static let equalized = "eq=brightness=0.05:contrast=1.2:saturation=1.3"

    var affine: Workload {
        let steps: [ColorStep] = [.brightness(0.05), .contrast(1.2), .saturation(1.3), .hue(10)]
        // GStreamer's CPU element pivots contrast on black, and rotates hue in the opposite direction, where 1 is half
        // a turn.
        let balance = "brightness=-0.05 contrast=1.2 saturation=1.3 hue=-0.0556"
        let glBalance = "\(Self.balanced) hue=0.0556"
        return Workload(
            id: "W2", title: "brightness, contrast, saturation, hue on both",
            ours: PipCompose(site: site, options: both(steps.chain)), needs: steps.effects,
            peers: [
                FFmpeg(site: site, graphs: [same("\(Self.equalized),hue=h=10")]).contender,
                GStreamer(
                    site: site,
                    branches: [
                        .init(elements: "videobalance \(balance) !"),
                        .init(elements: "\(videoscale) videobalance \(balance) !", pad: pad),
                    ]
                ).contender,
            ] + gl(steps, elements: ["glcolorbalance \(glBalance)"]) + [OpenCV(site: site, workload: "W2").contender])
    }

    var sepia: Workload {
        let steps: [ColorStep] = [.brightness(0.05), .contrast(1.2), .saturation(1.3), .sepia(1), .vignette(0.4)]
        let mixer = "colorchannelmixer=.393:.769:.189:0:.349:.686:.168:0:.272:.534:.131"
        return Workload(
            id: "W2b", title: "brightness, contrast, saturation, sepia, vignette on both",
            ours: PipCompose(site: site, options: both(steps.chain)), needs: steps.effects,
            peers: [
                FFmpeg(
                    site: site,
                    graphs: [
                        same("\(Self.equalized),format=gbrp,\(mixer),format=yuv420p,vignette=dither=0"),
                        same("format=gbrp,\(lookup("W2b")),format=yuv420p,vignette=dither=0", "one 3D table"),
                    ]
                ).contender
            ]
                + gl(
                    steps,
                    elements: ["glcolorbalance \(Self.balanced)", "gleffects_sepia", Shaders.fused([.vignette(0.4)])])
                + [OpenCV(site: site, workload: "W2b", styles: [.bgr]).contender],
            absent: [Absentee(name: Name.gstreamer, reason: "no vignette among its elements")], cube: steps)
    }

    var grade: Workload {
        let steps: [ColorStep] = [
            .curve([0, 0.2, 0.5, 0.8, 1]), .saturation(1.2), .balance(0.05), .vignette(0.4),
        ]
        let curves = "curves=all='0/0 0.25/0.2 0.5/0.5 0.75/0.8 1/1'"
        let balance = "colorbalance=rs=0.1:bh=-0.1"
        let vignette = "format=yuv420p,vignette=dither=0"
        return Workload(
            id: "W2c", title: "curves, saturation, colour balance, vignette on both",
            ours: PipCompose(site: site, options: both(steps.chain)), needs: steps.effects,
            peers: [
                FFmpeg(
                    site: site,
                    graphs: [
                        same("format=gbrp,\(lookup("W2c")),\(vignette)", "one 3D table"),
                        same("format=gbrp,\(curves),\(balance),format=yuv420p,eq=saturation=1.2,vignette=dither=0"),
                    ]
                ).contender
            ]
                + gl(
                    steps,
                    elements: [
                        Shaders.fused([steps[0]]), "glcolorbalance saturation=1.2", Shaders.fused([steps[2]]),
                        Shaders.fused([steps[3]]),
                    ])
                + [OpenCV(site: site, workload: "W2c", styles: [.bgr]).contender],
            absent: [Absentee(name: Name.gstreamer, reason: "no curves and no vignette among its elements")],
            cube: steps)
    }

    var neighbourhood: Workload {
        Workload(
            id: "W3", title: "gaussian blur of sigma 4 on the main picture, sobel on the inset",
            ours: PipCompose(
                site: site, options: ["--effect", "main:gaussian-blur=4", "--effect", "inset:sobel"]),
            peers: [
                FFmpeg(site: site, graphs: [graph(main: "gblur=sigma=4", inset: "sobel=planes=1")]).contender,
                GStreamer(
                    site: site,
                    branches: [
                        .init(
                            elements: "videoconvert ! gaussianblur sigma=4 ! videoconvert ! "
                                + "video/x-raw,format={format},colorimetry=bt709 !"),
                        .init(elements: videoscale, pad: pad),
                    ], lacks: "the sobel"
                ).contender,
            ]
                + GStreamerGL(
                    site: site,
                    variants: [
                        variant(main: Shaders.gaussianBlur(sigma: 4, size: site.size), inset: ["gleffects_sobel"])
                    ]
                ).contenders + [OpenCV(site: site, workload: "W3").contender])
    }

    var general: Workload {
        let steps: [ColorStep] = [
            .exposure(0.2), .gamma(1.1), .contrast(1.1), .vibrance(0.3), .hue(10), .saturation(1.2), .sepia(0.3),
            .vignette(0.4),
        ]
        return Workload(
            id: "W5", title: "eight general pixel effects on both: " + steps.effects.joined(separator: ", "),
            ours: PipCompose(site: site, options: both(steps.chain)), needs: steps.effects,
            peers: [
                FFmpeg(
                    site: site,
                    graphs: [
                        same("format=gbrp,\(lookup("W5")),format=yuv420p,vignette=dither=0", "one 3D table")
                    ]
                ).contender
            ] + gl(steps, elements: Shaders.separate(steps)) + [
                OpenCV(site: site, workload: "W5", styles: [.bgr]).contender
            ],
            absent: [Absentee(name: Name.gstreamer, reason: "most of the effects are not among its elements")],
            cube: steps)
    }

    private func same(_ filters: String, _ name: String = "") -> FFmpeg.Graph {
        graph(name, main: filters, inset: filters)
    }

    private func lookup(_ id: String) -> String { "lut3d=file=\(Workload.cube(id, site)):interp=tetrahedral" }

    private func gl(_ steps: [ColorStep], elements: [String]) -> [Contender] {
        GStreamerGL(site: site, variants: variants(steps, elements: elements)).contenders
    }
}
