/// Commands for FFmpeg.
struct FFmpeg: Sendable {
    var inputs: Inputs
    /// The filter graph from `[0:v]` and `[1:v]` to the output.
    var graph: String
    /// Further inputs, before the graph.
    var extraInputs: [String] = []

    /// I420, in which FFmpeg's own filters work, and NV12, each with one thread for every part and with FFmpeg's own choice.
    var contender: Contender {
        var ways: [Contender.Way] = []
        for format in Inputs.Format.allCases.reversed() {
            for threads in Threads.allCases {
                ways.append(
                    Contender.Way(name: "\(format.rawValue), \(threads.rawValue)") { frames in
                        command(format, threads, frames: frames)
                    })
            }
        }
        return Contender(name: "FFmpeg", program: "ffmpeg", ways: ways)
    }

    private enum Threads: String, CaseIterable {
        case one = "1 thread"
        case automatic = "default threads"
    }

    private func command(_ format: Inputs.Format, _ threads: Threads, frames: Int) -> Command {
        var words = ["ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "error", "-nostats"]
        if threads == .one { words += ["-filter_threads", "1", "-filter_complex_threads", "1"] }
        for picture in Inputs.Picture.allCases {
            if threads == .one { words += ["-threads", "1"] }
            words += [
                "-stream_loop", "-1", "-f", "rawvideo", "-pix_fmt", format.ffmpeg, "-s",
                "\(Inputs.width)x\(Inputs.height)", "-r", "30", "-i", inputs.path(picture, format),
            ]
        }
        words += extraInputs + ["-filter_complex", graph, "-frames:v", "\(frames)"]
        if threads == .one { words += ["-threads", "1"] }
        return Command(words + ["-f", "null", "-"])
    }
}
