/// All that can be measured.
///
/// To add one: a value here, with what an expert would write for each program that can do it. Same pictures, same place, same result to the eye.
struct Workloads {
    let all: [Workload]

    init(program: String, inputs: Inputs) {
        all = [
            Self.plain(program, inputs), Self.affine(program, inputs), Self.neighbourhood(program, inputs),
            Self.look(program, inputs), Self.pixel(program, inputs),
        ]
    }

    private static let scaled = "scale=320:180:flags=bilinear"
    private static let placed = "overlay=936:24:format=yuv420"
    private static let scaledInset = "videoscale ! video/x-raw,width=320,height=180 !"
    private static let pad = "xpos=936 ypos=24"

    private static func workload(_ id: String, _ title: String, _ ours: PipCompose, _ peers: [Contender]) -> Workload {
        Workload(id: id, title: title, contenders: [ours.contender] + peers, explained: ours.explanation)
    }

    private static func plain(_ program: String, _ inputs: Inputs) -> Workload {
        workload(
            "W1", "plain: the inset at a quarter width, top right",
            PipCompose(program: program, inputs: inputs),
            [
                FFmpeg(inputs: inputs, graph: "[1:v]\(scaled)[s];[0:v][s]\(placed)").contender,
                GStreamer(inputs: inputs, pad: pad, inset: scaledInset).contender,
            ])
    }

    private static func affine(_ program: String, _ inputs: Inputs) -> Workload {
        let chain = "brightness=0.05,contrast=1.2,saturation=1.3"
        let filter = "eq=brightness=0.05:contrast=1.2:saturation=1.3"
        let balance = "videobalance brightness=0.05 contrast=1.2 saturation=1.3 !"
        return workload(
            "W2", "brightness, contrast and saturation on both",
            PipCompose(
                program: program, inputs: inputs, options: ["--effect", "main:\(chain)", "--effect", "inset:\(chain)"]),
            [
                FFmpeg(inputs: inputs, graph: "[1:v]\(scaled),\(filter)[s];[0:v]\(filter)[m];[m][s]\(placed)")
                    .contender,
                GStreamer(inputs: inputs, pad: pad, main: balance, inset: "\(scaledInset) \(balance)").contender,
            ])
    }

    private static func neighbourhood(_ program: String, _ inputs: Inputs) -> Workload {
        workload(
            "W3", "gaussian blur of sigma 4 on the main picture, sobel on the inset",
            PipCompose(
                program: program, inputs: inputs,
                options: ["--effect", "main:gaussian-blur=4", "--effect", "inset:sobel"]),
            [
                FFmpeg(
                    inputs: inputs, graph: "[1:v]\(scaled),sobel=planes=1[s];[0:v]gblur=sigma=4[m];[m][s]\(placed)"
                ).contender
            ])
    }

    private static func look(_ program: String, _ inputs: Inputs) -> Workload {
        let mask = [
            "-stream_loop", "-1", "-f", "rawvideo", "-pix_fmt", "gray", "-s",
            "\(CornerMask.width)x\(CornerMask.height)",
            "-r", "30", "-i", inputs.mask,
        ]
        let graph = "[1:v]\(scaled),transpose=clock[t];[t][2:v]alphamerge[s];[0:v][s]overlay=1076:24:format=yuv420"
        var square = GStreamer(
            inputs: inputs, pad: "xpos=1076 ypos=24 alpha=0.8", inset: "\(scaledInset) videoflip method=clockwise !"
        ).contender
        square.name = "GStreamer, square corners"
        return workload(
            "W4", "the inset, 320×180, turned by 90°, at 0.8 opacity, with rounded corners",
            PipCompose(
                program: program, inputs: inputs,
                options: ["--layout", "top-right,width=180,height=320,margin=24,opacity=0.8,rotate=90,radius=16"]),
            [FFmpeg(inputs: inputs, graph: graph, extraInputs: mask).contender, square])
    }

    private static func pixel(_ program: String, _ inputs: Inputs) -> Workload {
        let chain = "gamma=1.2,vignette=0.4,contrast=1.1,saturation=1.2"
        return workload(
            "W5", "general pixel effects on both: gamma, vignette, contrast, saturation",
            PipCompose(
                program: program, inputs: inputs, options: ["--effect", "main:\(chain)", "--effect", "inset:\(chain)"]),
            [])
    }
}
