/// Commands for GStreamer's `compositor`, which works on the CPU.
///
/// Every caps says the colorimetry: without, the compositor converts its inputs to another one, at three times the cost.
struct GStreamer: Sendable {
    var inputs: Inputs
    /// Properties of the compositor's second pad.
    var pad: String
    /// Elements between the main picture and the compositor, each ending in `!`.
    var main = ""
    /// Elements between the inset and the compositor, each ending in `!`.
    var inset: String

    /// In both formats, with one thread and with as many as there are cores.
    var contender: Contender {
        var ways: [Contender.Way] = []
        for format in Inputs.Format.allCases {
            for threads in [1, 0] {
                ways.append(
                    Contender.Way(name: "\(format.rawValue), \(threads == 1 ? "1 thread" : "default threads")") {
                        frames in
                        command(format, threads: threads, frames: frames)
                    })
            }
        }
        return Contender(name: "GStreamer", program: "gst-launch-1.0", ways: ways)
    }

    private func command(_ format: Inputs.Format, threads: Int, frames: Int) -> Command {
        let properties = pad.split(separator: " ").map { "sink_1::\($0)" }.joined(separator: " ")
        let text =
            "compositor name=c background=black max-threads=\(threads) \(properties) "
            + "! \(caps(format)) ! fakesink sync=false "
            + "\(source(.main, format, frames)) ! \(main) c.sink_0 "
            + "\(source(.inset, format, frames)) ! \(inset) c.sink_1"
        return Command(["gst-launch-1.0", "-q"] + text.split(separator: " ").map(String.init))
    }

    /// A file a frame, in a loop; the parser gives them times and copies nothing.
    private func source(_ picture: Inputs.Picture, _ format: Inputs.Format, _ frames: Int) -> String {
        "multifilesrc location=\(inputs.framePattern(picture, format)) start-index=0 stop-index=\(Inputs.frames - 1) loop=true "
            + "num-buffers=\(frames) ! rawvideoparse format=\(format.rawValue) width=\(Inputs.width) height=\(Inputs.height) "
            + "framerate=30/1 colorimetry=bt709"
    }

    private func caps(_ format: Inputs.Format) -> String {
        "video/x-raw,format=\(format.gstreamer),width=\(Inputs.width),height=\(Inputs.height),framerate=30/1,colorimetry=bt709"
    }
}
