extension Workloads {
    var plain: Workload {
        Workload(
            id: "W1", title: "plain: the inset at a quarter width, top right", ours: PipCompose(site: site),
            peers: [
                FFmpeg(site: site, graphs: [graph(main: "", inset: "")]).contender,
                GStreamer(site: site, branches: [.init(), .init(elements: videoscale, pad: pad)]).contender,
            ] + GStreamerGL(site: site, variants: [variant()]).contenders + [
                OpenCV(site: site, workload: "W1").contender
            ])
    }

    var packed: Workload {
        let convert = "videoconvert ! video/x-raw,format={format},colorimetry=bt709 !"
        return Workload(
            id: "W1y", title: "plain, from cameras' YUYV", input: .yuyv, ours: PipCompose(site: site, input: .yuyv),
            peers: [
                FFmpeg(site: site, input: .yuyv, graphs: [graph(main: "format=yuv420p", inset: "")]).contender,
                GStreamer(
                    site: site, input: .yuyv,
                    branches: [
                        .init(elements: convert), .init(elements: "\(videoscale) \(convert)", pad: pad),
                    ]
                ).contender,
            ] + GStreamerGL(site: site, input: .yuyv, variants: [variant()]).contenders + [
                OpenCV(site: site, input: .yuyv, workload: "W1y", styles: [.bgr]).contender
            ],
            absent: [Absentee(name: Name.glRGBA, reason: "the workload's inputs are YUYV")])
    }

    var look: Workload {
        let size = geometry.inset
        let mask = CornerMask(width: size.height, height: size.width)
        let extra = [
            "-stream_loop", "-1", "-f", "rawvideo", "-pix_fmt", "gray", "-s", "\(mask.width)x\(mask.height)", "-r",
            "30", "-i", site.inputs.mask,
        ]
        let place = "xpos=\(geometry.turnedLeft) ypos=\(geometry.margin) alpha=\(CornerMask.opacity)"
        let graph =
            "[1:v]\(scaled),transpose=clock[t];[t][2:v]alphamerge[s];"
            + "[0:v][s]overlay=\(geometry.turnedLeft):\(geometry.margin):format=yuv420:eval=init"
        return Workload(
            id: "W4", title: "the inset turned by 90°, at 0.8 opacity, with rounded corners",
            ours: PipCompose(
                site: site,
                options: [
                    "--layout",
                    "top-right,width=\(mask.width),height=\(mask.height),margin=24,opacity=0.8,rotate=90,radius=16",
                ]),
            peers: [
                FFmpeg(site: site, graphs: [.init(text: graph)], extraInputs: extra).contender,
                GStreamer(
                    site: site,
                    branches: [.init(), .init(elements: "\(videoscale) videoflip method=clockwise !", pad: place)],
                    lacks: "the rounded corners"
                ).contender,
            ]
                + GStreamerGL(
                    site: site,
                    variants: [
                        .init(branches: [
                            .init(pad: ""),
                            .init(
                                effects: ["glvideoflip method=clockwise", Shaders.corners(mask)],
                                pad: place + " width=\(mask.width) height=\(mask.height)", size: size),
                        ])
                    ]
                ).contenders + [OpenCV(site: site, workload: "W4").contender])
    }

    var grid: Workload {
        let cell = FrameSize(width: site.size.width / 2, height: site.size.height / 2)
        let places = [(0, 0), (cell.width, 0), (0, cell.height), (cell.width, cell.height)]
        let scales = (0..<4).map { "[\($0):v]scale=\(cell.width):\(cell.height):flags=bilinear[s\($0)]" }
        let stack = "xstack=inputs=4:layout=" + places.map { "\($0.0)_\($0.1)" }.joined(separator: "|")
        let scale = "videoscale ! video/x-raw,width=\(cell.width),height=\(cell.height) !"
        let pads = places.map { "xpos=\($0.0) ypos=\($0.1)" }
        return Workload(
            id: "W6", title: "four sources in a grid", sources: 4,
            ours: PipCompose(site: site, sources: 4, options: ["--layout", "grid"]),
            peers: [
                FFmpeg(
                    site: site, sources: 4,
                    graphs: [
                        .init(text: (scales + ["[s0][s1][s2][s3]\(stack)"]).joined(separator: ";"))
                    ]
                ).contender,
                GStreamer(site: site, branches: pads.map { .init(elements: scale, pad: $0) }).contender,
            ]
                + GStreamerGL(
                    site: site,
                    variants: [
                        .init(
                            branches: pads.map {
                                .init(pad: "\($0) width=\(cell.width) height=\(cell.height)", size: cell)
                            })
                    ]
                ).contenders + [OpenCV(site: site, sources: 4, workload: "W6").contender])
    }
}
