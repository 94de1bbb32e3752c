/// Workloads with effects that read several pixels or several pictures, and the workload that decodes Motion JPEG.
extension Workloads {
    var areas: Workload {
        let toon =
            "[0:v]format=gbrp,split[q][e];[q]lutrgb=r='round(val/25.5)*25.5':g='round(val/25.5)*25.5':b='round(val/25.5)*25.5'[few];"
            + "[e]format=gray,sobel,lut=y='if(gt(val,51),0,255)',format=gbrp[lines];[few][lines]blend=all_mode=darken[m];"
        let inset = "[1:v]\(scaled),bilateral=sigmaS=3:sigmaR=0.1:planes=1[s];"
        return Workload(
            id: "W7", title: "toon on the main picture, bilateral on the inset",
            ours: PipCompose(site: site, options: ["--effect", "main:toon", "--effect", "inset:bilateral"]),
            needs: ["toon", "bilateral"],
            peers: [
                FFmpeg(site: site, graphs: [.init(text: toon + inset + "[m][s]" + placed)]).contender,
                OpenCV(site: site, workload: "W7", styles: [.bgr]).contender,
            ]
                + GStreamerGL(
                    site: site,
                    variants: [variant(main: [Shaders.toon(site.size)], inset: [Shaders.bilateral(geometry.inset)])]
                ).contenders,
            absent: [Absentee(name: Name.gstreamer, reason: "it has no elements for toon and bilateral")])
    }

    var blended: Workload {
        let modes = ["multiply", "screen", "overlay"]
        let steps: [ColorStep] = [.contrast(1.1), .saturation(1.2), .gamma(1.1)]
        let inputs = (0..<4).map { "[\($0):v]format=gbrp[p\($0)]" }.joined(separator: ";")
        let blends = modes.enumerated().map { index, mode in
            "[\(index == 0 ? "p0" : "b\(index)")][p\(index + 1)]blend=all_mode=\(mode)[b\(index + 1)]"
        }.joined(separator: ";")
        let layouts = modes.flatMap { ["--layout", "center,width=100%,margin=0,blend=\($0)"] }
        return Workload(
            id: "W8", title: "three blends of whole pictures, and a table of colours on the result", sources: 4,
            ours: PipCompose(
                site: site, sources: 4, options: layouts + ["--effect", "output:cube=\(Workload.cube("W8", site))"]),
            needs: ["cube"],
            peers: [
                FFmpeg(
                    site: site, sources: 4,
                    graphs: [
                        .init(
                            text:
                                "\(inputs);\(blends);[b3]lut3d=file=\(Workload.cube("W8", site)):interp=tetrahedral,format=yuv420p"
                        )
                    ]
                ).contender,
                OpenCV(
                    site: site, sources: 4, workload: "W8", styles: [.bgr],
                    lacks: "3D tables, in place of which it applies the curve and the matrix of the table"
                ).contender,
            ],
            absent: [Absentee(name: Name.gstreamer, reason: "its compositor knows no such blends")]
                + [Name.gl, Name.glRGBA, Name.glConverted].map {
                    Absentee(name: $0, reason: "its mixer knows no such blends")
                },
            cube: steps)
    }

    var warped: Workload {
        let maps = [site.size, geometry.inset].flatMap { size in
            SwirlMap.Axis.allCases.flatMap { ["-i", site.inputs.map($0, size)] }
        }
        let graph =
            "[0:v]format=yuv444p[a];[a][2:v][3:v]remap,format=yuv420p[m];[1:v]\(scaled),format=yuv444p[b];[b][4:v][5:v]remap,format=yuv420p[s];"
            + "[m][s]" + placed
        return Workload(
            id: "W9", title: "a swirl on both",
            ours: PipCompose(site: site, options: both("swirl")), needs: ["swirl"],
            peers: [
                FFmpeg(
                    site: site, graphs: [.init(text: graph)], lacks: "the interpolation", extraInputs: maps
                ).contender,
                GStreamer(
                    site: site,
                    branches: [
                        .init(elements: Self.twirl), .init(elements: "\(videoscale) \(Self.twirl)", pad: pad),
                    ], lacks: "the interpolation"
                ).contender,
                OpenCV(site: site, workload: "W9").contender,
            ]
                + GStreamerGL(
                    site: site,
                    variants: [variant(main: [Shaders.swirl(site.size)], inset: [Shaders.swirl(geometry.inset)])]
                ).contenders)
    }

    private static let twirl =
        "videoconvert ! twirl angle=3.14159 ! videoconvert ! video/x-raw,format={format},colorimetry=bt709 !"

    var cameras: Workload {
        let convert = "videoconvert ! video/x-raw,format={format},colorimetry=bt709 !"
        let bareFrames = "it only composes raw frames; another program would have to decode"
        return Workload(
            id: "W10", title: "plain, from cameras' Motion JPEG, decoding included",
            ours: PipCompose(site: site, readsMovies: true),
            peers: [
                FFmpeg(
                    site: site, graphs: [graph(main: "format=yuv420p", inset: "")], readsMovies: true
                ).contender,
                GStreamer(
                    site: site,
                    branches: [.init(elements: convert), .init(elements: "\(videoscale) \(convert)", pad: pad)],
                    readsMovies: true
                ).contender,
            ],
            absent: [Name.gl, Name.glRGBA, Name.glConverted, Name.openCV].map {
                Absentee(name: $0, reason: bareFrames)
            },
            isMotionJPEG: true)
    }
}
