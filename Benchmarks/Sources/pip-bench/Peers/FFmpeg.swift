/// Builds commands for FFmpeg's filters.
struct FFmpeg: Sendable {
    /// A filter graph from `[0:v]`, `[1:v]`, … to the output.
    ///
    /// The name distinguishes several graphs of a workload.
    struct Graph: Sendable {
        var name = ""
        var text: String
    }

    var site: Site
    var sources = 2
    /// The pixel format of the inputs; nil if it is the output's.
    var input: PixelLayout?
    var graphs: [Graph]
    /// True when the sources are movies in place of raw frames.
    var readsMovies = false
    /// The part of the workload that FFmpeg omits; nil for none.
    var lacks: String?
    /// The arguments for further inputs, which follow the sources.
    var extraInputs: [String] = []
    /// The encoding of the composed picture; nil if the picture is discarded.
    var recording: Recording?

    /// FFmpeg as a contender.
    ///
    /// The variants are each graph in I420 (the format of FFmpeg's filters) and in NV12, with one thread and with
    /// FFmpeg's default. Movies are read as I420 only, and inputs of a given pixel format in that format only.
    var contender: Contender {
        var ways: [Contender.Way] = []
        let formats = readsMovies ? [.i420] : input.map { [$0] } ?? [.i420, .nv12]
        for threads in Threads.allCases {
            for format in formats {
                for graph in graphs {
                    let words = [graph.name, format.rawValue, threads.rawValue].filter { !$0.isEmpty }
                    ways.append(
                        Contender.Way(name: words.joined(separator: ", ")) { frames in
                            command(graph, format, threads, frames: frames)
                        })
                }
            }
        }
        return Contender(name: Name.ffmpeg, program: "ffmpeg", lacks: lacks, ways: ways)
    }

    private enum Threads: String, CaseIterable {
        case one = "1 thread"
        case automatic = "default threads"
    }

    private func command(_ graph: Graph, _ format: PixelLayout, _ threads: Threads, frames: Int) -> Command {
        var words = ["ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "error", "-nostats"]
        if threads == .one { words += ["-filter_threads", "1", "-filter_complex_threads", "1"] }
        for source in 0..<sources {
            if threads == .one { words += ["-threads", "1"] }
            words += ["-stream_loop", "-1"]
            words +=
                readsMovies
                ? ["-i", site.inputs.movie(source)]
                : [
                    "-f", "rawvideo", "-pix_fmt", format.ffmpeg, "-s", "\(site.size)", "-r", "30",
                    "-i", site.inputs.path(source, format),
                ]
        }
        words += extraInputs + ["-filter_complex", graph.text, "-frames:v", "\(frames)"]
        if threads == .one { words += ["-threads", "1"] }
        return Command(words + (recording?.ffmpeg ?? ["-f", "null", "-"]))
    }
}
